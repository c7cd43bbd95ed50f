import { isObject, type Unrepresentable } from '../../wire';
import { replaceMembers } from '../../wire/json-text';
import type { OwnRequest, WireRequest, WireRequestInput } from '../adapter';
import type { Quirks } from '../quirks';
import { bodyFrom } from './from-chat';

/**
 * The client's own text with the model put in, and for streams `stream_options.include_usage` switched on. Every
 * other byte is passed on: unknown members, numbers and their spelling, key order. A client of another dialect is
 * sent as the canonical request, which is this wire's own language.
 */
export function request(input: WireRequestInput): WireRequest | Unrepresentable {
  const { operation, own } = input;
  if (own !== null) return { path: PATHS[operation] ?? PATHS.chat!, headers: headersOf(input), body: ownBody(own, input), dropped: NOTHING };
  const made = bodyFrom(input);
  return 'param' in made ? made : { path: PATHS.chat!, headers: headersOf(input), body: made.body, dropped: made.dropped };
}

const PATHS: Partial<Record<WireRequestInput['operation'], string>> = { chat: '/chat/completions', embeddings: '/embeddings' };
const NOTHING: readonly string[] = [];

function ownBody({ text, parsed, scan }: OwnRequest, { model, stream, withoutStreamOptions, quirks }: WireRequestInput): string {
  const changes: Record<string, string> = { model: JSON.stringify(model) };
  if (stream && !withoutStreamOptions && quirks.streamOptions !== false) {
    const own = scan.members.findLast((member) => member.name === 'stream_options');
    changes.stream_options = withUsage(isObject(parsed.stream_options) && own ? text.slice(own.valueStart, own.valueEnd) : '{}');
  }
  return replaceMembers(text, changes, scan);
}

export function headersOf({ stream, apiKey, quirks }: WireRequestInput): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity', // a compressed stream arrives in lumps
    'user-agent': 'ohm',
  };
  return withCredential(headers, apiKey, quirks);
}

function withCredential(headers: Record<string, string>, apiKey: string | null, quirks: Quirks): Record<string, string> {
  if (quirks.headers !== undefined) Object.assign(headers, quirks.headers);
  if (apiKey === null) return headers;
  if (quirks.keyHeader === undefined) headers.authorization = `Bearer ${apiKey}`;
  else headers[quirks.keyHeader] = apiKey;
  return headers;
}

/** `GET /models`: https://platform.openai.com/docs/api-reference/models/list */
export function modelList(apiKey: string | null, quirks: Quirks): { path: string; headers: Record<string, string> } {
  return { path: '/models', headers: withCredential({ accept: 'application/json', 'user-agent': 'ohm' }, apiKey, quirks) };
}

/** `{"data":[{"id"}]}` */
export function listedModels(list: unknown): string[] | null {
  if (!isObject(list) || !Array.isArray(list.data)) return null;
  return list.data.flatMap((entry: unknown) => (isObject(entry) && typeof entry.id === 'string' ? [entry.id] : []));
}

function withUsage(streamOptions: string): string {
  return replaceMembers(streamOptions, { include_usage: 'true' });
}
