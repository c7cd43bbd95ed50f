import { isToolResult, type Saver } from './saver';

/** Shorter ones are as cheap as a reference to them. */
const MIN_CHARACTERS = 200;

/** A tool result that the conversation holds already is named instead of repeated. */
export const repeatReference: Saver = {
  id: 'repeat-reference',
  label: 'Repeated tool results',
  promise: 'Replaces a tool result that is byte for byte the same as an older one by a reference to that one.',
  never: 'The first of them; results under 200 characters, or of so few words that a reference is no shorter; anything but tool results.',
  lossless: true,
  keepsJson: false,
  takes: isToolResult,
  rewrite(text, slot, before) {
    if (text.length < MIN_CHARACTERS) return text;
    const call = before.sameResult(text);
    if (call === null || call === slot.toolCallId || !hasPieces(text, WORDS_OF_REFERENCE + call.length)) return text;
    return `[Exactly the same as the result of the earlier call ${call}.]`;
  },
};

/** Tokens of a reference beside the call's id, which is at most one for each of its characters. */
const WORDS_OF_REFERENCE = 16;

/**
 * Has it more than so many words and numbers? Tokenizers part these, so a text has at least about as many tokens,
 * while hundreds of characters of one rule or of white space are a few.
 */
function hasPieces(text: string, most: number): boolean {
  const pieces = text.matchAll(PIECE);
  for (let count = 0; count <= most; count++) if (pieces.next().done === true) return false;
  return true;
}

/** Three digits are a token at most; letters without end, as in scripts that have no spaces, are counted in pieces too. */
const PIECE = /\p{L}{1,16}|\p{N}{1,3}/gu;
