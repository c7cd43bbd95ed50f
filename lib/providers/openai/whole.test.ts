import { describe, expect, it } from 'vitest';
import { embeddingsBody, wholeBody } from './whole';

const answer = (choice: object, rest: object = {}) => JSON.stringify({ id: 'a', created: 5, model: 'm', choices: [{ index: 0, ...choice }], ...rest });

it('reads an answer', () => {
  const body = answer(
    { message: { role: 'assistant', content: 'Hi', reasoning_content: 'hm', tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }] }, finish_reason: 'tool_calls' },
    { usage: { prompt_tokens: 69, completion_tokens: 2, total_tokens: 71 } },
  );
  const usage = { promptTokens: 69, completionTokens: 2, totalTokens: 71, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null, reported: { dialect: 'openai', usage: { prompt_tokens: 69, completion_tokens: 2, total_tokens: 71 } } };
  expect(wholeBody(body)).toEqual({
    ok: true,
    model: 'm',
    usage,
    events: [
      { type: 'identity', id: 'a', created: 5, model: 'm' },
      { type: 'choice', choice: 0 },
      { type: 'reasoning', choice: 0, text: 'hm' },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'tool_call', choice: 0, index: 0, id: 't', name: 'f', arguments: '{}' },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: null, stopSequence: null },
      { type: 'usage', usage },
    ],
  });
});

const CALL = { id: 't', type: 'function', function: { name: 'f', arguments: '{}' } };

it.each([
  ['reasoning by its short name', { content: 'x', reasoning: 'hm' }, { type: 'reasoning', choice: 0, text: 'hm', spelled: 'reasoning' }],
  ['a citation', { content: 'x', annotations: [{ type: 'url_citation', url_citation: { url: 'https://a', title: 't', start_index: 0, end_index: 1 } }] }, { type: 'annotation', choice: 0, annotation: { url: 'https://a', title: 't', startIndex: 0, endIndex: 1 } }],
  ['another annotation', { content: 'x', annotations: [{ type: 'file_path' }] }, { type: 'dropped', what: 'annotations' }],
  ['a member that it has no event for', { content: 'x', reasoning_details: [{ type: 'reasoning.encrypted' }] }, { type: 'dropped', what: 'reasoning_details' }],
  ['thinking that is signed', { content: 'x', reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'SIG', format: 'anthropic-claude-v1', index: 0 }] }, { type: 'signature', choice: 0, format: 'anthropic-claude-v1', kind: 'signature', data: 'SIG', tool: null, detailed: true }],
  ['a custom tool call', { tool_calls: [{ id: 't', type: 'custom', custom: { name: 'f', input: 'x' } }] }, { type: 'tool_call', choice: 0, index: 0, id: 't', name: 'f', arguments: 'x' }],
  ['a call that Google signed', { tool_calls: [CALL, { ...CALL, id: 'u', extra_content: { google: { thought_signature: 'SIG' } } }] }, { type: 'signature', choice: 0, format: 'google-gemini-v1', kind: 'signature', data: 'SIG', tool: 1 }],
  ['a call with something else beside it', { tool_calls: [{ ...CALL, extra_content: { other: 1 } }] }, { type: 'dropped', what: 'extra_content' }],
])('tells of %s', (_, message, event) => {
  expect(wholeBody(answer({ message, finish_reason: 'stop' }))).toMatchObject({ ok: true, events: expect.arrayContaining([event]) });
});

it('tells of log probabilities and of sources that stand beside the choices', () => {
  const read = wholeBody(answer({ message: { content: 'x' }, finish_reason: 'stop', logprobs: { content: [{ token: 'x', logprob: 0 }] } }, { citations: ['https://a'] }));
  expect(read).toMatchObject({ events: expect.arrayContaining([{ type: 'logprobs', choice: 0, logprobs: { content: [{ token: 'x', logprob: 0 }] } }, { type: 'dropped', what: 'citations' }]) });
});

it('takes an empty answer with a finish reason for an answer', () => {
  expect(wholeBody(answer({ message: { content: null }, finish_reason: 'length' }))).toMatchObject({ ok: true, usage: null });
});

it.each([['end_turn', 'stop'], ['max_tokens', 'length']])('takes an answer that ended with %s for an answer', (word, reason) => {
  expect(wholeBody(answer({ message: { content: 'x' }, finish_reason: word }))).toMatchObject({ ok: true, events: expect.arrayContaining([expect.objectContaining({ type: 'finish', reason, native: word })]) });
});

describe('no answer', () => {
  it.each([
    ['', 'malformed'],
    ['<html>', 'malformed'],
    ['{"id":', 'malformed'],
    ['[]', 'malformed'],
    ['{}', 'malformed'],
    ['{"choices":[]}', 'malformed'],
    ['{"choices":[{"index":0}]}', 'malformed'],
    [answer({ message: { content: 7 }, finish_reason: 'stop' }), 'malformed'],
    [answer({ message: { content: 'x' } }), 'malformed'],
    [answer({ message: { content: 'x' }, finish_reason: 'network_error' }), 'server_error'],
    [answer({ message: { content: '' }, finish_reason: 'error' }, { error: { code: 429, message: 'slow' } }), 'rate_limited'],
    ['{"error":{"message":"no credit","code":"insufficient_quota"}}', 'quota'],
    ['{"error":"x"}', 'server_error'],
    ['{"detail":"x"}', 'server_error'],
    ['[{"error":{"code":503,"message":"x"}}]', 'overloaded'],
  ])('%s is %s', (body, cls) => {
    expect(wholeBody(body)).toMatchObject({ ok: false, failure: { class: cls } });
  });
});

describe('embeddings', () => {
  const vectors = (...embeddings: unknown[]) => JSON.stringify({ object: 'list', data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })), usage: { prompt_tokens: 4, total_tokens: 4 } });

  it.each([
    [vectors([0.5, -1]), 1],
    [vectors([0], [1]), 2],
    [vectors('AAAAPwAAgL8='), 1],
    [vectors([0], 'AAAAPw=='), null],
  ])('%s for %j inputs are an answer', (body, wanted) => {
    expect(embeddingsBody(body, wanted)).toMatchObject({ ok: true, usage: { promptTokens: 4, completionTokens: 0 } });
  });

  it.each([
    ['{"data":[{"embedding":null},null]}', 2],
    ['{"data":[null]}', 1],
    ['{"data":[{}]}', 1],
    ['{"data":[]}', null],
    [vectors([1]), 2],
    [vectors([1], [2]), 1],
    [vectors([]), 1],
    [vectors(''), 1],
    [vectors('no base64!'), 1],
    [vectors([1, null]), 1],
    [vectors([['1']]), null],
    [vectors({ 0: 1 }), null],
  ])('%s for %j inputs are none', (body, wanted) => {
    expect(embeddingsBody(body, wanted)).toMatchObject({ ok: false, failure: { class: 'malformed' } });
  });
});
