import { createLineWalk } from './line-walk';
import type { Saver } from './saver';

/** Runs of blank lines become one, and trailing spaces go, in prose. */
export const blankLines: Saver = {
  id: 'blank-lines',
  label: 'Blank lines and trailing spaces',
  promise: 'Turns runs of blank lines into one and takes trailing spaces off, in prose.',
  never: 'Fenced or indented code, quoted lines, JSON, and the two spaces that break a line in Markdown.',
  lossless: true,
  takes: (slot) => slot.role !== 'tool',
  rewrite(text) {
    if (text.trim() === '' || /^\s*[{[<]/.test(text)) return text; // nothing, or data
    const kept: string[] = [];
    let blanks = 0;
    let afterCode = false;
    const walk = createLineWalk();
    for (const line of text.split('\n')) {
      const { verbatim, fence } = walk.next(line);
      if (verbatim || fence) {
        for (; blanks > 0; blanks--) kept.push('');
        kept.push(line);
        afterCode = verbatim && !fence;
        continue;
      }
      if (isBlank(line)) {
        // Blank lines within indented code are part of it, so they wait until what follows is known.
        if (blanks === 0 || afterCode) blanks++;
        continue;
      }
      for (; blanks > 0; blanks--) kept.push('');
      kept.push(withoutTrailing(line));
      afterCode = false;
    }
    for (; blanks > 0; blanks--) kept.push('');
    return kept.join('\n');
  },
};

function isBlank(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9 && code !== 13) return false;
  }
  return true;
}

/** Two spaces or more are a line break in Markdown: two of them stay. */
function withoutTrailing(line: string): string {
  let end = line.length;
  const carriageReturn = end > 0 && line.charCodeAt(end - 1) === 13;
  if (carriageReturn) end--;
  const full = end;
  while (end > 0 && (line.charCodeAt(end - 1) === 32 || line.charCodeAt(end - 1) === 9)) end--;
  const hardBreak = full - end >= 2 && line.charCodeAt(full - 1) === 32 && line.charCodeAt(full - 2) === 32;
  if (full === end || (hardBreak && full - end === 2)) return line;
  return line.slice(0, end) + (hardBreak ? '  ' : '') + (carriageReturn ? '\r' : '');
}
