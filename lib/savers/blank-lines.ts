import { isSpace, LineWalk } from './line-walk';
import type { Saver } from './saver';

/** Runs of blank lines become one, and trailing spaces go, in prose. */
export const blankLines: Saver = {
  id: 'blank-lines',
  label: 'Blank lines and trailing spaces',
  promise: 'Turns runs of blank lines into one and takes trailing spaces off, in prose.',
  never: 'Fenced or indented code, quoted lines, JSON, and the two spaces that break a line in Markdown.',
  lossless: true,
  keepsJson: true,
  takes: (slot) => slot.role !== 'tool',
  rewrite(text) {
    if (!MAY_CHANGE.test(text) || /^\s*(?:[{[<]|$)/.test(text)) return text; // tidy, data, or nothing at all
    const walk = new LineWalk(text);
    const out = new Copy(text);
    let blanks = 0;
    // Blank lines within indented code are part of it.
    let afterCode = false;
    for (let start = 0; start <= text.length; ) {
      const feed = text.indexOf('\n', start);
      const end = feed === -1 ? text.length : feed;
      const kind = walk.next(start, end);
      if (kind !== 'prose') {
        afterCode = kind === 'verbatim';
        blanks = 0;
      } else {
        const trimmed = trimmedEnd(text, start, end);
        if (trimmed > start) {
          withoutTrailing(out, text, trimmed, end);
          afterCode = false;
          blanks = 0;
        } else if (blanks++ === 0 || afterCode) out.drop(start, end);
        else out.dropLine(start, end);
      }
      start = end + 1;
    }
    return out.done();
  },
};

/** Trailing white space, or two blank lines in a row. Linear: a run of white space is looked at from its line's end or beginning only. */
const MAY_CHANGE = /[ \t](?:\r?\n|\r?$)|\n\r?\n\r?\n|\n\r?\n\r?$|^\r?\n\r?\n/;

function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Two spaces or more are a line break in Markdown: two of them stay. A carriage return stays too. */
function withoutTrailing(out: Copy, text: string, trimmed: number, end: number): void {
  const full = end > trimmed && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  if (full === trimmed) return;
  const hardBreak = full - trimmed >= 2 && text.charCodeAt(full - 1) === 32 && text.charCodeAt(full - 2) === 32;
  out.drop(trimmed, hardBreak ? full - 2 : full);
}

/** The text with parts left out. Parts are named in order. */
class Copy {
  private made = '';
  private copied = 0;

  constructor(private readonly text: string) {}

  drop(from: number, to: number): void {
    if (from === to) return;
    this.made += this.text.slice(this.copied, from);
    this.copied = to;
  }

  /** A line with the line feed that parts it from its neighbour. */
  dropLine(start: number, end: number): void {
    if (end < this.text.length) return this.drop(start, end + 1);
    if (this.copied < start) this.drop(start - 1, end);
    else this.made = this.made.replace(/\n$/, '');
    this.copied = end;
  }

  done(): string {
    return this.copied === 0 && this.made === '' ? this.text : this.made + this.text.slice(this.copied);
  }
}
