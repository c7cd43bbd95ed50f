/** OpenAI's public encodings: the only ones that can be counted by here. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * What counts a model's tokens, as the ledger calls it: the encoding of OpenAI's families, exact for text; for all
 * others o200k_base behind `~`, since their own tokenizers are not public. What a provider adds around messages
 * (roles, tools, images) is in no count; the bill beside it shows what that comes to.
 */
export function tokenizerOf(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (O200K.test(name)) return 'o200k_base';
  if (CL100K.test(name)) return 'cl100k_base';
  return '~o200k_base';
}

export const encodingOf = (tokenizer: string): Encoding => tokenizer.replace(/^~/, '') as Encoding;

const O200K = /^(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|gpt-oss|o1|o3|o4|codex-mini|computer-use)/;
const CL100K = /^(?:gpt-4|gpt-3\.5|gpt-35|text-embedding)/;

/** A count of the tokens of a text. Loads its tables, which takes a while and about 40 MB: not for the thread that serves. */
export async function loadCounter(encoding: Encoding): Promise<(text: string) => number> {
  const { countTokens } = encoding === 'cl100k_base' ? await import('gpt-tokenizer/encoding/cl100k_base') : await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => {
    let tokens = 0;
    let from = 0;
    for (const cut of cutsOf(text)) {
      tokens += countTokens(text.slice(from, cut), ANY_TEXT);
      from = cut;
    }
    return tokens + countTokens(text.slice(from), ANY_TEXT);
  };
}

/** A name of a special token is text here, like any other. */
const ANY_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * Merging is quadratic in the length of a word, and 40,000 characters without a space take seconds. Longer runs than
 * this, of white space or of anything else, are cut; a cut may cost a token of the truth.
 */
const MAX_RUN = 256;

function* cutsOf(text: string): Generator<number> {
  let run = 0;
  let inSpace = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isSpace = code <= 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 || code === 0x3000 || code === 0xfeff;
    if (isSpace !== inSpace) {
      inSpace = isSpace;
      run = 1;
    } else if (++run > MAX_RUN && !(code >= 0xdc00 && code <= 0xdfff)) {
      run = 1;
      yield at;
    }
  }
}
