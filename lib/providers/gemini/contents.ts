import { isObject, unread, unsupported, unsupportedValue } from '../../wire';
import { assistantParts, type Calls } from './assistant';
import { type Draft, refuse } from './draft';
import { type Part, partsOf, TEXT_ONLY, USER_PARTS } from './parts';
import { toolResponse } from './tool-response';

export interface Contents {
  systemInstruction: { parts: Part[] } | null;
  contents: { role: 'user' | 'model'; parts: Part[] }[];
}

/**
 * The conversation: instructions that lead it become the system instruction, results of tools one content in the
 * order of their calls. What Gemini has no place for (a later instruction, a prefilled answer) is refused.
 */
export function contentsOf(messages: unknown, draft: Draft): Contents {
  const system: Part[] = [];
  const contents: Contents['contents'] = [];
  const calls: Calls = { known: new Map(), count: 0, lastLegacy: null };
  let results: { order: number; part: Part }[] = [];
  const flush = () => {
    if (results.length === 0) return;
    contents.push({ role: 'user', parts: results.sort((a, b) => a.order - b.order).map(({ part }) => part) });
    results = [];
  };

  const list: unknown[] = Array.isArray(messages) ? messages : [];
  for (const [index, message] of list.entries()) {
    const path = `messages[${index}]`;
    if (!isObject(message)) {
      refuse(draft, unsupportedValue(path, 'A message must be an object.'));
      continue;
    }
    noteHints(message, draft);
    if (message.role === 'tool' || message.role === 'function') {
      results.push(toolResponse(message, path, calls, draft));
      continue;
    }
    flush();
    if (message.role === 'system' || message.role === 'developer') {
      if (contents.length > 0) refuse(draft, unsupportedValue(`${path}.role`, 'An instruction in the middle of a conversation has no place here; only the first messages may be instructions.'));
      for (const part of partsOf(message.content, TEXT_ONLY, `${path}.content`, draft)) system.push(part);
    } else if (message.role === 'user') {
      contents.push({ role: 'user', parts: orEmpty(partsOf(message.content, USER_PARTS, `${path}.content`, draft)) });
    } else if (message.role === 'assistant') {
      contents.push({ role: 'model', parts: orEmpty(assistantParts(message, path, calls, draft)) });
    } else {
      refuse(draft, unsupportedValue(`${path}.role`, 'This role is not known here.'));
    }
  }
  flush();
  if (contents.length === 0) refuse(draft, unsupported('messages', 'A conversation of instructions alone cannot be sent here: there must be a message to answer.'));
  if (contents.at(-1)?.role === 'model') refuse(draft, unsupportedValue(`messages[${list.length - 1}].role`, 'An answer that was begun for the model cannot be continued here: it would start a new one.'));
  return { systemInstruction: system.length === 0 ? null : { parts: system }, contents };
}

/** Members of a message that are lost, such as `name`; in front of a function's result it says which function it was. */
function noteHints(message: Record<string, unknown>, draft: Draft): void {
  for (const name of unread(message, READ, message.role === 'function' ? 'name' : undefined)) draft.dropped.add(name);
}

const READ = new Set(['role', 'content', 'refusal', 'tool_calls', 'tool_call_id', 'function_call', 'reasoning_details', 'audio']);

/** A content without any part is rejected; one empty text is left to the provider's judgement. */
const orEmpty = (parts: Part[]): Part[] => (parts.length === 0 ? [{ text: '' }] : parts);
