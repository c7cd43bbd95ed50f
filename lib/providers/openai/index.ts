import type { WireAdapter } from '../adapter';
import { streamReader } from './events';
import { refusal } from './failure';
import { chatRequest } from './request';
import { wholeBody } from './whole';

/** OpenAI chat completions, as OpenAI and the vendors that speak like it. */
export const openai: WireAdapter = {
  chatRequest,
  refusal,
  // Without any content-type the framing itself decides: a page or a JSON error shows at its first line.
  isEventStream: (contentType) => contentType === '' || /^\s*text\/event-stream\b/i.test(contentType),
  streamReader,
  wholeBody,
};
