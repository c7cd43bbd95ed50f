import { isObject, type Unrepresentable, unsupported, unsupportedValue } from '../../wire';
import type { WireRequestInput } from '../adapter';
import { effortFor } from './effort';
import { withKnownMembers } from './known-members';

/** The canonical request, written out for this wire: only what OpenAI has no word for is in the way. */
export function bodyFrom({ chat, model, stream, withoutStreamOptions, quirks }: WireRequestInput): { body: string; dropped: readonly string[] } | Unrepresentable {
  if (chat === null) throw new Error('a request in neither its own nor the canonical language');
  if (chat.topK !== null) return unsupported('top_k', 'This wire has no `top_k`.');
  const { stop } = chat.body;
  if (Array.isArray(stop) && stop.length > MAX_STOPS) return unsupportedValue('stop', `This wire takes at most ${MAX_STOPS} stop sequences.`);
  const media = mediaInResult(chat.body.messages);
  if (media !== null) return unsupportedValue(media, 'This wire takes only text as the result of a tool.');
  const { messages, dropped } = withKnownMembers(chat.body.messages, quirks.knownMembers ?? []);
  const body: Record<string, unknown> = { model, ...chat.body, messages };
  const lost = giveEffort(body, model) ? [...dropped, 'reasoning_effort'] : dropped;
  if (quirks.outputLimit !== undefined) renameOutputLimit(body, quirks.outputLimit);
  if (stream) {
    body.stream = true;
    if (!withoutStreamOptions && quirks.streamOptions !== false) body.stream_options = { include_usage: true };
  }
  return { body: JSON.stringify(body), dropped: lost };
}

const MAX_STOPS = 4;

/** Where the result of a tool holds something other than text. */
function mediaInResult(messages: unknown): string | null {
  if (!Array.isArray(messages)) return null;
  for (const [at, message] of (messages as unknown[]).entries()) {
    if (!isObject(message) || message.role !== 'tool' || !Array.isArray(message.content)) continue;
    const other = (message.content as unknown[]).findIndex((part) => !isObject(part) || part.type !== 'text');
    if (other !== -1) return `messages[${at}].content[${other}]`;
  }
  return null;
}

/** True when what the client asked for got lost. */
function giveEffort(body: Record<string, unknown>, model: string): boolean {
  if (body.reasoning_effort === undefined || body.reasoning_effort === null) return false;
  const { send, lost } = effortFor(model, body.reasoning_effort);
  if (send === null) delete body.reasoning_effort;
  else body.reasoning_effort = send;
  return lost;
}

/** `max_completion_tokens` and `max_tokens` mean the same where a vendor knows only one of them. */
function renameOutputLimit(body: Record<string, unknown>, name: 'max_tokens'): void {
  const { max_completion_tokens: limit } = body;
  if (limit === undefined) return;
  delete body.max_completion_tokens;
  body[name] = limit;
}
