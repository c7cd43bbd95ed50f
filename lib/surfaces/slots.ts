import type { TextSlot } from '../wire';

type Place = Pick<TextSlot, 'message' | 'role' | 'toolCallId' | 'locked'>;

/** The texts of one content: itself where it is a string, else those of its parts that are text. Every API calls their member `text`. */
export function partSlots(content: unknown, path: readonly (string | number)[], place: Place): TextSlot[] {
  if (typeof content === 'string') return [{ ...place, text: content, path }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, at) => (isRecord(part) && typeof part.text === 'string' && isText(part.type) ? [{ ...place, text: part.text, path: [...path, at, 'text'] }] : []));
}

const isText = (type: unknown): boolean => type === 'text' || type === 'input_text' || type === 'output_text';

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

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
