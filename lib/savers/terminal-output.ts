import { isToolResult, type Saver } from './saver';

/** What a terminal would show: colours gone, and of a line that was overwritten only what was left standing. */
export const terminalOutput: Saver = {
  id: 'terminal-output',
  label: 'Terminal output',
  promise: 'Takes escape sequences out of tool output, and keeps of a progress display what a terminal would show in the end.',
  never: 'Text outside of tool results; line ends, a lone carriage return among them, unless a progress display was written over itself there.',
  lossless: true,
  keepsJson: true,
  takes: isToolResult,
  rewrite(text) {
    const mayOverwrite = text.includes('\n'); // else a carriage return is the only line end that there is
    let out = '';
    let copied = 0;
    let next = nextControl(text, 0);
    while (next < text.length) {
      const start = text.lastIndexOf('\n', next) + 1;
      const feed = text.indexOf('\n', next);
      const end = feed === -1 ? text.length : feed;
      const line = text.slice(start, end);
      const made = shown(line, mayOverwrite);
      if (made !== line) {
        out += text.slice(copied, start) + made;
        copied = end;
      }
      next = nextControl(text, end);
    }
    return copied === 0 ? text : out + text.slice(copied);
  },
};

const CONTROL = /[\x1b\x08]|\r(?!\n)/g;

/** Where the first character stands that does more than to be shown; the text's length where there is none. */
function nextControl(text: string, from: number): number {
  CONTROL.lastIndex = from;
  return CONTROL.exec(text)?.index ?? text.length;
}

/** One line of output, after its overwriting. A carriage return at its end belongs to the line's end. */
function shown(line: string, mayOverwrite: boolean): string {
  const ended = line.endsWith('\r');
  const source = ended ? line.slice(0, -1) : line;
  return standing(source, mayOverwrite) + (ended ? '\r' : '');
}

/** Files whose lines end in carriage returns look like a progress display: only what is surely one is overwritten. */
function standing(source: string, mayOverwrite: boolean): string {
  if (!source.includes('\r')) return ofTerminal(source);
  const raw = source.split('\r');
  const pieces = /[\x1b\b]/.test(source) ? raw.map(ofTerminal) : raw;
  return mayOverwrite && isOneDisplay(pieces, raw) ? ofTerminal(source) : pieces.join('\r');
}

/** May each piece be written over the one before it? Over a blank one, where the line was erased, and where both are states of one display. */
function isOneDisplay(pieces: readonly string[], raw: readonly string[]): boolean {
  let before = displayed(pieces[0]!);
  for (let at = 1; at < pieces.length; at++) {
    const now = displayed(pieces[at]!);
    const mayGo = before === BLANK || ERASES_FIRST.test(raw[at]!) || (before !== null && (now === BLANK || now === before));
    if (!mayGo) return false;
    before = now;
  }
  return true;
}

/** The first word beside a percentage or a spinner, where there is nothing that JSON, tables or code are made of; null for what is no state of a display. */
function displayed(piece: string): string | null {
  if (!PROGRESS.test(piece)) return /[^ ]/.test(piece) ? null : BLANK;
  if (OTHER.test(piece) && OTHER.test(piece.replace(BAR, ''))) return null;
  return FIRST_WORD.exec(piece)?.[0] ?? '';
}

const BLANK = ' ';
const ERASES_FIRST = /^\x1b\[[02]?K/;
const PROGRESS = /\d ?%|[\u2800-\u28ff]/;
const OTHER = /["{}\t;|=]|,\S/;
/** As tqdm (`40%|####  |`), wget and pip draw it. */
const BAR = /\|[^|a-zA-Z"]*\||\[[=#>. -]*\]/g;
/** Letters of any script; the signs of spinners are none. */
const FIRST_WORD = /[A-Za-z\u00c0-\u1fff\u2c00-\ud7ff\uf900-\uffff]+/;

function ofTerminal(source: string): string {
  const plain = withoutEscapes(source);
  return plain === null ? replayed(source) : overwritten(plain);
}

/** Escape sequences gone; null where one of them, or something else, moves or erases within the line. */
function withoutEscapes(line: string): string | null {
  if (line.includes('\b') || (line.includes('\r') && /[\ud800-\udbff]/.test(line))) return null;
  let out = '';
  let copied = 0;
  for (let at = line.indexOf('\x1b'); at !== -1; at = line.indexOf('\x1b', copied)) {
    const end = escapeEnd(line, at);
    if (erases(line, at, end)) return null;
    out += line.slice(copied, at);
    copied = end;
  }
  return copied === 0 ? line : out + line.slice(copied);
}

/** Of pieces between carriage returns, each over the one before it: what is left standing. */
function overwritten(line: string): string {
  if (!line.includes('\r')) return line;
  let standing = '';
  for (let end = line.length; end > 0; ) {
    const start = line.lastIndexOf('\r', end - 1) + 1;
    if (end - start > standing.length) standing += line.slice(start + standing.length, end);
    end = start - 1;
  }
  return standing;
}

/** The same, character by character: every character is written once. */
function replayed(source: string): string {
  const line: Line = { cells: [], column: 0, blank: 0 };
  for (let at = 0; at < source.length; ) {
    const code = source.charCodeAt(at);
    if (code === 0x1b) {
      const end = escapeEnd(source, at);
      if (erases(source, at, end)) erase(line, source.slice(at + 2, end - 1));
      at = end;
      continue;
    }
    if (code === 0x0d) line.column = 0;
    else if (code === 0x08) line.column = Math.max(0, line.column - 1);
    else {
      const wide = isHigh(code) && isLow(source.charCodeAt(at + 1)); // a pair stays together
      write(line, wide ? source.slice(at, at + 2) : source[at]!);
      if (wide) at++;
    }
    at++;
  }
  return line.cells.join('');
}

interface Line {
  cells: string[];
  /** Of the cursor: never beyond the cells. */
  column: number;
  /** So many cells at the beginning are blank: not to be erased again for every sequence that says so. */
  blank: number;
}

function write(line: Line, character: string): void {
  line.blank = Math.min(line.blank, line.column);
  line.cells[line.column++] = character;
}

/** `CSI n K`, ECMA-48 8.3.41: 0 to the end, 1 to the cursor, 2 the whole line. */
function erase(line: Line, parameter: string): void {
  const { cells, column } = line;
  if (parameter === '' || parameter === '0' || parameter === '2') cells.length = column;
  if (parameter === '1' || parameter === '2') {
    for (; line.blank < column; line.blank++) cells[line.blank] = ' ';
  }
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const erases = (text: string, at: number, end: number): boolean => text[end - 1] === 'K' && text[at + 1] === '[';

/** Behind the escape sequence that begins at `at` (ECMA-48: CSI 5.4, OSC 8.3.89); behind its first character where it is none. */
function escapeEnd(text: string, at: number): number {
  const kind = text[at + 1];
  let end = at + 2;
  if (kind === '[') {
    while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) <= 0x3f) end++;
    return Math.min(end + 1, text.length);
  }
  if (kind === ']') {
    while (end < text.length && text.charCodeAt(end) !== 0x07 && text.charCodeAt(end) !== 0x1b) end++;
    return text.charCodeAt(end) === 0x1b && text[end + 1] === '\\' ? end + 2 : Math.min(end + 1, text.length);
  }
  if (kind === '(' || kind === ')') return Math.min(at + 3, text.length);
  return Math.min(end, text.length);
}
