import { isToolResult, type Saver } from './saver';

/** Fewer would hardly be shorter as a count. */
const MIN_RUN = 3;

/** The same line over and over becomes that line and a count. */
export const logFold: Saver = {
  id: 'log-fold',
  label: 'Repeated log lines',
  promise: 'Folds a line of tool output that repeats at once into that line and a count.',
  never: 'Lines that differ in anything, a time stamp included; blank lines; JSON.',
  lossless: true,
  keepsJson: true,
  takes: isToolResult,
  rewrite(text) {
    if (/^\s*[{[]/.test(text)) return text;
    let out = '';
    let copied = 0;
    for (let start = 0; start < text.length; ) {
      const end = lineEnd(text, start);
      const run = runAt(text, start, end);
      if (run.lines >= MIN_RUN) {
        const note = `[the line above stands here ${run.lines} times in a row]`;
        if ((end - start + 1) * (run.lines - 1) > note.length + 1 && text.slice(start, end).trim() !== '') {
          out += `${text.slice(copied, end)}\n${note}`;
          copied = run.end;
        }
      }
      start = run.end + 1;
    }
    return copied === 0 ? text : out + text.slice(copied);
  },
};

const lineEnd = (text: string, start: number): number => {
  const feed = text.indexOf('\n', start);
  return feed === -1 ? text.length : feed;
};

/** The lines from this one on that are the same, and where the last of them ends. */
function runAt(text: string, start: number, end: number): { lines: number; end: number } {
  const length = end - start;
  let lines = 1;
  let last = end;
  while (last + 1 + length <= text.length && isEnd(text, last + 1 + length) && isSame(text, start, last + 1, length)) {
    lines++;
    last += 1 + length;
  }
  return { lines, end: last };
}

const isEnd = (text: string, at: number): boolean => at === text.length || text.charCodeAt(at) === 10;

/** From the end, where the lines of a log differ most; a line feed within ends it too, since this line has none. */
function isSame(text: string, one: number, other: number, length: number): boolean {
  for (let at = length - 1; at >= 0; at--) if (text.charCodeAt(one + at) !== text.charCodeAt(other + at)) return false;
  return true;
}
