import { isToolResult, type Saver } from './saver';

const MAX_CHARACTERS = 20_000;
const HEAD = 12_000;
const TAIL = 6_000;

/** The middle of a very long tool result is left out, and said to be. */
export const headTail: Saver = {
  id: 'head-tail',
  label: 'Head and tail of long results',
  promise: 'Keeps the first 12,000 and the last 6,000 characters of a tool result of more than 20,000, and says how many are left out.',
  never: 'Results of up to 20,000 characters; anything but tool results.',
  lossless: false,
  keepsJson: false,
  takes: isToolResult,
  rewrite(text) {
    if (text.length <= MAX_CHARACTERS) return text;
    const head = lineEndBefore(text, HEAD);
    const tail = lineStartAfter(text, text.length - TAIL);
    return `${text.slice(0, head)}\n[${tail - head} characters are left out here]\n${text.slice(tail)}`;
  },
};

/** At a line's end where one is near, never between the halves of a surrogate pair. */
function lineEndBefore(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at);
  if (line > at - 1_000 && line > 0) return line;
  return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

function lineStartAfter(text: string, at: number): number {
  const line = text.indexOf('\n', at);
  if (line !== -1 && line < at + 1_000) return line + 1;
  return isLowSurrogate(text.charCodeAt(at)) ? at + 1 : at;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
