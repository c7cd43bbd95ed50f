import { describe, expect, it } from 'vitest';
import { type FailureClass } from '../../wire';
import { gemini } from '.';

const wholeBody = (body: unknown) => gemini.wholeBody(typeof body === 'string' ? body : JSON.stringify(body), 'chat');
const answer = (rest: object, more: object = {}) => ({ candidates: [{ content: { parts: [{ text: 'Hi' }], role: 'model' }, index: 0, ...rest }], modelVersion: 'gemini-x', responseId: 'r', ...more });

it('reads an answer', () => {
  const usage = { promptTokens: 9, completionTokens: 5, totalTokens: 14, cachedTokens: 0, cacheWriteTokens: null, reasoningTokens: 3 };
  expect(wholeBody(answer({ finishReason: 'STOP' }, { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 14 } }))).toEqual({
    ok: true,
    model: 'gemini-x',
    usage,
    events: [
      { type: 'identity', id: 'r', created: 0, model: 'gemini-x' },
      { type: 'choice', choice: 0 },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'finish', choice: 0, reason: 'stop', native: null, stopSequence: null },
      { type: 'usage', usage },
    ],
  });
});

it('takes an empty answer with an end, and a blocked prompt, for answers', () => {
  expect(wholeBody({ candidates: [{ finishReason: 'MAX_TOKENS' }] })).toMatchObject({ ok: true, usage: null, model: null });
  expect(wholeBody({ promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({ ok: true, events: [{ type: 'choice' }, { type: 'finish', reason: 'content_filter' }] });
});

describe('no answer', () => {
  it.each([
    ['', 'malformed'],
    ['<html>', 'malformed'],
    ['{"candidates":', 'malformed'],
    ['[]', 'malformed'],
    ['{}', 'malformed'],
    ['{"candidates":[]}', 'malformed'],
    ['{"usageMetadata":{"promptTokenCount":1}}', 'malformed'],
    [answer({}), 'malformed'],
    [{ candidates: [{ finishReason: 'STOP' }, { index: 1 }] }, 'malformed'],
    [answer({ finishReason: 'STOP', content: { parts: [{ text: 7 }] } }), 'malformed'],
    [answer({ finishReason: 'MALFORMED_FUNCTION_CALL' }), 'server_error'],
    [{ error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } }, 'rate_limited'],
    [[{ error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }], 'overloaded'],
  ])('%j is %s', (body, cls) => {
    expect(wholeBody(body)).toMatchObject({ ok: false, failure: { class: cls } });
  });
});

describe('errors by Google’s names', () => {
  const google = (code: number, status: string, message = 'x', details: object[] = []) => gemini.refusal(code, {}, JSON.stringify({ error: { code, message, status, details } }));

  it.each([
    [400, 'INVALID_ARGUMENT', 'Invalid value at temperature', 'invalid_request'],
    [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'auth'],
    [400, 'INVALID_ARGUMENT', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 'context_length'],
    [400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.', 'auth'],
    [401, 'UNAUTHENTICATED', 'x', 'auth'],
    [403, 'PERMISSION_DENIED', 'x', 'auth'],
    [404, 'NOT_FOUND', 'models/nope is not found', 'not_found'],
    [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', 'rate_limited'],
    [429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.', 'quota'],
    [499, 'CANCELLED', 'x', 'server_error'],
    [500, 'INTERNAL', 'x', 'server_error'],
    [503, 'UNAVAILABLE', 'x', 'overloaded'],
    [504, 'DEADLINE_EXCEEDED', 'x', 'timeout'],
  ] as [number, string, string, FailureClass][])('%i %s, "%s": %s', (code, status, message, cls) => {
    expect(google(code, status, message)).toMatchObject({ class: cls, upstreamStatus: code });
  });

  it('a fault of the caller’s is told in OpenAI’s words, with Google’s own name for it', () => {
    expect(google(400, 'INVALID_ARGUMENT', 'Invalid value').upstreamError).toEqual({ message: 'Invalid value', type: 'invalid_request_error', code: 'INVALID_ARGUMENT', param: null });
  });

  it('the delay stands in the details; spent money is never waited for', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }];
    expect(google(429, 'RESOURCE_EXHAUSTED', 'x', details).retryAfterMs).toBe(34_000);
    expect(google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.', details).retryAfterMs).toBeNull();
  });

  it('by status where Google says nothing', () => {
    for (const [status, cls] of [[401, 'auth'], [404, 'not_found'], [429, 'rate_limited'], [500, 'server_error'], [503, 'overloaded'], [502, 'server_error']] as const) {
      expect(gemini.refusal(status, {}, '<html><title>Oops</title></html>')).toMatchObject({ class: cls, message: 'an HTML page: Oops' });
    }
  });
});
