/**
 * Recognises frames that are like one seen before in everything but their text. Of an answer's frames nearly all
 * are: same members, same values, another word in `content`. What such a frame means is known without parsing it,
 * and parsing is a third of the engine's work on a stream.
 *
 * Sound, not a guess: what stands around the text was part of valid JSON, the text holds no quote, backslash or
 * control character, so the whole is valid JSON of the same shape. Everything else is parsed.
 */
export interface LikeFrames {
  /** The text of a frame that is like the known one, else null: then it has to be parsed. */
  textOf(data: string): string | null;
  /** The choice that the known frame belongs to. */
  readonly choice: number;
  /**
   * `data` was parsed, and is one piece of text of this choice and nothing else. `check` parses: the text of such
   * a frame, null for any other.
   */
  learn(data: string, choice: number, check: (data: string) => string | null): void;
}

export function likeFrames(): LikeFrames {
  return new Alike();
}

/** A class because every open stream has one. */
class Alike implements LikeFrames {
  choice = 0;
  private before: string | null = null;
  private after = '';

  textOf(data: string): string | null {
    const { before, after } = this;
    if (before === null || data.length <= before.length + after.length) return null;
    const end = data.length - after.length;
    // Slices that are compared whole: startsWith and endsWith go character by character.
    if (data.slice(0, before.length) !== before || data.slice(end) !== after) return null;
    const text = data.slice(before.length, end);
    return PLAIN.test(text) ? text : null;
  }

  learn(data: string, choice: number, check: (data: string) => string | null): void {
    const start = data.indexOf(KEY) + KEY.length;
    const end = data.indexOf('"', start);
    if (start < KEY.length || end === -1) return;
    const [head, tail] = [data.slice(0, start), data.slice(end)];
    // Is this the place that the text came from? Another word in it must be read as that word.
    if (check(head + PROBE + tail) !== PROBE) return;
    this.before = copied(head);
    this.after = copied(tail);
    this.choice = choice;
  }
}

/** Inside a string its quotes would be escaped: where it stands, it is a key with a string. */
const KEY = '"content":"';
const PROBE = 'another word';
const PLAIN = /^[^"\\\x00-\x1f]+$/;

/** A slice would keep the whole read alive that it was cut from, for as long as the stream is open. */
const copied = (slice: string): string => Buffer.from(slice).toString();
