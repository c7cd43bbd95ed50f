/**
 * Recognises deltas that are like one seen before in everything but their text. Of a stream's events nearly all are:
 * another word in `text`, and some spaces of padding before the last brace. What such an event means is known without
 * parsing it whole.
 *
 * Sound, not a guess: what stands before the text is, character by character, what stood before it in an event that
 * was parsed; behind it come its quote and the two braces; and the text itself is a valid JSON string.
 */
export interface LikeDeltas {
  /** The text of an event that is like the known one, else null: then it has to be parsed. */
  textOf(data: string): string | null;
  /**
   * `data` was parsed, and is one piece of text and nothing else. `check` parses: the text of such an event, null for
   * any other. True when events like it are known from now on.
   */
  learn(data: string, check: (data: string) => string | null): boolean;
  forget(): void;
}

export function likeDeltas(): LikeDeltas {
  let before = '';

  return {
    textOf(data) {
      if (before === '' || data.length <= before.length || data.slice(0, before.length) !== before) return null;
      const end = textEnd(data);
      if (end <= before.length) return null;
      const text = data.slice(before.length, end);
      return PLAIN.test(text) ? text : unescaped(data.slice(before.length - 1, end + 1));
    },
    learn(data, check) {
      const end = textEnd(data);
      const start = end === -1 ? -1 : textStart(data);
      if (start === -1 || start > end) return false;
      const head = data.slice(0, start);
      // Is this the place that the text came from? Another word in it must be read as that word.
      if (check(`${head}${PROBE}"}}`) !== PROBE) return false;
      before = copied(head);
      return true;
    },
    forget() {
      before = '';
    },
  };
}

/** Index of the quote that ends the text, when the event ends in it and two braces; else -1. */
function textEnd(data: string): number {
  let at = lastInk(data, data.length - 1);
  for (let braces = 0; braces < 2; braces++) {
    if (data.charCodeAt(at) !== CLOSE_BRACE) return -1;
    at = lastInk(data, at - 1);
  }
  return data.charCodeAt(at) === QUOTE ? at : -1;
}

/** The last place at or before `at` that holds no JSON white space. */
function lastInk(data: string, at: number): number {
  for (;;) {
    const code = data.charCodeAt(at);
    if (code !== SPACE && code !== TAB && code !== LF && code !== CR) return at;
    at--;
  }
}

/** One past the opening quote of the text. */
function textStart(data: string): number {
  const key = KEY.exec(data);
  return key === null ? -1 : key.index + key[0].length;
}

/** Inside a string its quotes would be escaped: where it stands, it is a key with a string. */
const KEY = /"(?:text|thinking|partial_json)"\s*:\s*"/;
const PROBE = 'another word';
const PLAIN = /^[^"\\\x00-\x1f]+$/;
const [TAB, LF, CR, SPACE, QUOTE, CLOSE_BRACE] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x7d];

/** The string behind its JSON spelling, null when it is none. */
function unescaped(json: string): string | null {
  try {
    return (JSON.parse(json) as string) || null;
  } catch {
    return null; // a quote of its own: not one string
  }
}

/** A slice would keep the whole read alive that it was cut from, for as long as the stream is open. */
const copied = (slice: string): string => Buffer.from(slice).toString();
