import type { WireAdapter } from '../adapter';
import { streamReader } from './events';
import { refusal } from './failure';
import { listedModels, modelList, request } from './request';
import { wholeBody } from './whole';

/** Google's generateContent. No client speaks it here, so every request and answer is translated. */
export const gemini: WireAdapter = {
  dialect: 'gemini',
  operations: ['chat'],
  request,
  modelList,
  listedModels,
  refusal,
  // Without any content-type the framing itself decides: a page or a JSON error shows at its first line.
  isEventStream: (contentType) => contentType === '' || /^\s*text\/event-stream\b/i.test(contentType),
  endsWithBody: true,
  streamReader,
  wholeBody: (body) => wholeBody(body),
};
