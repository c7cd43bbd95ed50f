import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../adapter';
import { NO_QUIRKS } from '../quirks';
import { anthropic } from '.';
import { listedModels, modelList, request } from './request';
import { ask, type Body, HI, input, own } from './test-request';

describe('a client of the same API', () => {
  it('is passed on with its own bytes, but for the model', () => {
    const made = own('{ "stream":true, "max_tokens" : 5,"model":"x", "messages":[{"role":"user","content":[{"type":"text","text":"\\u00e9"}]}], "y":12345678901234567890, "model":"x" }');
    expect(made.body).toBe('{ "stream":true, "max_tokens" : 5,"model":"served", "messages":[{"role":"user","content":[{"type":"text","text":"\\u00e9"}]}], "y":12345678901234567890, "model":"served" }');
    expect(made).toMatchObject({ path: '/messages', dropped: [], headers: { accept: 'text/event-stream', 'accept-encoding': 'identity', 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' } });
    expect(made.headers).not.toHaveProperty('authorization');
    expect(made.headers).not.toHaveProperty('anthropic-beta');
  });

  it('has its version and betas forwarded as they came, and no other header', () => {
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-2025-01-01,b-2025-02-02 , c', 'x-api-key': 'the client’s', authorization: 'Bearer x', 'x-stainless-lang': 'js' };
    const made = own('{"model":"x"}', { headers });
    expect(made.headers).toMatchObject({ 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-2025-01-01,b-2025-02-02 , c', 'x-api-key': 'secret' });
    expect(Object.keys(made.headers).sort()).toEqual(['accept', 'accept-encoding', 'anthropic-beta', 'anthropic-version', 'content-type', 'user-agent', 'x-api-key']);
    expect(own('{"model":"x"}', { headers: { 'anthropic-beta': ['a', 'b'] } }).headers['anthropic-beta']).toBe('a, b');
  });

  it('may have its tokens counted', () => {
    expect(anthropic.operations).toEqual(['chat', 'count_tokens']);
    expect(own('{"model":"x","messages":[]}', { operation: 'count_tokens' })).toMatchObject({ path: '/messages/count_tokens', body: '{"model":"served","messages":[]}' });
  });

  it('reaches vendors that take the key elsewhere', () => {
    expect(own('{"model":"x"}', { quirks: { keyHeader: 'authorization' } }).headers).toMatchObject({ authorization: 'Bearer secret' });
    expect(own('{"model":"x"}', { quirks: { keyHeader: 'api-key', headers: { a: 'b' } } }).headers).toMatchObject({ 'api-key': 'secret', a: 'b' });
    expect(own('{"model":"x"}', { apiKey: null }).headers).not.toHaveProperty('x-api-key');
  });
});

it('lists models', () => {
  expect(modelList('secret', NO_QUIRKS)).toMatchObject({ path: '/models?limit=1000', headers: { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' } });
  expect(listedModels({ data: [{ type: 'model', id: 'claude-opus-5' }, { id: 7 }, null], has_more: false })).toEqual(['claude-opus-5']);
  expect([listedModels(null), listedModels([]), listedModels({})]).toEqual([null, null, null]);
});

describe('pairs of requests', () => {
  const folder = path.join(import.meta.dirname, '__fixtures__/requests');
  const pair = (name: string) => JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Body;

  it.each(['req-basic', 'req-image', 'req-json-schema', 'req-named-tool-choice', 'req-tools-roundtrip'])('%s', (name) => {
    const { openai, anthropic: wanted, warnings } = pair(name);
    const made = ask(openai, wanted.body.model);
    expect(made.body).toEqual(wanted.body);
    if (warnings?.anthropic) expect(made.dropped).toEqual(warnings.anthropic);
  });

  it('req-reasoning-high', () => {
    const { openai, anthropic_adaptive: adaptive, anthropic_budget: budget } = pair('req-reasoning-high');
    for (const { model, body } of [adaptive, budget]) expect(ask(openai, model).body).toEqual(body);
  });

  it.each(['req-json-object', 'req-anthropic-new-model-temperature'])('%s', (name) => {
    const { openai, anthropic: wanted } = pair(name);
    const { param, code } = wanted.error.body.error;
    expect(ask(openai, wanted.model).why).toMatchObject({ param, code });
  });

  it.each(pair('req-unsupported').cases as Body[])('req-unsupported: $openai_extra', ({ openai_extra: extra, anthropic: wanted }) => {
    const made = ask(extra);
    if (wanted.error) expect(made.why).toMatchObject({ param: wanted.error.body.error.param, code: wanted.error.body.error.code });
    else expect([...made.dropped].sort()).toEqual(wanted.includes('dropped') ? wanted.split(': ')[1].split(',').sort() : []);
  });
});

describe('limits and sampling', () => {
  it.each<[string, number]>([
    ['claude-opus-5', 128_000],
    ['claude-sonnet-4-6', 128_000],
    ['claude-sonnet-4-5-20250929', 64_000],
    ['anthropic/claude-haiku-4.5', 64_000],
    ['claude-sonnet-4-20250514', 64_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-opus-4-1-20250805', 32_000],
    ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', 64_000],
    ['claude-3-5-haiku-20241022', 8_192],
    ['claude-3-haiku-20240307', 4_096],
    ['claude-opus-latest', 128_000],
    ['glm-4.6', 32_000],
  ])('an answer of %s may have %i tokens where nothing was said', (model, limit) => {
    expect(ask({}, model).body.max_tokens).toBe(limit);
  });

  it('the catalog knows better, and the client best', () => {
    const chat = (body: Body) => ({ body: { messages: HI, ...body }, topK: null });
    const limit = (body: Body) => JSON.parse((request(input({ chat: chat(body), maxOutputTokens: 777 })) as WireRequest).body).max_tokens;
    expect([limit({}), limit({ max_tokens: 5 }), limit({ max_tokens: 5, max_completion_tokens: 6 }), limit({ max_completion_tokens: null, max_tokens: 5 })]).toEqual([777, 5, 6, 5]);
  });

  it.each<[Body, string, string]>([
    [{ max_tokens: 0 }, 'claude-sonnet-4-5', 'max_tokens'],
    [{ max_completion_tokens: 1.5 }, 'claude-sonnet-4-5', 'max_completion_tokens'],
    [{ max_tokens: '5' }, 'claude-sonnet-4-5', 'max_tokens'],
    [{ temperature: 1.1 }, 'claude-3-haiku-20240307', 'temperature'],
    [{ temperature: -1 }, 'claude-3-haiku-20240307', 'temperature'],
    [{ temperature: '1' }, 'claude-3-haiku-20240307', 'temperature'],
    [{ temperature: 0.5 }, 'claude-opus-4-7', 'temperature'],
    [{ top_p: 0.9 }, 'claude-opus-4-7', 'top_p'],
    [{ top_p: 1.5 }, 'claude-3-haiku-20240307', 'top_p'],
    [{ temperature: 0.5, top_p: 0.9 }, 'claude-opus-4-6', 'top_p'],
    [{ stop: ' \n' }, 'claude-sonnet-4-5', 'stop'],
    [{ stop: ['a', ''] }, 'claude-sonnet-4-5', 'stop'],
    [{ stop: [7] }, 'claude-sonnet-4-5', 'stop'],
    [{ stop: {} }, 'claude-sonnet-4-5', 'stop'],
  ])('%j is refused by %s', (body, model, param) => {
    expect(ask(body, model).why).toMatchObject({ param, code: 'unsupported_value' });
  });

  it.each<[Body, string, Body]>([
    [{ temperature: 1, top_p: 1 }, 'claude-opus-5', {}],
    [{ temperature: 1, top_p: 0.9 }, 'claude-sonnet-4-5', { top_p: 0.9 }],
    [{ temperature: 0, top_p: 1 }, 'claude-sonnet-4-5', { temperature: 0 }],
    [{ temperature: 0.5, top_p: 0.9 }, 'claude-3-haiku-20240307', { temperature: 0.5, top_p: 0.9 }],
    [{ top_p: 0.99 }, 'claude-opus-5', { top_p: 0.99 }],
    [{ stop: 'a' }, 'claude-opus-5', { stop_sequences: ['a'] }],
    [{ stop: ['a', ' b'] }, 'claude-opus-5', { stop_sequences: ['a', ' b'] }],
    [{ stop: [] }, 'claude-opus-5', {}],
    [{ stop: null, temperature: null }, 'claude-opus-5', {}],
  ])('%j is said to %s', (body, model, said) => {
    const made = ask({ max_tokens: 9, ...body }, model);
    const { model: _model, max_tokens: _limit, messages: _messages, ...rest } = made.body;
    expect(rest).toEqual(said);
    expect(made.dropped).toEqual([]);
  });

  it('top_k, which other surfaces have', () => {
    expect(ask({}, 'claude-sonnet-4-5', 5).body.top_k).toBe(5);
    expect(ask({}, 'claude-opus-4-8', 5).why).toMatchObject({ param: 'top_k', code: 'unsupported_parameter' });
  });
});

describe('members that the wire has no word for', () => {
  it.each<[Body, string]>([
    [{ n: 2 }, 'n'],
    [{ logprobs: true }, 'logprobs'],
    [{ top_logprobs: 2 }, 'top_logprobs'],
    [{ logit_bias: { 1: 2 } }, 'logit_bias'],
    [{ presence_penalty: 0.1 }, 'presence_penalty'],
    [{ frequency_penalty: -1 }, 'frequency_penalty'],
    [{ modalities: ['audio'] }, 'modalities'],
    [{ audio: {} }, 'audio'],
    [{ web_search_options: {} }, 'web_search_options'],
    [{ moderation: { model: 'm', policy: { input: { mode: 'score' }, output: { mode: 'block' } } } }, 'moderation'],
  ])('%j is refused', (body, param) => {
    expect(ask(body).why).toMatchObject({ param });
  });

  it.each<[Body, string[]]>([
    [{ seed: 1, verbosity: 'low', prediction: {}, prompt_cache_key: 'a', prompt_cache_options: {}, prompt_cache_retention: '24h', store: true, metadata: { a: 'b' } }, ['seed', 'verbosity', 'prediction', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'store', 'metadata']],
    [{ moderation: { policy: { input: { mode: 'score' } } } }, ['moderation']],
    [{ service_tier: 'flex' }, ['service_tier']],
    [{ user: 'a', safety_identifier: 'b' }, ['safety_identifier']],
    [{ user: 7 }, ['user']],
    [{ cunning_plan: 1, 'a\r\nSet-Cookie: b': 2 }, ['cunning_plan', 'a__Set-Cookie__b']],
    [{ n: 1, logprobs: false, top_logprobs: 0, logit_bias: {}, presence_penalty: 0, frequency_penalty: 0, modalities: ['text'], store: false, metadata: {}, seed: null, cunning_plan: null }, []],
  ])('%j is left out, and what matters is named', (body, dropped) => {
    expect(ask(body)).toMatchObject({ why: null, dropped });
  });

  it('are not named without end', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`unknown_${at}`, at]));
    expect(ask(many).dropped).toHaveLength(21);
  });

  it('the service tier and the end user have other words', () => {
    expect(ask({ service_tier: 'auto' }).body.service_tier).toBe('auto');
    expect(ask({ service_tier: 'default' }).body.service_tier).toBe('standard_only');
    expect(ask({ safety_identifier: 'u' }).body.metadata).toEqual({ user_id: 'u' });
    expect(ask({ user: 'u', safety_identifier: 'u' })).toMatchObject({ body: { metadata: { user_id: 'u' } }, dropped: [] });
  });
});

it('says whether it streams, and is not changed by it', () => {
  expect(ask({ stream: true }).body.stream).toBe(true);
  expect(ask({}).body).not.toHaveProperty('stream');
});

it('does not change the canonical request, which the next tier is translated from', () => {
  const body = { messages: [...HI, { role: 'assistant', content: [{ type: 'text', text: 'a ' }] }], tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: { type: 'object', minProperties: 1 } } }], temperature: 1 };
  const before = JSON.stringify(body);
  request(input({ chat: { body, topK: null } }));
  expect(JSON.stringify(body)).toBe(before);
});

it('never throws, whatever the messages and members are', () => {
  const odd = fc.oneof(fc.constantFrom<unknown>(null, '', 'auto', [], {}, [null], { type: 'function' }), fc.jsonValue({ maxDepth: 3 }));
  const part = fc.oneof(odd, fc.record({ type: fc.constantFrom('text', 'image_url', 'file', 'refusal', '__proto__'), text: odd, image_url: odd, file: odd, refusal: odd, prompt_cache_breakpoint: odd }, { requiredKeys: ['type'] }));
  const call = fc.oneof(odd, fc.record({ id: odd, type: odd, function: fc.oneof(odd, fc.record({ name: odd, arguments: fc.oneof(odd, fc.json()) })) }));
  const detail = fc.oneof(odd, fc.record({ type: fc.constantFrom('reasoning.text', 'reasoning.encrypted'), format: fc.oneof(fc.constant('anthropic-claude-v1'), odd), text: odd, signature: odd, data: odd }));
  const message = fc.oneof(odd, fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'function', '__proto__'), content: fc.oneof(odd, fc.array(part, { maxLength: 3 })), tool_calls: fc.oneof(odd, fc.array(call, { maxLength: 2 })), tool_call_id: odd, name: odd, function_call: odd, reasoning_details: fc.array(detail, { maxLength: 3 }), reasoning_content: odd, refusal: odd }, { requiredKeys: ['role'] }));
  const members = fc.record({ tools: fc.oneof(odd, fc.array(odd, { maxLength: 2 })), tool_choice: odd, functions: odd, function_call: odd, response_format: odd, reasoning_effort: odd, stop: odd, temperature: odd, top_p: odd, max_tokens: odd, user: odd, metadata: odd, moderation: odd, modalities: odd, service_tier: odd }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(fc.array(message, { maxLength: 5 }), odd), members, fc.constantFrom('claude-opus-5', 'claude-3-haiku-20240307', 'claude-', 'x', ''), (messages, rest, model) => {
      const made = request(input({ chat: { body: { ...rest, messages }, topK: null }, model }));
      if ('body' in made) expect(JSON.parse(made.body)).toMatchObject({ model });
      else expect(made.param).toMatch(/^[a-z_]+/);
    }),
    { numRuns: 2_000 },
  );
});
