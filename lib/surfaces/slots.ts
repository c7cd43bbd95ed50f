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
 * Which texts a cache mark leaves alone. Two things are wanted: nothing before a mark changes, and a conversation that
 * grows begins with what it was sent as before. Clients move their marks along with its end, so a text behind the mark
 * stands before it a turn later: rewritten now, it would have to be left alone then. Therefore a mark among the
 * messages leaves all of them alone, and no rule that goes by the request could rewrite one more; prompt-cache.test.ts
 * goes through all of them. A mark on a system prompt stays where it is: all up to it is left alone.
 *
 * A message with a signature or reasoning is locked by itself, the parts before it included. The messages before it
 * are not: the one that answers them was not written when they were sent, and they must not change once it is.
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
