import { isSpace, LineWalk } from './line-walk';
import type { Saver } from './saver';

/**
 * Runs of blank lines become one, and trailing spaces go, in prose. A blank line within a string of code, or a space
 * at the end of a patch's line, means something, and code comes without fences too: a text with a single line that
 * may be anything but prose stays as it is.
 */
export const blankLines: Saver = {
  id: 'blank-lines',
  label: 'Blank lines and trailing spaces',
  promise: 'Turns runs of blank lines into one and takes trailing spaces off, in texts of prose.',
  never: 'Fenced code, quoted lines, the two spaces that break a line in Markdown, and any text with a line outside of them that may be code, a patch or data.',
  lossless: true,
  keepsJson: true,
  takes: (slot) => slot.role !== 'tool',
  rewrite(text) {
    if (!MAY_CHANGE.test(text) || /^\s*(?:[{[<]|$)/.test(text)) return text; // tidy, data, or nothing at all
    const walk = new LineWalk(text);
    const out = new Copy(text);
    let blanks = 0;
    let afterQuote = false;
    for (let start = 0; start <= text.length; ) {
      const feed = text.indexOf('\n', start);
      const end = feed === -1 ? text.length : feed;
      const kind = walk.next(start, end);
      if (kind !== 'prose') {
        if (kind === 'verbatim' && !walk.isFenced && text[start] !== '>') return text; // indented
        afterQuote = !walk.isFenced && kind === 'verbatim';
        blanks = 0;
      } else {
        const trimmed = trimmedEnd(text, start, end);
        if (trimmed > start) {
          if (mayBeOther(text.slice(start, trimmed)) || ODD_SPACE.test(text.slice(trimmed, end))) return text;
          withoutTrailing(out, text, trimmed, end);
          afterQuote = false;
          blanks = 0;
        } else if (blanks++ === 0 || afterQuote) out.drop(start, end);
        else out.dropLine(start, end);
      }
      start = end + 1;
    }
    return walk.isFenced ? text : out.done(); // a fence too many: perhaps others were taken for their counterparts
  },
};

/** May this line, not fenced and without its trailing white space, be part of code, a patch or data? */
function mayBeOther(line: string): boolean {
  const plain = line.includes('`') ? line.replace(CODE_SPAN, '') : line;
  return SIGNS.test(plain) || (ANY_QUOTE.test(plain) && oddNumberOf(QUOTES, plain));
}

/** What stands in backticks within one line cannot reach beyond it. */
const CODE_SPAN = /(?<!`)`[^`]+`(?!`)/g;

/**
 * An indented line; characters and words of code, markup and patches; a comma before a word, and
 * columns, as in data; a quotation that `'` begins, which may go on in the next line.
 */
const SIGNS = /^\s|[`={}<>|\\$@\t\r^]|~~~|"{3}|\[\[|;(?! \S)|,\S|[A-Za-z0-9_\u00aa-\uffff][([]|\S {3}|^[+-](?! )|(?:^|[ (:[])'/;
/** Tabs, whose cells are empty, and carriage returns that end lines by themselves. */
const ODD_SPACE = /\t|\r(?!$)/;
const QUOTES = /["“”„«»]/g;
const ANY_QUOTE = /["“”„«»]/;

const oddNumberOf = (pattern: RegExp, text: string): boolean => (text.match(pattern)?.length ?? 0) % 2 === 1;

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
