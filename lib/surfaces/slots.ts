import { isObject, type TextSlot } from '../wire';

type Place = Pick<TextSlot, 'message' | 'role' | 'toolCallId' | 'locked'>;

/** The texts of one content: itself where it is a string, else those of its parts that are text. Every API calls their member `text`. */
export function partSlots(content: unknown, path: readonly (string | number)[], place: Place): TextSlot[] {
  if (typeof content === 'string') return [{ ...place, text: content, path }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, at) => (isObject(part) && typeof part.text === 'string' && isText(part.type) ? [{ ...place, text: part.text, path: [...path, at, 'text'] }] : []));
}

/** Where a cache mark stands. */
export interface CacheMark {
  message: number;
  role: TextSlot['role'];
}

/**
 * Nothing before a cache mark may change, nor between two turns of a conversation: clients move their marks along with
 * its end, and a message that is left alone while it is marked must not be rewritten once the mark has moved on. So a
 * mark among the messages leaves all of them alone, and one on a system prompt, which stays where it is, all up to it.
 */
export function withMarks(slots: TextSlot[], marks: readonly CacheMark[]): TextSlot[] {
  if (marks.length === 0) return slots;
  const upTo = marks.some(({ role }) => role !== 'system') ? Number.POSITIVE_INFINITY : Math.max(...marks.map(({ message }) => message));
  return slots.map((slot) => (slot.locked || slot.message > upTo ? slot : { ...slot, locked: true }));
}

const isText = (type: unknown): boolean => type === 'text' || type === 'input_text' || type === 'output_text';

/** The body with some of its texts replaced: `texts` by position in the list of slots. What leads to none of them is shared with the old one. */
export function withTexts(body: Readonly<Record<string, unknown>>, slots: readonly TextSlot[], texts: ReadonlyMap<number, string>): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...body };
  const copied = new Set<object>([copy]);
  for (const [at, text] of texts) {
    const path = slots[at]!.path;
    let holder: Record<string | number, unknown> = copy;
    for (const step of path.slice(0, -1)) {
      let next = holder[step] as Record<string | number, unknown>;
      if (!copied.has(next)) {
        next = (Array.isArray(next) ? [...next] : { ...next }) as Record<string | number, unknown>;
        copied.add(next);
        holder[step] = next;
      }
      holder = next;
    }
    holder[path.at(-1)!] = text;
  }
  return copy;
}
