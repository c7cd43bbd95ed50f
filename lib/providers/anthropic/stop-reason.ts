import { type FinishReason, isObject } from '../../wire';

/** `'unknown'` for what is no way to end an answer: never taken for `stop`. Null while there is none. */
export function readStop(reason: unknown): FinishReason | 'unknown' | null {
  if (reason === null || reason === undefined) return null;
  return typeof reason === 'string' && Object.hasOwn(REASONS, reason) ? REASONS[reason]! : 'unknown';
}

/** Did the answer end inside of something, so that what is open stays as it is? */
export const isCut = (reason: unknown): boolean => typeof reason === 'string' && Object.hasOwn(REASONS, reason) && REASONS[reason] === 'length';

/** Do the details of a refusal say anything that the reason does not? */
export const explains = (details: unknown): boolean => isObject(details) && [details.category, details.explanation].some((said) => typeof said === 'string' && said !== '');

const REASONS: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  compaction: 'length',
  pause_turn: 'length', // the turn is unfinished, though its stream ends well
  refusal: 'content_filter',
};
