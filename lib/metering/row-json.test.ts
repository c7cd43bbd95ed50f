import { expect, test } from 'vitest';
import type { AdmittedRow, CallRow } from './call-row';
import { admitted, attempt, finished } from './fixtures';
import { admittedJson, admittedOf, rowJson, rowOf } from './row-json';

const ODD = 'a "quoted" \\ name\n\u0000 \ud800 😀 é';
const FULL: Required<CallRow> = {
  ...(finished(admitted({ route: ODD, requested_model: ODD, tag: ODD })) as Required<CallRow>),
  replay: 'MISS',
  status: 200,
  error_code: 'stream_truncated',
  connection_id: ODD,
  model: ODD,
  model_reported: ODD,
  finish_reason: 'stop',
  alert_class: 'cut.after_content',
  attempts: [attempt({ model: ODD, message: ODD, class: 'cut', skip_reason: 'degraded', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cached_tokens: 0, cache_write_tokens: null, reasoning_tokens: 1.5 } }), attempt({ upstream_status: null, headers_ms: null })],
  eco: [{ tier: 1, prompt_tokens: 1, completion_tokens: 2, completion_source: 'default', candidates: [], not_listed: 0, chosen: { connection: ODD, model: ODD } }],
  usage_estimated: ['prompt_tokens'],
  savers: [{ saver: 'log-fold', texts: 1, bytes_before: 2, bytes_after: 1, tokens_before: null, tokens_after: null, undone: null }],
  tokens_before: 1,
  tokens_after: 0,
  tokenizer: 'o200k_base',
  arm: 'treated',
  conversation: 'c',
  prompt_cost_nano_usd: 5,
  avoided_nano_usd: 6,
  budget_nano_usd: 7,
};

test('says what JSON.stringify says, of every member', () => {
  expect(Object.values(FULL)).not.toContain(null);
  expect(rowJson(FULL)).toMatch(/^\{"id":"call_/);
  expect(rowOf(rowJson(FULL))).toEqual(JSON.parse(JSON.stringify(FULL)));
  const row = Object.fromEntries(Object.keys(admitted()).map((name) => [name, FULL[name as keyof AdmittedRow]])) as unknown as AdmittedRow;
  expect(admittedJson(row)).toBe(JSON.stringify(row));
});

test('is JSON whatever the figures are', () => {
  const row = finished(undefined, { first_content_ms: Number.NaN, attempts: [attempt({ started_ms: Number.NaN, bytes: Number.POSITIVE_INFINITY })], usage: { prompt_tokens: Number.NaN, completion_tokens: 1e21, total_tokens: -0, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null } });
  expect(rowOf(rowJson(row))).toEqual(rowOf(JSON.stringify(row)));
});

test('what is null is left out, and null again once it is read', () => {
  const unread = finished(admitted({ route: null, requested_model: null, stream: null }), { usage: null, usage_source: null, tier: null, attempts: [attempt({ upstream_status: null, usage: null })], cost_nano_usd: null, first_content_ms: Number.NaN });
  const json = rowJson(unread);
  expect(json).not.toContain('null');
  expect(rowOf(json)).toMatchObject({ route: null, requested_model: null, stream: null, tag: null, usage: null, tier: null, attempts: unread.attempts, cost_nano_usd: null, first_content_ms: null, eco: null });
  expect(admittedOf(admittedJson(admitted({ tag: null, stream: null })))).toMatchObject({ tag: null, stream: null });
});
