import { sentCharacters } from '../characters';
import type { Surface } from '../surface';
import { canonicalResponses } from './canonical';
import { cutOff } from './cut-off';
import { OwnStream } from './own-stream';
import { ownText } from './own-text';
import { readResponses } from './request';
import { inputSlots } from './slots';
import { TranslatedStream, wholeResponse } from './translated-stream';

/** OpenAI's Responses API, without what would need the gateway to keep answers. */
export const responses: Surface = {
  id: 'responses',
  path: '/v1/responses',
  dialect: 'openai-responses',
  operation: 'chat',
  once: ['model', 'input', 'stream', 'background'],
  names: {
    messages: 'input',
    max_completion_tokens: 'max_output_tokens',
    response_format: 'text.format',
    verbosity: 'text.verbosity',
    reasoning_effort: 'reasoning.effort',
    reasoning_details: 'reasoning',
    extra_content: 'reasoning',
    logprobs: 'include',
  },
  read: readResponses,
  canonical: canonicalResponses,
  ownText,
  slots: inputSlots,
  characters: sentCharacters,
  writer: (context) => (context.own ? new OwnStream(context) : new TranslatedStream(context)),
  cutOff,
  whole: wholeResponse,
  refusal: (error, status) => ({ status, body: JSON.stringify({ error }) }),
};
