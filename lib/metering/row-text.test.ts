import { expect, test } from 'vitest';
import type { AdmittedRow, CallRow } from './call-row';
import { admitted, attempt, finished } from './fixtures';
import { isPacked, packedAdmission, packedRow } from './packed-row';
import { admittedJson, NOTHING_KNOWN, rowJson } from './row-json';
import { admittedOf, admittedText, idOf, rowOf, rowText } from './row-text';

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
  eco: [{ tier: 1, prompt_tokens: 1, completion_tokens: 2, completion_source: 'default', candidates: [{ connection: 'c', model: 'm', cost_nano_usd: null, price_version: null, left_out: 'unpriced' }], not_listed: 0, chosen: { connection: ODD, model: ODD } }],
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
const MORE = ['eco', 'savers', 'tokens_before', 'tokens_after', 'tokenizer', 'arm', 'conversation', 'prompt_cost_nano_usd', 'avoided_nano_usd', 'budget_nano_usd'] as const;
const withoutMore = (row: CallRow): CallRow => ({ ...row, ...Object.fromEntries(MORE.map((name) => [name, null])) });

test('JSON says what JSON.stringify says, of every member', () => {
  expect(Object.values(FULL)).not.toContain(null);
  expect(rowJson(FULL)).toMatch(/^\{"id":"call_/);
  expect(rowOf(rowJson(FULL))).toEqual(JSON.parse(JSON.stringify(FULL)));
  const row = Object.fromEntries(Object.keys(admitted()).map((name) => [name, FULL[name as keyof AdmittedRow]])) as unknown as AdmittedRow;
  expect(admittedJson(row)).toBe(JSON.stringify(row));
});

test('it is JSON whatever the figures are', () => {
  const row = finished(undefined, { first_content_ms: Number.NaN, attempts: [attempt({ started_ms: 0.5, bytes: 1 })], usage: { prompt_tokens: Number.NaN, completion_tokens: 1e21, total_tokens: -0, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null } });
  expect(rowOf(rowJson(row))).toEqual(rowOf(JSON.stringify(row)));
});

test('what is null is left out of it, and null again once it is read', () => {
  const unread = finished(admitted({ route: null, requested_model: null, stream: null }), { usage: null, usage_source: null, tier: null, attempts: [attempt({ upstream_status: null, usage: null })], cost_nano_usd: null, first_content_ms: Number.NaN });
  for (const text of [rowJson(unread), rowText(unread)]) {
    expect(text).not.toContain('null');
    expect(rowOf(text)).toMatchObject({ route: null, requested_model: null, stream: null, tag: null, usage: null, tier: null, attempts: unread.attempts, cost_nano_usd: null, first_content_ms: null, eco: null });
  }
  for (const text of [admittedJson, admittedText]) expect(admittedOf(text(admitted({ tag: null, stream: null })))).toMatchObject({ tag: null, stream: null });
});

test('a packed row is read as what it was, each member set and each null', () => {
  const plain = withoutMore({ ...FULL, route: 'r', requested_model: 'gpt-4o: mini/é', tag: '', connection_id: 'c', model: 'm', model_reported: 'm', attempts: FULL.attempts.map((each) => ({ ...each, model: 'm', message: each.message && 'said: "no"'.replaceAll('"', "'") })) });
  const nullable = (Object.keys(NOTHING_KNOWN) as (keyof CallRow)[]).filter((name) => plain[name] !== null);
  expect(nullable.length).toBeGreaterThan(20);
  for (const row of [plain, finished(), finished(undefined, { attempts: [] }), ...nullable.map((name) => ({ ...plain, [name]: null }) as CallRow)]) {
    const text = rowText(row);
    expect(isPacked(text)).toBe(true);
    expect(text).not.toContain('\n');
    expect(rowOf(text)).toEqual(row);
    expect(idOf(text)).toBe(row.id);
  }
  const admission = admitted({ tag: 'a tag', stream: null });
  expect(admittedText(admission)).toMatch(/^\(call_/);
  expect(admittedOf(admittedText(admission))).toEqual(admission);
});

test('what cannot stand as it is in a packed row, and what only some rows have, takes JSON', () => {
  for (const odd of ['a"', 'a\\', 'a,b', '(', ')', 'a\nb', 'a\u0000', '\ud800', '😀']) {
    for (const change of [{ route: odd }, { requested_model: odd }, { tag: odd }, { model_reported: odd }, { error_code: odd }, { finish_reason: odd }, { attempts: [attempt({ message: odd })] }, { attempts: [attempt(), attempt({ model: odd })] }]) {
      const row = finished(undefined, change as Partial<CallRow>);
      expect(packedRow(row)).toBeNull();
      expect(rowOf(rowText(row))).toEqual(JSON.parse(JSON.stringify(row)));
    }
    expect(packedAdmission(admitted({ route: odd }))).toBeNull();
    expect(idOf(admittedText(admitted({ id: 'call_1', route: odd })))).toBe('call_1');
  }
  for (const name of MORE) expect(packedRow({ ...finished(), [name]: FULL[name] })).toBeNull();
});
