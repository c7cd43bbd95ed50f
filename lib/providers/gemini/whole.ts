import { failure, isObject, type StreamEvent } from '../../wire';
import type { WholeBody } from '../adapter';
import { saysError } from '../openai/error-body';
import { isTooHeavy } from '../heavy';
import { answerReader } from './answer';
import { errorInside } from './failure';

/**
 * A whole generateContent answer. It is one only when every candidate has named its end, the same rule as for
 * streams; a blocked prompt is an answer without content.
 */
export function wholeBody(body: string): WholeBody {
  if (isTooHeavy(body)) return bad('an answer of too many values');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return bad(body.trimStart().startsWith('<') ? 'an HTML page in place of an answer' : 'the answer is not JSON');
  }
  const object: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isObject(object)) return bad('the answer is not a JSON object');
  if (object.error || (object.candidates === undefined && saysError(object))) return { ok: false, failure: errorInside(object) };

  const answer = answerReader();
  const events: StreamEvent[] = [];
  const complaint = answer.take(object, events);
  if (complaint !== null) return bad(complaint);
  const last = events.at(-1);
  if (last?.type === 'error') return { ok: false, failure: last.failure };
  if (answer.candidates.size === 0) return bad('the answer has no candidates');
  for (const { ended } of answer.candidates.values()) if (!ended) return bad('a candidate has no finishReason');
  const used = events.find((event) => event.type === 'usage');
  const identity = events.find((event) => event.type === 'identity');
  return { ok: true, events, usage: used?.type === 'usage' ? used.usage : null, model: (identity?.type === 'identity' && identity.model) || null };
}

function bad(message: string): WholeBody {
  return { ok: false, failure: failure('malformed', message) };
}
