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
  takes: isToolResult,
  rewrite(text) {
    if (/^\s*[{[]/.test(text)) return text;
    const lines = text.split('\n');
    const kept: string[] = [];
    for (let at = 0; at < lines.length; ) {
      const line = lines[at]!;
      let end = at + 1;
      while (end < lines.length && lines[end] === line) end++;
      const note = `[the line above stands here ${end - at} times in a row]`;
      if (end - at >= MIN_RUN && line.trim() !== '' && (line.length + 1) * (end - at - 1) > note.length + 1) kept.push(line, note);
      else for (; at < end; at++) kept.push(line);
      at = end;
    }
    return kept.join('\n');
  },
};
