import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { ALERT_KINDS, kindOf, spanWords, type AlertKind } from './kinds';
import { alertMessage, firedSummary, NO_FACTS, recoveredSummary, type AlertFacts, type MessageInput } from './message';
import { PAUSES_MS, pauseAfter, retryAfterMs } from './schedule';
import { checkedRule } from './rule-check';
import { checkWebhookUrl } from './send-webhook';
import { newWebhookSecret, webhookHeaders } from './sign';

const call = { id: 'call_1', at: '2026-11-30T12:00:00.000Z', provider: 'openai', model: 'gpt-4o', upstream_status: 429, flushed_bytes: 5_312 };
const facts = (rest: Partial<AlertFacts> = {}): AlertFacts => ({ ...NO_FACTS, ...rest });
const budget = { scope: 'key', key_id: 'key_1', name: 'ci', period: 'day', limit_nano_usd: 10_000_000_000, spent_nano_usd: 8_300_000_041, resets_at: '2026-12-01T00:00:00.000Z' } as const;

describe('what happened, in a sentence', () => {
  test.each<[AlertKind, number, { subject?: string; value: number; facts: AlertFacts }, string]>([
    ['rate_limited.before_content', 300, { value: 3, facts: facts({ latest_call: { ...call, flushed_bytes: 0 } }) }, '429 after 0 bytes: 3 calls in 5 min, the latest by openai gpt-4o.'],
    ['rate_limited.after_content', 300, { value: 1, facts: facts({ latest_call: call }) }, '429 after 5,312 bytes: 1 call in 5 min, the latest by openai gpt-4o.'],
    ['rate_limited.after_content', 300, { value: 1, facts: facts({ latest_call: { ...call, upstream_status: null, model: null } }) }, 'Rate limit after 5,312 bytes: 1 call in 5 min, the latest by openai.'],
    ['stalled.before_content', 90, { value: 2, facts: facts({ latest_call: { ...call, flushed_bytes: 0 } }) }, 'Stalled after 0 bytes: 2 calls in 90 s, the latest by openai gpt-4o.'],
    ['stalled.after_content', 3_600, { value: 2, facts: facts({ latest_call: call }) }, 'Stalled after 5,312 bytes: 2 calls in 1 h, the latest by openai gpt-4o.'],
    ['auth', 300, { subject: 'main', value: 4, facts: facts({ latest_call: call }) }, 'Connection main had its credential rejected: 4 calls in 5 min, the latest by openai gpt-4o.'],
    ['budget', 60, { value: 83.00000041, facts: facts({ budget }) }, '83% of the daily budget of key ci is used: $8.300000041 of $10.00. It begins anew at 2026-12-01T00:00:00.000Z (UTC).'],
    ['budget', 60, { value: 100.4, facts: facts({ budget: { ...budget, scope: 'workspace', period: 'month' } }) }, '100.4% of the monthly budget of the workspace is used: $8.300000041 of $10.00. It begins anew at 2026-12-01T00:00:00.000Z (UTC).'],
    ['no_traffic', 3_600, { value: 0, facts: facts() }, 'No calls in 1 h.'],
    ['no_traffic', 86_400, { value: 1, facts: facts() }, 'Only 1 call in 1 day.'],
    ['unpriced_model', 300, { subject: 'openai/gpt-x', value: 12, facts: facts() }, 'No price is known for openai/gpt-x: 12 calls in 5 min used tokens.'],
    ['failover_rate', 900, { value: 34.21, facts: facts({ of: 50 }) }, 'Failover rate 34.2% of 50 calls in 15 min.'],
    ['truncation_rate', 900, { value: 2.125, facts: facts({ of: 1_234 }) }, 'Truncation rate 2.13% of 1,234 calls in 15 min.'],
  ])('%s in %i s', (kind, windowS, sample, sentence) => {
    expect(firedSummary(kind, windowS, { subject: '', ...sample })).toBe(sentence);
  });

  test('its end says why', () => {
    expect(recoveredSummary('auth', 'main', 'clear', 300)).toBe('Recovered: Credential rejected (main), clear for 5 min.');
    expect(recoveredSummary('no_traffic', '', 'clear', 0)).toBe('Recovered: No traffic.');
    for (const ended of ['rule_edited', 'rule_disabled', 'rule_deleted'] as const) expect(recoveredSummary('auth', '', ended, 300)).toMatch(/^Ended: Credential rejected; the alert /);
  });

  test('spans are told in their largest whole unit', () => {
    expect([10, 60, 90, 3_600, 5_400, 86_400, 604_800].map(spanWords)).toEqual(['10 s', '1 min', '90 s', '1 h', '90 min', '1 day', '7 days']);
  });
});

describe('a message', () => {
  const input: MessageInput = {
    event: { id: 'event_1', episodeId: 'episode_1', type: 'fired', subject: '', value: 1, threshold: 1, summary: '429 after 5,312 bytes: 1 call in 5 min.', facts: facts({ latest_call: call }), at: new Date('2026-11-30T12:00:30.000Z') },
    rule: { id: 'alert_1', name: 'cut', kind: 'rate_limited.after_content', windowS: 300, scopeType: 'route', scopeId: 'route_1' },
    scopeName: 'chat',
    workspace: { id: 'ws_1', slug: 'acme', name: 'Acme' },
    publicUrl: 'https://ohm.example',
  };

  test('says the same to a person and to a program, and links to the alert and the call', () => {
    const { subject, text, payload } = alertMessage(input);
    expect(subject).toBe('[Ohm] Firing: cut (Acme)');
    for (const part of ['429 after 5,312 bytes', 'route chat', 'https://ohm.example/acme/alerts/alert_1', 'https://ohm.example/acme/calls/call_1', '2026-11-30T12:00:30.000Z (UTC)']) expect(text).toContain(part);
    expect(payload).toMatchObject({
      type: 'alert.fired', timestamp: '2026-11-30T12:00:30.000Z',
      data: { kind: 'rate_limited.after_content', alert_id: 'alert_1', episode_id: 'episode_1', value: 1, threshold: 1, unit: 'calls', latest_call: { flushed_bytes: 5_312, upstream_status: 429 }, scope: { type: 'route', name: 'chat' }, workspace: { slug: 'acme' } },
    });
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(20_000);
  });
});

describe('a signature', () => {
  const body = JSON.stringify({ type: 'alert.test', data: { text: 'Zürich 🚦 "quoted"' } });
  const nowS = () => Math.floor(Date.now() / 1000);

  test('is accepted by another implementation of Standard Webhooks, and only for this body, id and time', () => {
    const secret = newWebhookSecret();
    const headers = webhookHeaders('msg_1', nowS(), body, [secret]);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, webhookHeaders('msg_1', nowS() - 301, body, [secret]))).toThrow(/old/);
  });

  test('is one of each secret while both hold', () => {
    const [present, former] = [newWebhookSecret(), newWebhookSecret()];
    const headers = webhookHeaders('msg_1', nowS(), body, [present, former]);
    for (const secret of [present, former]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  });

  test('secrets are 256 random bits', () => {
    expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(newWebhookSecret());
  });
});

describe('tries', () => {
  test('are nine over more than a day, each pause within a tenth of its own', () => {
    const pauses = Array.from({ length: 9 }, (_, at) => [pauseAfter(at + 1, 0, null), pauseAfter(at + 1, 0.999999, null)] as const);
    for (const [at, [least, most]] of pauses.entries()) {
      if (at === 8) expect([least, most]).toEqual([null, null]);
      else expect([least, most]).toEqual([Math.round(PAUSES_MS[at]! * 0.9), expect.toSatisfy((value: number) => value <= PAUSES_MS[at]! * 1.1)]);
    }
    expect(PAUSES_MS.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(24 * 3_600_000);
  });

  test('wait as long as the receiver asks, within bounds', () => {
    expect(pauseAfter(1, 0.5, 60_000)).toBe(60_000);
    expect(pauseAfter(1, 0.5, 1)).toBe(5_000);
    expect(pauseAfter(1, 0.5, 1e12)).toBe(12 * 3_600_000);
    const now = Date.parse('2026-11-30T12:00:00Z');
    expect([undefined, '120', 'Mon, 30 Nov 2026 12:01:00 GMT', 'Mon, 30 Nov 2026 11:00:00 GMT', 'soon', '-5'].map((header) => retryAfterMs(header, now))).toEqual([null, 120_000, 60_000, 0, null, expect.anything()]);
  });
});

describe('a webhook’s address', () => {
  const rules = { allow: [], ownPorts: [] };
  test.each(['https://hooks.example.com/ohm', 'https://hooks.example.com/ohm/?token=a%20b&x=1'])('%s is taken as it is', (url) => {
    expect(checkWebhookUrl(url, rules)).toEqual({ ok: true, url });
  });
  test.each(['http://hooks.example.com/', 'https://127.0.0.1/', 'https://10.0.0.1/', 'https://169.254.169.254/latest?x=1', 'https://[::ffff:a9fe:a9fe]/', 'https://user:pass@hooks.example.com/', 'https://hooks.example.com/?u=a@b#f', 'https://hooks.example.com/#f', 'https://hooks.example.com:22/', 'ftp://hooks.example.com/', 'hooks', 'https://hooks.example.com/\nx', 'https://2130706433/'])('%s is refused', (url) => {
    expect(checkWebhookUrl(url, rules).ok).toBe(false);
  });
});

describe('a rule', () => {
  const issues = (rule: Partial<Parameters<typeof checkedRule>[0]>) => {
    try {
      checkedRule({ kind: 'auth', threshold: 1, windowS: 300, scopeType: 'all', ...rule });
      return [];
    } catch (error) {
      return (error as { issues: { field: string }[] }).issues.map(({ field }) => field);
    }
  };
  test.each([
    [{ kind: 'budget', threshold: 75, windowS: 60 }, ['threshold']],
    [{ kind: 'budget', threshold: 80, windowS: 60, scopeType: 'route' }, ['scope']],
    [{ kind: 'auth', threshold: 1.5 }, ['threshold']],
    [{ kind: 'failover_rate', threshold: 101 }, ['threshold']],
    [{ kind: 'failover_rate', threshold: 0.5, windowS: 3_601 }, ['window_s']],
    [{ kind: 'no_traffic', windowS: 604_800 }, []],
    [{ kind: 'auth', windowS: 9 }, ['window_s']],
  ] as const)('%j is wrong in %j', (rule, fields) => {
    expect(issues(rule)).toEqual(fields);
  });

  test('of every kind is right with its defaults', () => {
    for (const kind of ALERT_KINDS) expect([kind, issues({ kind, threshold: kindOf(kind).threshold, windowS: kindOf(kind).windowS })]).toEqual([kind, []]);
  });
});
