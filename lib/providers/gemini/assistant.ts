import { isAbsent, isObject, nonEmpty, unread, unsupportedValue } from '../../wire';
import { type Draft, refuse } from './draft';
import { objectIn } from './object-in';
import { ASSISTANT_PARTS, type Part, partsOf } from './parts';
import { callSignature, SIGNATURE_FORMAT, STAND_IN } from './signature';

/** The calls made so far: results come back with the call's id alone, and Gemini wants the function's name. */
export interface Calls {
  known: Map<string, { name: string; order: number }>;
  count: number;
  /** The last `function_call` of the old kind, which has no id. */
  lastLegacy: { name: string; order: number } | null;
}

/** One answer of the model, sent back: its text, what signed its thoughts, and its calls with their signatures. */
export function assistantParts(message: Record<string, unknown>, path: string, calls: Calls, draft: Draft): Part[] {
  const parts = partsOf(message.content, ASSISTANT_PARTS, `${path}.content`, draft);
  if (nonEmpty(message.refusal) !== null) parts.push({ text: message.refusal });
  if (!isAbsent(message.audio)) refuse(draft, unsupportedValue(`${path}.audio`, 'Audio of an earlier answer cannot be sent here.'));
  const signatures = readDetails(message.reasoning_details, draft);
  for (const data of signatures.ofText) parts.push({ text: '', thoughtSignature: data });

  const made: Part[] = [];
  if (Array.isArray(message.tool_calls)) {
    for (const [index, call] of message.tool_calls.entries()) {
      const part = callPart(call, `${path}.tool_calls[${index}]`, calls, signatures.ofCalls, draft);
      if (part !== null) made.push(part);
    }
  } else if (!isAbsent(message.tool_calls)) {
    refuse(draft, unsupportedValue(`${path}.tool_calls`, '`tool_calls` must be a list.'));
  }
  if (isObject(message.function_call)) {
    const { name, arguments: text } = message.function_call;
    const args = argumentsOf(text, `${path}.function_call.arguments`, draft);
    if (typeof name !== 'string') refuse(draft, unsupportedValue(`${path}.function_call.name`, 'A call must name its function.'));
    calls.lastLegacy = { name: typeof name === 'string' ? name : '', order: calls.count++ };
    made.push({ functionCall: { name, args } });
  }
  // Of calls made at once only the first one is signed.
  if (draft.model.wantsSignatures && made.length > 0 && made[0]!.thoughtSignature === undefined) made[0]!.thoughtSignature = STAND_IN;
  parts.push(...made);
  return parts;
}

function callPart(call: unknown, path: string, calls: Calls, signatures: ReadonlyMap<string, string>, draft: Draft): Part | null {
  const named = isObject(call) && isObject(call.function) ? call.function : null;
  if (named === null || typeof named.name !== 'string' || ((call as Record<string, unknown>).type ?? 'function') !== 'function') {
    refuse(draft, unsupportedValue(path, 'Only calls of functions can be sent here.'));
    return null;
  }
  for (const name of unread(call as Record<string, unknown>, CALL)) draft.dropped.add(name);
  const id = nonEmpty((call as Record<string, unknown>).id);
  const functionCall: Record<string, unknown> = { name: named.name, args: argumentsOf(named.arguments, `${path}.function.arguments`, draft) };
  const order = calls.count++;
  if (id !== null) calls.known.set(id, { name: named.name, order });
  const part: Part = { functionCall: id === null ? functionCall : { id, ...functionCall } };
  const signature = callSignature(call as Record<string, unknown>) ?? (id === null ? undefined : signatures.get(id));
  if (signature !== undefined) part.thoughtSignature = signature;
  return part;
}

/** `index` is how a streamed call was told from the others. */
const CALL = new Set(['id', 'type', 'function', 'index', 'extra_content']);

/** Arguments as the object that Gemini wants. Broken JSON is never repaired. */
function argumentsOf(text: unknown, path: string, draft: Draft): Record<string, unknown> {
  if (isAbsent(text) || text === '') return {};
  if (isObject(text)) return text;
  const args = typeof text === 'string' ? objectIn(text) : null;
  if (args !== null) return args;
  refuse(draft, unsupportedValue(path, 'The arguments of a call must be the JSON text of an object.'));
  return {};
}

/** The signatures that an earlier answer of Google's came with; those of other providers mean nothing here. */
function readDetails(details: unknown, draft: Draft): { ofText: string[]; ofCalls: Map<string, string> } {
  const found = { ofText: [] as string[], ofCalls: new Map<string, string>() };
  if (!Array.isArray(details)) return found;
  for (const detail of details) {
    const data = isObject(detail) && detail.format === SIGNATURE_FORMAT ? (nonEmpty(detail.signature) ?? nonEmpty(detail.data)) : null;
    if (data === null) draft.dropped.add('reasoning_details');
    else if (nonEmpty((detail as Record<string, unknown>).id) !== null) found.ofCalls.set((detail as { id: string }).id, data);
    else found.ofText.push(data);
  }
  return found;
}
