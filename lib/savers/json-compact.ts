import { isToolResult, type Saver } from './saver';

/** The same JSON without the white space between its tokens. */
export const jsonCompact: Saver = {
  id: 'json-compact',
  label: 'Compact JSON',
  promise: 'Takes the white space between the tokens of JSON out of tool results.',
  never: 'Strings, numbers and their spelling, the order and the repetition of members; anything that is not JSON as a whole.',
  lossless: true,
  takes: isToolResult,
  rewrite(text) {
    if (!/^\s*[{[]/.test(text) || !isJson(text)) return text;
    let out = '';
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        for (at++; text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
      } else if (code === 32 || code === 10 || code === 13 || code === 9) {
        out += text.slice(from, at);
        while (isSpace(text.charCodeAt(at + 1))) at++;
        from = at + 1;
      }
    }
    return out + text.slice(from);
  },
};

const QUOTE = 34;
const BACKSLASH = 92;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the answer to the question, not an error
  }
}
