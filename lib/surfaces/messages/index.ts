import { replaceMembers } from '../../wire';
import { sentCharacters } from '../characters';
import type { OwnText, Surface } from '../surface';
import { canonicalCount, canonicalRequest } from './canonical';
import { withoutForeignBlocks } from './canonical-messages';
import { messagesRefusal } from './errors';
import { OwnStream } from './own-stream';
import { readCount, readMessages } from './request';
import { messageSlots } from './slots';
import { TranslatedStream } from './translated-stream';
import { wholeMessage } from './whole';

/** Anthropic's Messages API. */
export const messages: Surface = {
  id: 'messages',
  path: '/v1/messages',
  dialect: 'anthropic',
  operation: 'chat',
  once: ['model', 'messages', 'max_tokens', 'stream'],
  answerHeaders: ['anthropic-version', 'anthropic-beta'],
  names: {
    max_completion_tokens: 'max_tokens',
    stop: 'stop_sequences',
    response_format: 'output_config.format',
    reasoning_effort: 'thinking',
    reasoning_details: 'thinking',
    extra_content: 'thinking',
    safety_identifier: 'metadata.user_id',
    parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    prompt_cache_breakpoint: 'cache_control',
  },
  read: readMessages,
  canonical: canonicalRequest,
  ownText,
  slots: messageSlots,
  characters: sentCharacters,
  writer: (context) => (context.own ? new OwnStream(context) : new TranslatedStream(context)),
  whole: wholeMessage,
  refusal: messagesRefusal,
};

/** Counting a request's tokens, which only a tier of this dialect can do. */
export const countTokens: Surface = { ...messages, id: 'messages.count_tokens', path: '/v1/messages/count_tokens', operation: 'count_tokens', once: ['model', 'messages'], read: readCount, canonical: canonicalCount, slots: () => [] };

function ownText(text: string, body: Record<string, unknown>): OwnText | null {
  const cleaned = withoutForeignBlocks(body.messages);
  return cleaned === null ? null : { text: replaceMembers(text, { messages: JSON.stringify(cleaned.messages) }), dropped: cleaned.dropped };
}
