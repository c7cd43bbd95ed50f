import { isToolResult, type Saver } from './saver';

/** Shorter ones are as cheap as a reference to them. */
const MIN_CHARACTERS = 200;

/** A tool result that the conversation holds already is named instead of repeated. */
export const repeatReference: Saver = {
  id: 'repeat-reference',
  label: 'Repeated tool results',
  promise: 'Replaces a tool result that is byte for byte the same as an older one by a reference to that one.',
  never: 'The first of them; results under 200 characters; anything but tool results.',
  lossless: true,
  keepsJson: false,
  takes: isToolResult,
  rewrite(text, slot, before) {
    if (text.length < MIN_CHARACTERS) return text;
    const call = before.sameResult(text);
    return call === null || call === slot.toolCallId ? text : `[Exactly the same as the result of the earlier call ${call}.]`;
  },
};
