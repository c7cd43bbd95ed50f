import { isObject, type Unrepresentable } from '../../wire';
import { replaceMembers } from '../../wire/json-text';
import type { WireRequest, WireRequestInput } from '../adapter';
import type { Quirks } from '../quirks';
import { bodyFrom } from './from-chat';

/**
 * The client's own text with the model put in and every other byte as it was, under the API version and betas that
 * the client named. A client of another dialect is translated, under the version that this adapter knows.
 */
export function request(input: WireRequestInput): WireRequest | Unrepresentable {
  const { operation, own, model, quirks, stream } = input;
  const headers = baseHeaders(stream ? 'text/event-stream' : 'application/json', quirks);
  headers['content-type'] = 'application/json';
  if (own !== null) {
    for (const name of ['anthropic-version', 'anthropic-beta']) {
      const said = input.headers[name];
      if (said !== undefined) headers[name] = Array.isArray(said) ? said.join(', ') : said;
    }
    return { path: PATHS[operation] ?? PATHS.chat!, headers: withCredential(headers, input.apiKey, quirks), body: replaceMembers(own.text, { model: JSON.stringify(model) }, own.scan), dropped: NOTHING };
  }
  const made = bodyFrom(input);
  return 'param' in made ? made : { path: PATHS.chat!, headers: withCredential(headers, input.apiKey, quirks), body: made.body, dropped: made.dropped };
}

const PATHS: Partial<Record<WireRequestInput['operation'], string>> = { chat: '/messages', count_tokens: '/messages/count_tokens' };
const NOTHING: readonly string[] = [];

/** A date that names the shape of requests and answers: https://platform.claude.com/docs/en/api/versioning */
const VERSION = '2023-06-01';

function baseHeaders(accept: string, quirks: Quirks): Record<string, string> {
  const headers: Record<string, string> = {
    accept,
    'accept-encoding': 'identity', // a compressed stream arrives in lumps
    'user-agent': 'ohm',
    'anthropic-version': VERSION,
  };
  if (quirks.headers !== undefined) Object.assign(headers, quirks.headers);
  return headers;
}

function withCredential(headers: Record<string, string>, apiKey: string | null, { keyHeader }: Quirks): Record<string, string> {
  if (apiKey === null) return headers;
  if (keyHeader === 'authorization') headers.authorization = `Bearer ${apiKey}`;
  else headers[keyHeader ?? 'x-api-key'] = apiKey;
  return headers;
}

/** `GET /models`, in its longest page. */
export function modelList(apiKey: string | null, quirks: Quirks): { path: string; headers: Record<string, string> } {
  return { path: '/models?limit=1000', headers: withCredential(baseHeaders('application/json', quirks), apiKey, quirks) };
}

/** `{"data":[{"id"}]}` */
export function listedModels(list: unknown): string[] | null {
  if (!isObject(list) || !Array.isArray(list.data)) return null;
  return list.data.flatMap((entry: unknown) => (isObject(entry) && typeof entry.id === 'string' ? [entry.id] : []));
}
