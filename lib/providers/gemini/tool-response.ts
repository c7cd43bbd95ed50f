import { isObject, unsupportedValue } from '../../wire';
import type { Calls } from './assistant';
import { type Draft, refuse } from './draft';
import { objectIn } from './object-in';
import { type Part, partsOf, RESULT_PARTS, TEXT_ONLY } from './parts';

/** The result of one call, with the name that belongs to its id, and the place of that call among all. */
export function toolResponse(message: Record<string, unknown>, path: string, calls: Calls, draft: Draft): { order: number; part: Part } {
  const result = resultOf(message.content, `${path}.content`, draft);
  if (message.role === 'function') {
    const name = typeof message.name === 'string' ? message.name : calls.lastLegacy?.name;
    if (name === undefined) refuse(draft, unsupportedValue(`${path}.name`, 'The result of a function must name it.'));
    return { order: calls.lastLegacy?.order ?? calls.count, part: { functionResponse: { name, ...result } } };
  }
  const id = message.tool_call_id;
  const call = typeof id === 'string' ? calls.known.get(id) : undefined;
  if (call === undefined) {
    refuse(draft, unsupportedValue(`${path}.tool_call_id`, 'No earlier message calls a function under this id, and Gemini wants the name of the function.'));
    return { order: calls.count, part: {} };
  }
  return { order: call.order, part: { functionResponse: { id, name: call.name, ...result } } };
}

/** Images and documents stand beside what is said: https://ai.google.dev/gemini-api/docs/function-calling#multimodal */
function resultOf(content: unknown, path: string, draft: Draft): { response: Record<string, unknown>; parts?: Part[] } {
  const made = partsOf(content, draft.model.seesResults ? RESULT_PARTS : TEXT_ONLY, path, draft);
  const media = made.filter((part) => part.text === undefined);
  if (media.some((part) => !isObject(part.inlineData) || !MEDIA.has(String(part.inlineData.mimeType)))) {
    refuse(draft, unsupportedValue(path, 'The result of a function takes images as PNG, JPEG or WebP and documents as PDF or plain text, in base64.'));
  }
  const response = responseOf(made.map(({ text = '' }) => String(text)).join(''));
  return media.length === 0 ? { response } : { response, parts: media };
}

const MEDIA = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain']);

/** An object that came as JSON goes as it is, everything else as its output; what surfaces mark as a failed call as its error. */
function responseOf(text: string): Record<string, unknown> {
  if (text.startsWith(FAILED)) return { error: text.slice(FAILED.length) };
  return objectIn(text) ?? { output: text };
}

/** How the canonical language says that a tool failed: it has no member for it. */
const FAILED = '[tool error] ';
