import { scanTopLevel } from '../../wire';
import { isUnrepresentable, type WireRequest, type WireRequestInput } from '../adapter';
import { NO_QUIRKS } from '../quirks';
import { request } from './request';

/** For tests: requests of either kind, and what becomes of them. */

export type Body = Record<string, any>;

export const input = (rest: Partial<WireRequestInput>): WireRequestInput => ({
  operation: 'chat',
  own: null,
  chat: null,
  model: 'claude-sonnet-4-5',
  stream: false,
  withoutStreamOptions: false,
  apiKey: 'secret',
  headers: {},
  quirks: NO_QUIRKS,
  maxOutputTokens: null,
  ...rest,
});

export const HI = [{ role: 'user', content: 'Hi' }];

/** A body of chat completions, translated. */
export function ask(body: Body, model = 'claude-sonnet-4-5', topK: number | null = null) {
  const { model: _model, stream, stream_options: _options, ...rest } = body;
  const made = request(input({ chat: { body: { messages: HI, ...rest }, topK }, model, stream: stream === true }));
  return isUnrepresentable(made) ? { why: made, body: {} as Body, dropped: [] } : { why: null, body: JSON.parse(made.body) as Body, dropped: made.dropped };
}

/** A body of this API, passed on. */
export function own(text: string, rest: Partial<WireRequestInput> = {}): WireRequest {
  const parsed = JSON.parse(text) as Record<string, unknown>;
  const made = request(input({ own: { text, parsed, scan: scanTopLevel(text) }, stream: parsed.stream === true, model: 'served', ...rest }));
  if (isUnrepresentable(made)) throw new Error(made.message);
  return made;
}
