import { describe, expect, it } from 'vitest';
import { openaiResponses } from '.';

const read = (body: unknown) => openaiResponses.wholeBody(typeof body === 'string' ? body : JSON.stringify(body), 'chat');
const response = (output: unknown[], rest: object = {}) => ({ id: 'resp_1', object: 'response', created_at: 5, model: 'm', status: 'completed', error: null, output, ...rest });

it('reads an answer', () => {
  const told = { input_tokens: 69, output_tokens: 2, total_tokens: 71, input_tokens_details: { cached_tokens: 3 }, output_tokens_details: { reasoning_tokens: 1 } };
  const usage = { promptTokens: 69, completionTokens: 2, totalTokens: 71, cachedTokens: 3, cacheWriteTokens: null, reasoningTokens: 1, reported: { dialect: 'openai-responses', usage: told } };
  expect(
    read(
      response(
        [
          { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gA' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [{ type: 'url_citation', url: 'https://x.test', title: 'X', start_index: 0, end_index: 2 }] }] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        ],
        { usage: told },
      ),
    ),
  ).toEqual({
    ok: true,
    model: 'm',
    usage,
    events: [
      { type: 'identity', id: 'resp_1', created: 5, model: 'm' },
      { type: 'choice', choice: 0 },
      { type: 'reasoning', choice: 0, text: 'hm' },
      { type: 'signature', choice: 0, format: 'openai-responses-v1', kind: 'encrypted', data: 'gA', tool: null },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'annotation', choice: 0, annotation: { url: 'https://x.test', title: 'X', startIndex: 0, endIndex: 2 } },
      { type: 'tool_call', choice: 0, index: 0, id: 'c', name: 'f', arguments: '' },
      { type: 'tool_call', choice: 0, index: 0, id: null, name: null, arguments: '{}' },
      { type: 'usage', usage },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'completed', stopSequence: null },
    ],
  });
});

describe('no answer', () => {
  it.each([
    ['', 'malformed'],
    ['<html>', 'malformed'],
    ['[]', 'malformed'],
    ['{}', 'malformed'],
    [response([7]), 'malformed'],
    [{ id: 'x', choices: [] }, 'malformed'],
    [response([], { status: 'queued' }), 'server_error'],
    [response([], { status: 'in_progress' }), 'server_error'],
    [response([], { status: 'incomplete', incomplete_details: { reason: 'banana' } }), 'server_error'],
    [response([], { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow' } }), 'rate_limited'],
    [{ error: { message: 'no credit', code: 'insufficient_quota' } }, 'quota'],
    ['{"detail":"x"}', 'server_error'],
  ])('%j is %s', (body, cls) => {
    expect(read(body)).toMatchObject({ ok: false, failure: { class: cls } });
  });
});
