import { isObject, type TextSlot } from '../../wire';
import { type CacheMark, partSlots, withMarks } from '../slots';

/** The texts of a Responses request: instructions, the input where it is a string, the contents of its messages, outputs of calls. */
export function inputSlots(body: Readonly<Record<string, unknown>>): TextSlot[] {
  const slots = partSlots(body.instructions, ['instructions'], { message: 0, role: 'system', toolCallId: null, locked: false });
  if (!Array.isArray(body.input)) return [...slots, ...partSlots(body.input, ['input'], { message: 1, role: 'user', toolCallId: null, locked: false })];
  const marks: CacheMark[] = [];
  for (const [at, item] of (body.input as unknown[]).entries()) {
    if (!isObject(item)) continue;
    const message = at + 1;
    if (item.type === 'function_call_output') {
      slots.push(...partSlots(item.output, ['input', at, 'output'], { message, role: 'tool', toolCallId: String(item.call_id ?? ''), locked: false }));
    } else if (item.type === undefined || item.type === 'message') {
      const role: TextSlot['role'] = item.role === 'assistant' ? 'assistant' : item.role === 'system' || item.role === 'developer' ? 'system' : 'user';
      if (Array.isArray(item.content) && item.content.some((part) => isObject(part) && part.prompt_cache_breakpoint != null)) marks.push({ message, role });
      slots.push(...partSlots(item.content, ['input', at, 'content'], { message, role, toolCallId: null, locked: false }));
    }
  }
  return withMarks(slots, marks);
}
