import { failure, isObject, type StreamEvent } from '../../wire';
import type { WholeBody } from '../adapter';
import { isTooHeavy } from '../heavy';
import { createToolCalls, readDelta } from './delta';
import { saysError } from './error-body';
import { tellsSources } from './events';
import { errorInside } from './failure';
import { badFinish, readFinish } from './finish';
import { isGarbled, readUsage } from './usage';

/**
 * A whole chat.completion. It is an answer only when every choice has a message and a finish reason,
 * the same rule as for streams, so that both kinds of call decide alike.
 */
export function wholeBody(body: string): WholeBody {
  if (isTooHeavy(body)) return bad('an answer of too many values');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return bad(body.trimStart().startsWith('<') ? 'an HTML page in place of an answer' : 'the answer is not JSON');
  }
  if (Array.isArray(value) && isObject(value[0]) && saysError(value[0])) value = value[0];
  if (!isObject(value)) return bad('the answer is not a JSON object');
  if (saysError(value)) return { ok: false, failure: errorInside(value) };
  if (!Array.isArray(value.choices) || value.choices.length === 0) return bad('the answer has no choices');

  const events: StreamEvent[] = [];
  const model = typeof value.model === 'string' ? value.model : null;
  if (typeof value.id === 'string' && value.id !== '') {
    events.push({ type: 'identity', id: value.id, created: typeof value.created === 'number' ? value.created : 0, model: model ?? '' });
  }
  const tools = createToolCalls();
  for (let at = 0; at < value.choices.length; at++) {
    const choice: unknown = value.choices[at];
    if (!isObject(choice) || !isObject(choice.message)) return bad('a choice has no message');
    const index = typeof choice.index === 'number' ? choice.index : at;
    events.push({ type: 'choice', choice: index });
    if (isObject(choice.logprobs)) events.push({ type: 'logprobs', choice: index, logprobs: choice.logprobs });
    const complaint = readDelta(choice.message, index, tools, events);
    if (complaint !== null) return bad(complaint);
    const finish = readFinish(choice.finish_reason, index);
    if (finish === null) return bad('a choice has no finish_reason');
    if (finish === 'failed') return { ok: false, failure: badFinish(choice.finish_reason) };
    events.push(finish);
  }
  if (tellsSources(value)) events.push({ type: 'dropped', what: 'citations' });
  const usage = readUsage(value.usage) ?? (isObject(value.x_groq) ? readUsage(value.x_groq.usage) : null);
  if (usage !== null) events.push({ type: 'usage', usage });
  if (isGarbled(value.usage)) events.push({ type: 'dropped', what: 'usage' });
  return { ok: true, events, usage, model };
}

/** An embeddings answer: a vector for each input (`wanted` of them; null: as many as there are), passed on as they are, and usage. */
export function embeddingsBody(body: string, wanted: number | null): WholeBody {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return bad(body.trimStart().startsWith('<') ? 'an HTML page in place of an answer' : 'the answer is not JSON');
  }
  if (!isObject(value)) return bad('the answer is not a JSON object');
  if (saysError(value)) return { ok: false, failure: errorInside(value) };
  if (!Array.isArray(value.data) || value.data.length === 0) return bad('the answer has no embeddings');
  if (wanted !== null && value.data.length !== wanted) return bad(`the answer has ${value.data.length} embeddings, and ${wanted} were asked for`);
  if (!(value.data as unknown[]).every((each) => isObject(each) && isVector(each.embedding))) return bad('an embedding is no vector');
  const usage = readUsage(value.usage);
  if (usage !== null) usage.completionTokens ??= 0; // vectors are no tokens: whoever says nothing of any means none
  return { ok: true, events: usage === null ? [] : [{ type: 'usage', usage }], usage, model: typeof value.model === 'string' ? value.model : null };
}

/** Numbers, or their bytes in base64. */
const isVector = (value: unknown): boolean => (typeof value === 'string' ? BASE64.test(value) : Array.isArray(value) && value.length > 0 && (value as unknown[]).every((each) => typeof each === 'number'));

const BASE64 = /^[\w+/-]+={0,2}$/;

function bad(message: string): WholeBody {
  return { ok: false, failure: failure('malformed', message) };
}
