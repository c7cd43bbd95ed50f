import { isToolResult, type Saver } from './saver';

/** Frames of other people's code are folded, those of one's own stay. */
export const stackFrames: Saver = {
  id: 'stack-frames',
  label: 'Library stack frames',
  promise: 'Folds runs of stack frames that lie in node_modules, node itself or site-packages into one line with their number.',
  never: 'Frames of other files, the error’s own lines, single frames.',
  lossless: false,
  keepsJson: false,
  takes: isToolResult,
  rewrite(text) {
    if (!/node_modules|node:internal|site-packages|dist-packages/.test(text)) return text;
    const lines = text.split('\n');
    const kept: string[] = [];
    for (let at = 0; at < lines.length; ) {
      const run = libraryRun(lines, at);
      if (run.frames >= 2) kept.push(`${indentOf(lines[at]!)}[${run.frames} frames in libraries]`);
      else for (let each = at; each < Math.max(run.end, at + 1); each++) kept.push(lines[each]!);
      at = Math.max(run.end, at + 1);
    }
    return kept.join('\n');
  },
};

/** The frames in libraries that follow each other from `at` on. */
function libraryRun(lines: string[], at: number): { frames: number; end: number } {
  let frames = 0;
  let end = at;
  while (end < lines.length) {
    const length = frameLength(lines, end);
    if (length === 0) break;
    frames++;
    end += length;
  }
  return { frames, end };
}

/** Lines of the library frame that begins here: 1 in JavaScript, 1 or 2 in Python (its source line), 0 where there is none. */
function frameLength(lines: string[], at: number): number {
  const line = lines[at]!;
  if (/^\s+at\s/.test(line)) return /[\\/]node_modules[\\/]|\(?node:/.test(line) ? 1 : 0;
  if (!/^\s+File "/.test(line) || !/[\\/](site|dist)-packages[\\/]/.test(line)) return 0;
  const next = lines[at + 1];
  const isSource = next !== undefined && indentOf(next).length > indentOf(line).length && !/^\s+File "/.test(next);
  return isSource ? 2 : 1;
}

const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);
