import { failure, type Failure } from '../../wire';

/** Errors come in Anthropic's shape, in a proxy's or in none: the reading that knows them all is the same for every wire. */
export { errorInside, refusal } from '../openai/failure';

export const badStop = (reason: unknown): Failure => failure('server_error', `the upstream ended with stop_reason ${JSON.stringify(reason)?.slice(0, 80)}`);
