import { isToolResult, type Saver } from './saver';

/** The same JSON without the white space between its tokens. */
export const jsonCompact: Saver = {
  id: 'json-compact',
  label: 'Compact JSON',
  promise: 'Takes the white space between the tokens of JSON out of tool results.',
  never: 'Strings, numbers and their spelling, the order and the repetition of members; anything that is not JSON as a whole.',
  lossless: true,
  keepsJson: true,
  takes: isToolResult,
  rewrite(text) {
    if (!/^\s*[{[]/.test(text)) return text;
    const made = withoutSpace(text);
    // Read only where there is something to gain. A half of a surrogate pair would not survive the bytes.
    return made.length < text.length && !/\p{Surrogate}/u.test(text) && isJson(text) ? made : text;
  },
};

const QUOTE = 34;
const BACKSLASH = 92;

/** White space outside of strings left out, in UTF-8: none of its bytes but the characters' own are below 128. */
function withoutSpace(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (code === 32 || code === 10 || code === 13 || code === 9) continue;
    bytes[to++] = code;
    if (code !== QUOTE) continue;
    for (at++; at < bytes.length; at++) {
      const inside = bytes[at]!;
      bytes[to++] = inside;
      if (inside === QUOTE) break;
      if (inside === BACKSLASH && at + 1 < bytes.length) bytes[to++] = bytes[++at]!;
    }
  }
  return to === bytes.length ? text : bytes.toString('utf8', 0, to);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the answer to the question, not an error
  }
}
