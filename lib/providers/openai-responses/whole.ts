import { failure, isObject, type StreamEvent } from '../../wire';
import type { WholeBody } from '../adapter';
import { isTooHeavy } from '../heavy';
import { saysError } from '../openai/error-body';
import { errorInside } from '../openai/failure';
import { endingOf } from './ending';
import { failedResponse } from './failure';
import { OutputItems } from './output-items';

/** A whole Response. It is an answer only when it is completed, or incomplete for a known reason, as for streams. */
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
  if (value.object === 'response' && value.error) return { ok: false, failure: failedResponse(value) };
  if (saysError(value)) return { ok: false, failure: errorInside(value) };
  if (!Array.isArray(value.output)) return bad('the answer is no response');

  const { id, created_at: created } = value;
  const model = typeof value.model === 'string' ? value.model : null;
  const events: StreamEvent[] = [];
  if (typeof id === 'string' && id !== '') events.push({ type: 'identity', id, created: typeof created === 'number' ? created : 0, model: model ?? '' });
  events.push({ type: 'choice', choice: 0 });
  const items = new OutputItems();
  for (const [at, item] of value.output.entries()) {
    if (!isObject(item)) return bad('an item is not an object');
    items.end(item, at, events);
  }
  const why = endingOf(value, value.status, items, events);
  if (why !== null) return { ok: false, failure: why };
  const usage = events.find((event) => event.type === 'usage')?.usage ?? null;
  return { ok: true, events, usage, model };
}

function bad(message: string): WholeBody {
  return { ok: false, failure: failure('malformed', message) };
}
