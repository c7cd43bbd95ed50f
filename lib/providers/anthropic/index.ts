import type { WireAdapter } from '../adapter';
import { streamReader } from './events';
import { refusal } from './failure';
import { listedModels, modelList, request } from './request';
import { wholeBody } from './whole';

/** Anthropic's Messages API, as Anthropic and the vendors that speak like it. */
export const anthropic: WireAdapter = {
  dialect: 'anthropic',
  operations: ['chat', 'count_tokens'],
  request,
  modelList,
  listedModels,
  refusal,
  // Without any content-type the framing itself decides: a page or a JSON error shows at its first line.
  isEventStream: (contentType) => contentType === '' || /^\s*text\/event-stream\b/i.test(contentType),
  streamReader,
  wholeBody,
};
