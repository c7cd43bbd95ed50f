/**
 * Recognises text deltas that are like one seen before in everything but their sequence number, their text and their
 * padding (`obfuscation`). Nearly all events of an answer are: what such a one means is known without parsing it, and
 * parsing would be most of the work on a stream.
 *
 * Sound, not a guess: what stands around the three was part of valid JSON, the number is one that JSON knows, and the
 * strings hold no quote, backslash or control character. Everything else is parsed.
 */
export interface LikeDeltas {
  /** The text of a delta that is like the known one, else null: then it has to be parsed. */
  textOf(data: string): string | null;
  /** `data` was parsed as `value`, and is a text delta and nothing else. */
  learn(data: string, value: Record<string, unknown>): void;
}

export function likeDeltas(): LikeDeltas {
  let head: string | null = null;
  let middle = '';
  let tail = '';
  let padded = false;

  function textOf(data: string): string | null {
    if (head === null || data.slice(0, head.length) !== head) return null;
    let at = head.length;
    while (isDigit(data.charCodeAt(at))) at++;
    if (at === head.length || (at > head.length + 1 && data.charCodeAt(head.length) === ZERO)) return null;
    if (data.slice(at, at + middle.length) !== middle) return null;
    const start = at + middle.length;
    const end = data.indexOf('"', start);
    if (end <= start) return null;
    const text = data.slice(start, end);
    if (!PLAIN.test(text)) return null;
    if (!padded) return data.slice(end) === tail ? text : null;
    const rest = end + tail.length;
    if (data.slice(end, rest) !== tail || data.slice(-CLOSE.length) !== CLOSE) return null;
    return rest + CLOSE.length === data.length || PLAIN.test(data.slice(rest, -CLOSE.length)) ? text : null;
  }

  function learn(data: string, value: Record<string, unknown>): void {
    const number = data.indexOf(SEQUENCE) + SEQUENCE.length;
    const text = data.indexOf(DELTA) + DELTA.length;
    const textEnd = data.indexOf('"', text);
    if (number < SEQUENCE.length || text < number || textEnd === -1) return;
    let numberEnd = number;
    while (isDigit(data.charCodeAt(numberEnd))) numberEnd++;
    const padding = data.indexOf(PADDING, textEnd) + PADDING.length;
    padded = padding > textEnd + PADDING.length && data.endsWith(CLOSE);
    head = copied(data.slice(0, number));
    middle = copied(data.slice(numberEnd, text));
    tail = copied(padded ? data.slice(textEnd, padding) : data.slice(textEnd));
    // Are these the places that the values came from? Others in them must be read as those.
    if (!isLike(`${head}7${middle}${PROBE}${tail}${padded ? PROBE + CLOSE : ''}`, value, padded)) head = null;
  }

  return { textOf, learn };
}

const SEQUENCE = '"sequence_number":';
/** Inside a string its quotes would be escaped: where it stands, it is a key with a string. */
const DELTA = '"delta":"';
const PADDING = '"obfuscation":"';
const CLOSE = '"}';
const PROBE = 'another word';
const PLAIN = /^[^"\\\x00-\x1f]+$/;
const ZERO = 48;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Does the text, with other values in the three places, differ from `value` in these three members alone? */
function isLike(text: string, value: Record<string, unknown>, padded: boolean): boolean {
  const expected = { ...value, sequence_number: 7, delta: PROBE, ...(padded ? { obfuscation: PROBE } : {}) };
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(expected);
  } catch {
    return false; // cut in the wrong places
  }
}

/** A slice would keep the whole read alive that it was cut from, for as long as the stream is open. */
const copied = (slice: string): string => Buffer.from(slice).toString();
