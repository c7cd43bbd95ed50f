import { sentCharacters } from '../characters';
import type { Surface } from '../surface';
import { canonicalCompletion, readCompletion } from './request';
import { CompletionStream } from './stream';
import { wholeCompletion } from './whole';

/** OpenAI's first API, for clients that never left it. No tier is asked through it: a prompt becomes a chat of one message. */
export const completions: Surface = {
  id: 'completions',
  path: '/v1/completions',
  dialect: null,
  operation: 'chat',
  once: ['model', 'prompt', 'stream', 'stream_options'],
  names: { messages: 'prompt', max_completion_tokens: 'max_tokens' },
  read: readCompletion,
  canonical: canonicalCompletion,
  slots: () => [],
  characters: sentCharacters,
  writer: (context) => new CompletionStream(context),
  whole: wholeCompletion,
  refusal: (error, status) => ({ status, body: JSON.stringify({ error }) }),
};
