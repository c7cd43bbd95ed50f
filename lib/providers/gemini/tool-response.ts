import { unsupportedValue } from '../../wire';
import type { Calls } from './assistant';
import { type Draft, refuse } from './draft';
import { objectIn } from './object-in';
import { type Part, partsOf, TEXT_ONLY } from './parts';

/** The result of one call, with the name that belongs to its id, and the place of that call among all. */
export function toolResponse(message: Record<string, unknown>, path: string, calls: Calls, draft: Draft): { order: number; part: Part } {
  const response = responseOf(message.content, `${path}.content`, draft);
  if (message.role === 'function') {
    const name = typeof message.name === 'string' ? message.name : calls.lastLegacy?.name;
    if (name === undefined) refuse(draft, unsupportedValue(`${path}.name`, 'The result of a function must name it.'));
    return { order: calls.lastLegacy?.order ?? calls.count, part: { functionResponse: { name, response } } };
  }
  const id = message.tool_call_id;
  const call = typeof id === 'string' ? calls.known.get(id) : undefined;
  if (call === undefined) {
    refuse(draft, unsupportedValue(`${path}.tool_call_id`, 'No earlier message calls a function under this id, and Gemini wants the name of the function.'));
    return { order: calls.count, part: {} };
  }
  return { order: call.order, part: { functionResponse: { id, name: call.name, response } } };
}

/** An object that came as JSON goes as it is, everything else as its output; what surfaces mark as a failed call as its error. */
function responseOf(content: unknown, path: string, draft: Draft): Record<string, unknown> {
  const text = partsOf(content, TEXT_ONLY, path, draft).map((part) => String(part.text)).join('');
  if (text.startsWith(FAILED)) return { error: text.slice(FAILED.length) };
  return objectIn(text) ?? { output: text };
}

/** How the canonical language says that a tool failed: it has no member for it. */
const FAILED = '[tool error] ';
