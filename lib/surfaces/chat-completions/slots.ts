import { isObject, type TextSlot } from '../../wire';
import { type CacheMark, partSlots, withMarks } from '../slots';

/** The texts of a chat request: contents that are strings, and the text parts of those that are lists. */
export function chatSlots(body: Readonly<Record<string, unknown>>): TextSlot[] {
  const slots: TextSlot[] = [];
  const marks: CacheMark[] = [];
  if (!Array.isArray(body.messages)) return slots;
  for (const [message, each] of (body.messages as unknown[]).entries()) {
    if (!isObject(each)) continue;
    const role = ROLES[String(each.role)];
    if (role === undefined) continue;
    if (isMarked(each)) marks.push({ message, role });
    const toolCallId = role === 'tool' ? String(each.tool_call_id ?? each.name ?? '') : null;
    slots.push(...partSlots(each.content, ['messages', message, 'content'], { message, role, toolCallId, locked: isLocked(each) }));
  }
  return withMarks(slots, marks);
}

const ROLES: Record<string, TextSlot['role']> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool', function: 'tool' };

/** Marked for a cache. */
function isMarked(message: Record<string, unknown>): boolean {
  if (message.cache_control != null) return true;
  return Array.isArray(message.content) && message.content.some((part) => isObject(part) && (part.prompt_cache_breakpoint != null || part.cache_control != null));
}

/** Carrying reasoning that its provider wants back as it was. */
function isLocked(message: Record<string, unknown>): boolean {
  if (['reasoning_content', 'reasoning', 'reasoning_details'].some((member) => message[member] != null)) return true;
  return Array.isArray(message.tool_calls) && message.tool_calls.some((call) => isObject(call) && call.extra_content != null);
}
