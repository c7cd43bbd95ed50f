import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exampleCalls } from '@/app/_ui/timeline/examples';
import { alertWords, costReason, costWords, usageSourceWords } from './call-words';
import { NOT_ON_RECORD, sentHeaders } from './sent-headers';

const served = exampleCalls.failedOver;

describe('cost in words', () => {
  it('is money where it is known, however little', () => {
    expect(costWords({ ...served, cost_nano_usd: 41_000 })).toBe('$0.000041');
  });

  it('is "unpriced" where tokens are known and the price is not', () => {
    expect(costWords({ ...served, cost_nano_usd: null })).toBe('unpriced');
    expect(costReason({ ...served, cost_nano_usd: null })).toMatch(/No price is known for text:20/);
  });

  it('says that figures contradict each other, and what budgets were charged for them', () => {
    const garbled = { ...served, cost_nano_usd: null, usage: { ...served.usage!, prompt_tokens: 10, cached_tokens: 11 } };
    expect(costReason(garbled)).toBe('The figures contradict each other, so they give no cost.');
    expect(costReason({ ...garbled, budget_nano_usd: 41_000 })).toMatch(/Hard budgets were charged \$0\.000041 for it/);
  });

  it('is never a number where nothing is known', () => {
    expect(costWords({ ...served, cost_nano_usd: null, usage: null })).toBe('not reported');
    expect(costWords(exampleCalls.rejected)).toBe('none');
    expect(costWords({ ...served, cost_nano_usd: null, state: 'lost' })).toBe('not known');
  });
});

describe('a failure in words', () => {
  it('never says that a rejected client saw nothing of it', () => {
    expect(alertWords(exampleCalls.rejected)).toBe('cut, before content: no part of an answer was sent, and the client got the error 502');
    expect(alertWords({ ...exampleCalls.rejected, state: 'aborted', status: null })).toBe('cut, before content: nothing of that attempt was sent; the client left later');
  });

  it('says what was hidden and what was cut', () => {
    expect(alertWords(served)).toBe('overloaded, before content: the client saw nothing of it, another attempt answered');
    expect(alertWords(exampleCalls.truncated)).toBe('rate limited, after content: the client was cut off');
  });
});

describe('the source of usage in words', () => {
  it('names the estimated members and says when the rest is the provider’s', () => {
    expect(usageSourceWords({ ...served, usage_source: 'estimate', usage_estimated: ['completion_tokens', 'total_tokens'] })).toBe(
      'Completion and total are estimated as characters / 4 of what was sent and flushed, an attachment as 1,000 tokens. The rest is as the provider reported it.',
    );
    expect(usageSourceWords(served)).toBe('As the provider reported it.');
    expect(usageSourceWords(exampleCalls.rejected)).toBe('Not reported.');
  });
});

describe('the headers of the answer', () => {
  it('count upstream requests, not skipped tiers', () => {
    expect(Object.fromEntries(sentHeaders(exampleCalls.skipped)!)).toMatchObject({ 'X-Ohm-Attempts': '1', 'X-Ohm-Tier': '3', 'X-Ohm-Stream-Failover': 'pre-first-byte' });
    expect(Object.fromEntries(sentHeaders(served)!)['X-Ohm-Attempts']).toBe('3');
  });

  it('do not promise stream failover on a refusal', () => {
    const headers = Object.fromEntries(sentHeaders(exampleCalls.rejected)!);
    expect(headers).not.toHaveProperty('X-Ohm-Stream-Failover');
    expect(headers['Content-Type']).toBe('application/json');
    expect(headers).toMatchObject({ 'X-Ohm-Attempts': '3', 'X-Ohm-Tier': '2', 'X-Should-Retry': 'false' });
  });

  it('tell of no route, attempt or cache where the call was refused before it was opened', () => {
    const early = { ...exampleCalls.rejected, attempts: [], status: 404, error_code: 'model_not_found', flushed_bytes: 150 };
    const sent = [
      ['X-Ohm-Request-Id', early.id],
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
      ['Content-Length', '150'],
      ['X-Should-Retry', 'false'],
    ];
    expect(sentHeaders({ ...early, route: null, requested_model: null, stream: null })).toEqual(sent);
    expect(sentHeaders({ ...early, error_code: 'no_tiers' })).toEqual(sent);
  });

  it('leave it to the client to try again where that may help', () => {
    expect(Object.fromEntries(sentHeaders({ ...exampleCalls.rejected, error_code: 'upstream_rate_limited' })!)).not.toHaveProperty('X-Should-Retry');
  });

  it('are told of one by one: what the gateway may send is shown, or said not to be on record', () => {
    const source = ['lib/gateway/respond.ts', 'lib/limits/rate-headers.ts'].map((file) => readFileSync(file, 'utf8')).join('');
    const names = [...source.matchAll(/headers(?:\.|\[['`])([a-z][a-z-]+)|^ +'([a-z]+(?:-[a-z]+)+)':/gm)].map(([, set, listed]) => (set ?? listed)!);
    expect(names).toEqual(expect.arrayContaining(['x-ohm-request-id', 'x-ohm-dropped-params', 'ratelimit', 'ratelimit-policy', 'x-ratelimit-limit-', 'retry-after']));
    const whole = { ...served, stream: false, replay: 'MISS' as const };
    const shown = [served, whole, exampleCalls.rejected].flatMap((call) => sentHeaders(call)!.map(([name]) => name.toLowerCase()));
    const said = [...NOT_ON_RECORD.map((name) => name.toLowerCase()), 'connection'];
    const untold = names.filter((name) => !shown.includes(name) && !said.some((other) => (other.endsWith('*') ? name.startsWith(other.slice(0, -1)) : name === other)));
    expect(untold).toEqual([]);
  });

  it('are not known of a lost call', () => {
    expect(sentHeaders({ ...exampleCalls.clientLeft, state: 'lost', status: null })).toBeNull();
  });

  it('are none when the client left before any', () => {
    expect(sentHeaders({ ...exampleCalls.clientLeft, status: null })).toEqual([]);
  });
});
