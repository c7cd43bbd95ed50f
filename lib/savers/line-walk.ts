const TAB = 9;
const SPACE = 32;
const GREATER = 62;
const BACKTICK = 96;
const TILDE = 126;

/**
 * Tells code from prose, line by line: fences of backticks or tildes (CommonMark 0.31, section 4.5), lines that are
 * indented, lines that are quoted. Lines are places in the text, so that nothing is copied.
 */
export class LineWalk {
  private fenceMark = 0;
  private fenceLength = 0;

  constructor(private readonly text: string) {}

  /** A fence was opened and is not closed yet. */
  get isFenced(): boolean {
    return this.fenceMark !== 0;
  }

  /** What the line from `start` to `end` (its line feed) is. */
  next(start: number, end: number): 'prose' | 'verbatim' | 'fence' {
    const first = this.text.charCodeAt(start);
    const mayFence = first === BACKTICK || first === TILDE || first === SPACE;
    if (this.fenceMark !== 0) return mayFence && this.closes(start, end) ? 'fence' : 'verbatim';
    if (mayFence && this.opens(start, end)) return 'fence';
    if (first === GREATER || first === TAB) return first === GREATER || this.hasWord(start, end) ? 'verbatim' : 'prose';
    return first === SPACE && this.text.startsWith('    ', start) && end >= start + 4 && this.hasWord(start, end) ? 'verbatim' : 'prose';
  }

  private opens(start: number, end: number): boolean {
    const at = this.mark(start, end);
    const mark = this.text.charCodeAt(at);
    const length = this.runLength(at, end, mark);
    if ((mark !== BACKTICK && mark !== TILDE) || length < 3) return false;
    this.fenceMark = mark;
    this.fenceLength = length;
    return true;
  }

  private closes(start: number, end: number): boolean {
    const at = this.mark(start, end);
    const length = this.runLength(at, end, this.fenceMark);
    if (length < this.fenceLength || this.text.slice(at + length, end).trim() !== '') return false;
    this.fenceMark = 0;
    return true;
  }

  /** Behind at most three spaces. */
  private mark(start: number, end: number): number {
    let at = start;
    while (at < end && at < start + 3 && this.text.charCodeAt(at) === SPACE) at++;
    return at;
  }

  private runLength(from: number, end: number, mark: number): number {
    let at = from;
    while (at < end && this.text.charCodeAt(at) === mark) at++;
    return at - from;
  }

  private hasWord(start: number, end: number): boolean {
    let at = start;
    while (at < end && isSpace(this.text.charCodeAt(at))) at++;
    return at < end;
  }
}

/** A space, a tab or a carriage return. */
export const isSpace = (code: number): boolean => code === SPACE || code === TAB || code === 13;
