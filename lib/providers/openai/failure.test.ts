import { describe, expect, it } from 'vitest';
import type { FailureClass } from '../../wire';
import { errorInside, refusal } from './failure';

describe('by status', () => {
  it.each([
    [301, 'server_error'], [302, 'server_error'], [307, 'server_error'],
    [400, 'invalid_request'], [401, 'auth'], [402, 'quota'], [403, 'auth'], [404, 'not_found'], [405, 'not_found'], [408, 'timeout'],
    [409, 'server_error'], [410, 'not_found'], [413, 'too_large'], [415, 'invalid_request'], [418, 'invalid_request'], [422, 'invalid_request'],
    [425, 'server_error'], [429, 'rate_limited'], [500, 'server_error'], [501, 'server_error'], [502, 'server_error'], [503, 'overloaded'],
    [504, 'server_error'], [505, 'server_error'], [520, 'server_error'], [524, 'server_error'], [527, 'server_error'], [529, 'overloaded'],
  ] as [number, FailureClass][])('%i without a word is %s', (status, cls) => {
    expect(refusal(status, {}, '')).toMatchObject({ class: cls, upstreamStatus: status });
    expect(refusal(status, {}, '<html><title>Oops</title></html>')).toMatchObject({ class: cls, message: 'an HTML page: Oops' });
  });
});

describe('by what is said, whatever the status', () => {
  it.each([
    // prompts that are too long
    ['context_length', 400, { error: { message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.", code: 'context_length_exceeded' } }],
    ['context_length', 400, { object: 'error', message: "This model's maximum context length is 4096 tokens.", type: 'BadRequestError', code: 400 }],
    ['context_length', 400, { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum', type: 'invalid_request_error' } }],
    ['context_length', 400, { error: { code: 400, message: 'the request exceeds the available context size. try increasing the context size', type: 'exceed_context_size_error' } }],
    ['context_length', 400, { error: { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', status: 'INVALID_ARGUMENT' } }],
    ['context_length', 422, { error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096: input is too long' }],
    ['context_length', 500, { error: 'input length exceeds the context length' }],
    ['context_length', 400, { message: 'Range of input length should be [1, 30720], input length exceeds', code: 'InvalidParameter' }],
    ['too_large', 413, { error: { message: 'Request entity too large' } }],
    // money
    ['quota', 429, { error: { message: 'You exceeded your current quota, please check your plan and billing details.', type: 'insufficient_quota', code: 'insufficient_quota' } }],
    ['quota', 402, { error: { message: 'Insufficient Balance', code: 'invalid_request_error' } }],
    ['quota', 400, { error: { message: 'Your credit balance is too low to access the API.', type: 'invalid_request_error' } }],
    ['quota', 429, { error: { message: 'no', code: 'organization_spend_limit_exceeded' } }],
    ['quota', 429, { error: { message: 'Your account is suspended due to insufficient balance', type: 'exceeded_current_quota_error' } }],
    ['quota', 403, { error: { message: 'Your team has either used all available credits or reached its monthly spending limit. Please purchase more credits.', code: 'personal-team-blocked:spending-limit' } }],
    // rates
    ['rate_limited', 429, { error: { message: 'Rate limit reached for gpt-4.1 on tokens per min (TPM). Visit https://platform.openai.com/account/billing to add a payment method', type: 'tokens', code: 'rate_limit_exceeded' } }],
    ['rate_limited', 429, { error: { code: 429, message: 'You exceeded your current quota', status: 'RESOURCE_EXHAUSTED' } }],
    ['rate_limited', 429, { error: { message: 'Requests have exceeded call rate limit of your current OpenAI S0 pricing tier. Contact us to increase the default rate limit/quota.', code: '429' } }],
    ['rate_limited', 429, { error: { message: 'slow', code: 'slow_down' } }],
    ['rate_limited', 413, { error: { message: 'Request too large for model on tokens per minute (TPM)', type: 'tokens', code: 'rate_limit_exceeded' } }],
    // load
    ['overloaded', 503, { error: { message: 'x', type: 'service_unavailable_error', code: 'server_is_overloaded' } }],
    ['overloaded', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    ['overloaded', 500, { error: { type: 'api_error', message: 'Overloaded' } }],
    ['overloaded', 429, { error: { type: 'engine_overloaded_error', message: 'The engine is currently overloaded, please try again later' } }],
    // keys
    ['auth', 400, { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }],
    ['auth', 403, { error: { message: 'Country, region, or territory not supported', code: 'unsupported_country_region_territory' } }],
    // models
    ['not_found', 404, { error: { message: 'The model `x` does not exist or you do not have access to it.', code: 'model_not_found' } }],
    ['not_found', 400, { object: 'error', message: 'Invalid model: x', type: 'invalid_model', code: '1500' }],
    ['not_found', 400, { error: { message: 'Model Not Exist', type: 'invalid_request_error' } }],
    ['not_found', 400, { error: { message: 'foo/bar is not a valid model ID', code: 400 } }],
    // refusals
    ['content_policy', 400, { error: { message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", code: 'content_filter' } }],
    ['content_policy', 400, { error: { message: 'Your request was rejected as a result of our safety system.', code: 'content_policy_violation' } }],
    ['content_policy', 403, { error: { code: 403, message: 'Input was flagged by moderation' } }],
    ['content_policy', 400, { error: { message: 'Input data may contain inappropriate content.', code: 'data_inspection_failed' } }],
    // the caller's own
    ['invalid_request', 400, { error: { message: 'max_tokens is too large: 100000. This model supports at most 16384 completion tokens', param: 'max_tokens', code: 'invalid_value' } }],
    ['invalid_request', 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }],
    ['invalid_request', 400, { error: { message: "Unknown parameter: 'foo'.", code: 'unknown_parameter', param: 'foo' } }],
    ['invalid_request', 400, { error: { message: "'temperature' does not support 0 with this model." } }],
  ] as [FailureClass, number, unknown][])('%s: %i %j', (cls, status, body) => {
    expect(refusal(status, {}, JSON.stringify(body)).class).toBe(cls);
  });
});

describe('inside a 200', () => {
  it.each([
    [{ error: 'upstream said no' }, 'server_error', null, 'upstream said no'],
    [{ error: { code: 429, message: 'slow' } }, 'rate_limited', 429, 'slow'],
    [{ error: { code: '503', message: 'gone' } }, 'overloaded', 503, 'gone'],
    [{ error: { message: 'bad', type: 'invalid_request_error', code: null } }, 'invalid_request', null, 'bad'],
    [{ object: 'error', message: 'x', type: 'BadRequestError', code: 400 }, 'invalid_request', 400, 'x'],
    [{ detail: 'Not authenticated' }, 'server_error', null, 'Not authenticated'],
    [{ detail: [{ loc: [{ toString: 1 }], msg: { toString: 1 } }] }, 'server_error', null, '{"toString":1}: {"toString":1}'],
    [{ error_type: 'rate_limit', error_message: 'slow' }, 'rate_limited', null, 'slow'],
    [{ error: { type: 'server_error' } }, 'server_error', null, '{"type":"server_error"}'],
    [{ error: { type: 'timeout_error', message: 'late' } }, 'timeout', null, 'late'],
    [{ base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'server_error', null, 'login fail'],
    [{ code: 500, message: 'boom' }, 'server_error', 500, 'boom'],
  ] as [unknown, FailureClass, number | null, string][])('%j', (value, cls, status, message) => {
    expect(errorInside(value)).toMatchObject({ class: cls, upstreamStatus: status, message });
  });
});

describe('the asked-for delay', () => {
  it.each([
    [{ 'retry-after': '30' }, '', 30_000],
    [{ 'retry-after': '0.5' }, '', 500],
    [{ 'retry-after': '30', 'retry-after-ms': '250' }, '', 250],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:10 GMT', date: 'Mon, 30 Nov 2026 12:00:00 GMT' }, '', 10_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT', date: 'Mon, 30 Nov 2026 12:00:00 GMT' }, '', 0],
    [{ 'retry-after': 'soon' }, '', null],
    [{}, '{"error":{"message":"Please try again in 1.2s."}}', 1200],
    [{}, '{"error":{"message":"Please retry after 8 seconds."}}', 8000],
    [{}, '{"error":{"details":[{"@type":"RetryInfo","retryDelay":"34s"}]}}', 34_000],
    [{}, '', null],
  ])('%j %s', (headers, body, expected) => {
    expect(refusal(429, headers as Record<string, string>, body).retryAfterMs).toBe(expected);
  });
});

describe('what is passed on', () => {
  it.each([
    ['lists', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ])('is plain text where %s nest so deep that they could not be written again', (_, nested) => {
    for (const body of [`{"error":{"message":${nested}}}`, `{"error":${nested}}`, nested]) expect(refusal(400, {}, body).class).toBe('invalid_request');
  });

  it('keeps type, code and param, and a bounded message', () => {
    const failure = refusal(400, {}, JSON.stringify({ error: { message: 'x'.repeat(5000), type: 'a', code: 7, param: 'b' } }));
    expect(failure.upstreamError).toMatchObject({ type: 'a', code: '7', param: 'b' });
    expect(failure.upstreamError!.message.length).toBe(2000);
    expect(failure.message.length).toBe(300);
  });

  it.each([
    'Incorrect API key provided: sk-proj-abcdefghijkl1234. You can find it',
    'Incorrect API key provided: sk-fx*****3456.',
    'Authorization: Bearer abc.def-ghi was refused',
    'GET https://api.example/v1?key=AIzaSyA1234567890abcdef&x=1 failed',
    'https://user:hunter2@host/ failed',
    'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefg',
    'Invalid api key: "plainsecret99"',
    'key gsk_abcdefghijklmnop or xai-abcdefghijkl or ohm_sk_abcdefghijklmnop',
    'raw 0123456789abcdef0123456789abcdef0123456789abcdef',
  ])('never repeats a credential: %s', (message) => {
    const text = JSON.stringify(refusal(401, {}, JSON.stringify({ error: { message } })));
    for (const secret of ['sk-', 'abcdefghijkl', '3456', 'abc.def', 'AIza', 'hunter2', 'eyJ', 'plainsecret', '0123456789abcdef']) expect(text).not.toContain(secret);
  });

  it('leaves ordinary sentences alone', () => {
    const message = 'The model `gpt-4o-mini-2024-07-18` does not exist (request req_011CSHoEeqs5C35K2UUqR7Fy).';
    expect(refusal(404, {}, JSON.stringify({ error: { message } })).message).toBe(message);
  });
});
