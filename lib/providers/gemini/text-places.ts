/** Google counts places in UTF-8 bytes within one part; everybody else in characters of the whole text. */
export interface TextPlaces {
  /** The answer's text goes on, in this part of its content. */
  add(text: string, part: number): void;
  /**
   * The place of a byte of a part, in UTF-16 code units of the whole text, as a JavaScript string counts. Null where
   * no character begins or the text ends, where nothing of that part is known, and beyond what is kept.
   */
  at(byte: number, part: number): number | null;
}

/** A stretch of the text: `text` is null where every character is one byte, and there is nothing to look up. */
interface Stretch {
  firstByte: number;
  firstUnit: number;
  bytes: number;
  units: number;
  text: string | null;
}

/**
 * Plain ASCII is not kept at all, other text in stretches that are short enough to be looked through for each place:
 * a place costs a search among them and one walk, however often an upstream names places.
 */
export function textPlaces(): TextPlaces {
  const stretches: Stretch[] = [];
  /** The first byte of each part, of as many as anybody names. */
  const parts = new Map<number, number>();
  let bytes = 0;
  let units = 0;
  let kept = 0;

  function add(text: string, part: number): void {
    if (kept >= MOST_KEPT) return;
    if (!parts.has(part) && parts.size < MOST_PARTS) parts.set(part, bytes);
    if (ASCII.test(text)) return addAscii(text);
    for (let from = 0; from < text.length && kept < MOST_KEPT; ) {
      let to = Math.min(from + STRETCH, text.length);
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
      addOther(text.slice(from, to));
      from = to;
    }
  }

  function addAscii(text: string): void {
    const last = stretches.at(-1);
    if (last === undefined || (last.text !== null && last.units + text.length > STRETCH)) return push(text.length, text.length, null);
    if (last.text !== null) {
      last.text += text;
      kept += text.length;
    }
    grow(last, text.length, text.length);
  }

  function addOther(text: string): void {
    const last = stretches.at(-1);
    kept += text.length;
    const length = Buffer.byteLength(text);
    if (last === undefined || last.text === null || last.units + text.length > STRETCH) return push(length, text.length, text);
    last.text += text;
    grow(last, length, text.length);
  }

  function push(byteLength: number, unitLength: number, text: string | null): void {
    stretches.push({ firstByte: bytes, firstUnit: units, bytes: byteLength, units: unitLength, text });
    bytes += byteLength;
    units += unitLength;
  }

  function grow(last: Stretch, byteLength: number, unitLength: number): void {
    last.bytes += byteLength;
    last.units += unitLength;
    bytes += byteLength;
    units += unitLength;
  }

  function at(byte: number, part: number): number | null {
    // A part that is not text, such as a thought before it, is what is left out for zero: then the whole text is meant.
    const first = parts.get(part) ?? (part === 0 ? 0 : null);
    if (first === null) return null;
    const wanted = first + byte;
    if (wanted === bytes) return units;
    const stretch = stretchOf(wanted);
    if (stretch === null) return null;
    const inside = wanted - stretch.firstByte;
    const unit = stretch.text === null ? inside : unitAt(stretch.text, inside);
    return unit === null ? null : stretch.firstUnit + unit;
  }

  function stretchOf(byte: number): Stretch | null {
    let [low, high] = [0, stretches.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const stretch = stretches[middle]!;
      if (byte < stretch.firstByte) high = middle - 1;
      else if (byte >= stretch.firstByte + stretch.bytes) low = middle + 1;
      else return stretch;
    }
    return null;
  }

  return { add, at };
}

/** UTF-16 code units. */
const STRETCH = 1_024;
const MOST_KEPT = 1_048_576;
const MOST_PARTS = 1_000;

const ASCII = /^[\x00-\x7f]*$/;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function unitAt(text: string, byte: number): number | null {
  let passed = 0;
  for (let unit = 0; unit < text.length; ) {
    if (passed >= byte) return passed === byte ? unit : null;
    const point = text.codePointAt(unit)!;
    passed += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
    unit += point < 0x1_0000 ? 1 : 2;
  }
  return null;
}
