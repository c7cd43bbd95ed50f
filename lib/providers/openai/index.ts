import type { WireAdapter } from '../adapter';
import { streamReader } from './events';
import { refusal } from './failure';
import { listedModels, modelList, request } from './request';
import { embeddingsBody, wholeBody } from './whole';

/** OpenAI chat completions, as OpenAI and the vendors that speak like it. */
export const openai: WireAdapter = {
  dialect: 'openai',
  operations: ['chat', 'embeddings'],
  request,
  modelList,
  listedModels,
  refusal,
  // Without any content-type the framing itself decides: a page or a JSON error shows at its first line.
  isEventStream: (contentType) => contentType === '' || /^\s*text\/event-stream\b/i.test(contentType),
  streamReader,
  wholeBody: (body, operation, wanted) => (operation === 'embeddings' ? embeddingsBody(body, wanted ?? null) : wholeBody(body)),
};
