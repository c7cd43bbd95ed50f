import { sentCharacters } from '../characters';
import type { Surface } from '../surface';
import { comesBack } from './comes-back';
import { OwnStream } from './own-stream';
import { canonicalChat, readChat } from './request';
import { chatSlots } from './slots';
import { TranslatedStream } from './translated-stream';
import { wholeChat } from './whole';

/** OpenAI's chat completions, the product's first language. */
export const chatCompletions: Surface = {
  id: 'chat.completions',
  path: '/v1/chat/completions',
  dialect: 'openai',
  operation: 'chat',
  once: ['model', 'messages', 'stream', 'stream_options'],
  names: {},
  read: readChat,
  canonical: canonicalChat,
  slots: chatSlots,
  characters: sentCharacters,
  writer: (context) => (context.own ? new OwnStream(context) : new TranslatedStream(context)),
  whole: wholeChat,
  comesBack,
  refusal: (error, status) => ({ status, body: JSON.stringify({ error }) }),
};
