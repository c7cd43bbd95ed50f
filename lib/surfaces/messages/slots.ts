import { isObject, type TextSlot } from '../../wire';
import { type CacheMark, partSlots, withMarks } from '../slots';

/** The texts of a Messages request: the system prompt, contents, text blocks, and the texts of tool results. */
export function messageSlots(body: Readonly<Record<string, unknown>>): TextSlot[] {
  const slots = partSlots(body.system, ['system'], { message: 0, role: 'system', toolCallId: null, locked: false });
  const marks: CacheMark[] = Array.isArray(body.system) && body.system.some(isMarked) ? [{ message: 0, role: 'system' }] : [];
  if (body.cache_control != null) marks.push(AT_THE_END);
  if (!Array.isArray(body.messages)) return withMarks(slots, marks);
  for (const [at, each] of (body.messages as unknown[]).entries()) {
    if (!isObject(each)) continue;
    const role: TextSlot['role'] = each.role === 'assistant' ? 'assistant' : each.role === 'system' ? 'system' : 'user';
    const path = ['messages', at, 'content'];
    const place = { message: at + 1, role, toolCallId: null, locked: Array.isArray(each.content) && each.content.some(isThinking) };
    if (Array.isArray(each.content) && each.content.some(isMarked)) marks.push({ message: at + 1, role });
    slots.push(...partSlots(each.content, path, place));
    if (!Array.isArray(each.content)) continue;
    for (const [block, part] of (each.content as unknown[]).entries()) {
      if (!isObject(part) || part.type !== 'tool_result') continue;
      slots.push(...partSlots(part.content, [...path, block, 'content'], { ...place, role: 'tool', toolCallId: String(part.tool_use_id ?? '') }));
    }
  }
  return withMarks(slots, marks);
}

/** A mark on the request itself: the provider puts it on the last block, turn after turn. */
const AT_THE_END: CacheMark = { message: Number.POSITIVE_INFINITY, role: 'user' };

/** Thinking, which its provider wants back as it was. */
const isThinking = (block: unknown): boolean => isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');

/** A cache mark, also within a tool's result. */
function isMarked(block: unknown): boolean {
  if (!isObject(block)) return false;
  if (block.cache_control != null) return true;
  return Array.isArray(block.content) && block.content.some(isMarked);
}
