import { CARRIED_MARK, isObject, replaceMembers } from '../../wire';
import type { OwnText } from '../surface';
import { itemsOf } from './values';

/**
 * What other wires' tiers signed in earlier turns: only they can read it, and a tier of this API would refuse it. It
 * came to the client inside reasoning items and calls that this surface wrote.
 */
export function ownText(text: string, body: Record<string, unknown>): OwnText | null {
  if (!text.includes(CARRIED_MARK) && !text.includes('"extra_content"')) return null;
  const items = itemsOf(body.input);
  if (!items.some((item) => isForeign(item) || isMarked(item))) return null;
  const cleaned = items.filter((item) => !isForeign(item)).map((item) => (isMarked(item) ? withoutMark(item) : item));
  return { text: replaceMembers(text, { input: JSON.stringify(cleaned) }), dropped: ['reasoning'] };
}

const isForeign = (item: Record<string, unknown>): boolean => item.type === 'reasoning' && typeof item.encrypted_content === 'string' && item.encrypted_content.startsWith(CARRIED_MARK);
const isMarked = (item: Record<string, unknown>): boolean => item.type === 'function_call' && isObject(item.extra_content);

function withoutMark({ extra_content: _signature, ...item }: Record<string, unknown>): Record<string, unknown> {
  return item;
}
