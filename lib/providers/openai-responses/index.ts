import type { WireAdapter } from '../adapter';
import { listedModels, modelList } from '../openai/request';
import { refusal } from '../openai/failure';
import { streamReader } from './events';
import { request } from './request';
import { wholeBody } from './whole';

/** OpenAI's Responses API, as OpenAI and the vendors that speak like it. */
export const openaiResponses: WireAdapter = {
  dialect: 'openai-responses',
  operations: ['chat'],
  request,
  modelList,
  listedModels,
  refusal,
  // Without any content-type the framing itself decides: a page or a JSON error shows at its first line.
  isEventStream: (contentType) => contentType === '' || /^\s*text\/event-stream\b/i.test(contentType),
  endsWithBody: true,
  streamReader,
  wholeBody,
};
