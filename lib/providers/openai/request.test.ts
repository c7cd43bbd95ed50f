import { describe, expect, it } from 'vitest';
import { scanTopLevel } from '../../wire';
import { isUnrepresentable, type WireRequest, type WireRequestInput } from '../adapter';
import { quirksOf } from '../presets';
import { NO_QUIRKS } from '../quirks';
import { request } from './request';

const ask = (text: string, rest: Partial<WireRequestInput> = {}): WireRequest => {
  const parsed = JSON.parse(text) as Record<string, unknown>;
  const made = request({
    operation: 'chat',
    own: { text, parsed, scan: scanTopLevel(text) },
    chat: null,
    model: 'served',
    stream: parsed.stream === true,
    withoutStreamOptions: false,
    apiKey: 'secret',
    headers: {},
    quirks: NO_QUIRKS,
    maxOutputTokens: null,
    ...rest,
  });
  if (isUnrepresentable(made)) throw new Error(made.message);
  return made;
};

describe('the body', () => {
  it.each([
    ['{"model":"chat","messages":[],"stream":true}', '{"model":"served","messages":[],"stream":true,"stream_options":{"include_usage":true}}'],
    ['{"model":"chat","messages":[]}', '{"model":"served","messages":[]}'],
    [
      '{ "stream_options" : {"include_usage": false, "include_obfuscation":false},\n "stream":true, "model":"chat", "seed": 12345678901234567890, "x":1.0 }',
      '{ "stream_options" : {"include_usage": true, "include_obfuscation":false},\n "stream":true, "model":"served", "seed": 12345678901234567890, "x":1.0 }',
    ],
    ['{"model":"chat","stream":true,"stream_options":null}', '{"model":"served","stream":true,"stream_options":{"include_usage":true}}'],
    ['{"model":"chat","stream":true,"stream_options":{}}', '{"model":"served","stream":true,"stream_options":{"include_usage":true}}'],
    ['{"model":"chat","messages":[{"content":"{\\"model\\":\\"chat\\"}"}]}', '{"model":"served","messages":[{"content":"{\\"model\\":\\"chat\\"}"}]}'],
  ])('%s', (text, expected) => {
    expect(ask(text).body).toBe(expected);
  });

  it('goes without the injected stream_options once a provider has refused them, and keeps the client\'s own', () => {
    expect(ask('{"model":"a","stream":true}', { withoutStreamOptions: true }).body).toBe('{"model":"served","stream":true}');
    expect(ask('{"model":"a","stream":true,"stream_options":{"x":1}}', { withoutStreamOptions: true }).body).toBe('{"model":"served","stream":true,"stream_options":{"x":1}}');
  });

  it('carries any model name as a JSON string and never in the path', () => {
    const made = ask('{"model":"a"}', { model: '../x"\r\n?#@\\' });
    expect(JSON.parse(made.body)).toEqual({ model: '../x"\r\n?#@\\' });
    expect(made.path).toBe('/chat/completions');
  });
});

it('carries the key as a bearer token, or no authorization at all', () => {
  expect(ask('{"model":"a"}').headers.authorization).toBe('Bearer secret');
  expect(ask('{"model":"a"}', { apiKey: null }).headers).not.toHaveProperty('authorization');
});

it('asks for an uncompressed stream', () => {
  expect(ask('{"model":"a","stream":true}').headers).toMatchObject({ accept: 'text/event-stream', 'accept-encoding': 'identity' });
});

describe('a vendor that differs', () => {
  it('gets its key in the header that it wants', () => {
    const { headers } = ask('{"model":"a"}', { quirks: quirksOf('azure') });
    expect(headers['api-key']).toBe('secret');
    expect(headers).not.toHaveProperty('authorization');
  });

  it('is not asked for usage that it sends anyway', () => {
    expect(ask('{"model":"a","stream":true}', { quirks: quirksOf('mistral') }).body).toBe('{"model":"served","stream":true}');
  });

  it('is told the longest answer by the only name that it knows, where the request is translated', () => {
    const chat = { body: { messages: [], max_completion_tokens: 50 }, topK: null };
    const translated = (provider: string) => JSON.parse(ask('{"model":"a"}', { own: null, chat, quirks: quirksOf(provider) }).body) as object;
    expect(translated('deepseek')).toEqual({ model: 'served', messages: [], max_tokens: 50 });
    expect(translated('openai')).toEqual({ model: 'served', messages: [], max_completion_tokens: 50 });
  });

  it('is sent signatures and cache breakpoints only where it knows them, and what is left out is named', () => {
    const assistant = { role: 'assistant', content: 'a', reasoning_details: [{}], tool_calls: [{ id: 'c', extra_content: {} }] };
    const user = { role: 'user', content: [{ type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } }] };
    const translated = (provider: string) => {
      const { body, dropped } = ask('{"model":"a"}', { own: null, chat: { body: { messages: [assistant, user] }, topK: null }, quirks: quirksOf(provider) });
      return [(JSON.parse(body) as { messages: unknown[] }).messages, dropped];
    };
    const bare = { role: 'assistant', content: 'a', tool_calls: [{ id: 'c' }] };
    expect(translated('groq')).toEqual([[bare, { role: 'user', content: [{ type: 'text', text: 'x' }] }], ['reasoning_details', 'extra_content', 'prompt_cache_breakpoint']]);
    expect(translated('openai')).toEqual([[bare, user], ['reasoning_details', 'extra_content']]);
    expect(translated('openrouter')[1]).toEqual(['extra_content', 'prompt_cache_breakpoint']);
    expect(translated('gemini')[1]).toEqual(['reasoning_details', 'prompt_cache_breakpoint']);
  });
});
