import { failure, type Failure, type FinishReason } from '../../wire';

/**
 * A `finishReason` in our words, or null for one that ends no answer: what failed, and anything that is not known,
 * is never taken for `stop`. STOP is also said of answers that end in calls.
 */
export function finishOf(reason: string, called: boolean): FinishReason | null {
  if (reason === 'STOP') return called ? 'tool_calls' : 'stop';
  return Object.hasOwn(FINISH, reason) ? FINISH[reason]! : null;
}

/** The upstream's own word, where it is not the same as ours. */
export const nativeOf = (word: string, reason: FinishReason): string | null => (word.toLowerCase() === reason ? null : word.slice(0, 100));

export const badFinish = (reason: string): Failure => failure('server_error', `the upstream ended with finishReason ${JSON.stringify(reason.slice(0, 80))}`);

const FINISH: Record<string, FinishReason> = {
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  LANGUAGE: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
};
