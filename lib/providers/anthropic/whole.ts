import { failure, isObject, nonEmpty, type Operation, type StreamEvent } from '../../wire';
import type { WholeBody } from '../adapter';
import { isTooHeavy } from '../heavy';
import { saysError } from '../openai/error-body';
import { createBlocks } from './blocks';
import { badStop, errorInside } from './failure';
import type { Members } from './json-values';
import { explains, isCut, readStop } from './stop-reason';
import { usageTally } from './usage';

/** A whole message. It is an answer only with a known stop reason, the same rule as for streams. */
export function wholeBody(body: string, operation: Operation): WholeBody {
  if (isTooHeavy(body)) return bad('an answer of too many values');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return bad(body.trimStart().startsWith('<') ? 'an HTML page in place of an answer' : 'the answer is not JSON');
  }
  if (!isObject(value)) return bad('the answer is not a JSON object');
  if (value.error || (value.type !== 'message' && saysError(value))) return { ok: false, failure: errorInside(value) };
  return operation === 'count_tokens' ? count(value) : message(value);
}

function message(value: Members): WholeBody {
  if (!Array.isArray(value.content)) return bad('the answer has no content');
  const model = nonEmpty(value.model);
  const events: StreamEvent[] = [];
  const id = nonEmpty(value.id);
  if (id !== null) events.push({ type: 'identity', id, created: 0, model: model ?? '' });
  events.push({ type: 'choice', choice: 0 });
  const blocks = createBlocks();
  const cut = isCut(value.stop_reason);
  for (const [index, block] of (value.content as unknown[]).entries()) {
    const complaint = blocks.start(index, block, events);
    if (complaint !== null) return bad(complaint);
    if (index < value.content.length - 1) blocks.stop(index, events);
  }
  blocks.end(cut, events);
  const reason = readStop(value.stop_reason);
  if (reason === null) return bad('the answer has no stop_reason');
  if (reason === 'unknown') return { ok: false, failure: badStop(value.stop_reason) };
  const usage = usageTally().add(value.usage);
  if (usage !== null) events.push({ type: 'usage', usage });
  if (explains(value.stop_details)) events.push({ type: 'dropped', what: 'stop_details' });
  events.push({ type: 'finish', choice: 0, reason, native: value.stop_reason as string, stopSequence: nonEmpty(value.stop_sequence) });
  return { ok: true, events, usage, model };
}

/** A count is free: it used no tokens, however many it names. */
function count(value: Members): WholeBody {
  if (typeof value.input_tokens !== 'number') return bad('the answer has no count');
  const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  return { ok: true, events: [{ type: 'usage', usage }], usage, model: null };
}

function bad(message: string): WholeBody {
  return { ok: false, failure: failure('malformed', message) };
}
