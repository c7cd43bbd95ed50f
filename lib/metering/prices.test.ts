import { readFileSync } from 'node:fs';
import { calcPrice, type ModelInfo } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import type { WorkspacePrice } from '../gateway/ports';
import type { UsageRow } from './call-row';
import { memoryLog } from './fixtures';
import { PRICE_VERSION } from './price-list';
import { createPrices } from './prices';

const AT = Date.parse('2026-11-29T12:00:00Z');
const usage = (prompt: number | null, completion: number | null, rest: Partial<UsageRow> = {}): UsageRow => ({
  prompt_tokens: prompt, completion_tokens: completion, total_tokens: null, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null, ...rest,
});
const prices = createPrices();
const by = (provider: string, own: WorkspacePrice[] = []) => ({ provider, prices: own });
const nano = (provider: string, model: string, used: UsageRow, atMs = AT) => prices.cost(by(provider), model, used, atMs)?.nanoUsd ?? null;

test('the version on a row names the installed catalog', () => {
  const installed = JSON.parse(readFileSync('node_modules/@pydantic/genai-prices/package.json', 'utf8')) as { name: string; version: string };
  expect(PRICE_VERSION).toBe(`${installed.name}@${installed.version}`);
  expect(prices.cost(by('openai'), 'gpt-4o-mini', usage(1, 1), AT)?.version).toBe(PRICE_VERSION);
});

test('a call costs whole nano-USD: 69 and 20 tokens at $0.15 and $0.60 a million', () => {
  expect(nano('openai', 'gpt-4o-mini', usage(69, 20))).toBe(69 * 150 + 20 * 600);
});

test('cached tokens cost their own rate, so that a provider’s cache hit is never dearer than a miss', () => {
  expect(nano('openai', 'gpt-4o-mini', usage(1000, 0, { cached_tokens: 900 }))).toBe(100 * 150 + 900 * 75);
});

test('cache writes and reasoning cost their own rates where the catalog has them', () => {
  const anthropic = nano('anthropic', 'claude-sonnet-4-5', usage(1000, 0, { cache_write_tokens: 400, cached_tokens: 100 }));
  expect(anthropic).toBe(500 * 3000 + 400 * 3750 + 100 * 300);
  const invented: ModelInfo = { id: 'm', match: { equals: 'm' }, prices: { input_mtok: 1, output_mtok: 2, output_reasoning_mtok: 3 } };
  expect(createPrices({ catalog: () => invented }).cost(by('openai'), 'm', usage(0, 10, { reasoning_tokens: 4 }), AT)?.nanoUsd).toBe(6 * 2000 + 4 * 3000);
});

test.each([
  ['openai', 'gpt-4o', 123_457, 8_191, 1_024],
  ['openai', 'gpt-5.6-luna', 300_000, 20_000, 100_000],
  ['google', 'gemini-2.5-pro', 250_001, 999, 1],
  ['deepseek', 'deepseek-chat', 1_000, 1_000, 10],
  ['deepseek', 'deepseek-v4-pro', 1_001, 1_003, 7],
  ['mistral', 'mistral-medium-latest', 777, 333, 0],
  ['groq', 'openai/gpt-oss-120b', 5_000, 100, 0],
])('%s %s agrees with the catalog’s own calculation to the nano-USD, at every hour and date', (provider, model, prompt, completion, cached) => {
  for (const at of ['2025-01-01T00:00:00Z', '2025-07-01T00:29:59Z', '2025-07-01T00:30:00Z', '2025-07-01T16:30:00Z', '2026-08-17T00:00:00Z', '2026-11-29T02:00:00Z', '2027-06-01T23:59:59Z']) {
    const theirs = calcPrice({ input_tokens: prompt, output_tokens: completion, cache_read_tokens: cached }, model, { providerId: provider, timestamp: new Date(at) });
    expect(theirs).not.toBeNull();
    const ours = nano(provider, model, usage(prompt, completion, { cached_tokens: cached }), Date.parse(at));
    expect(Math.abs(ours! - theirs!.total_price * 1e9)).toBeLessThan(1);
  }
});

describe('unknown is null, never 0', () => {
  test.each([
    ['a model that is not on the list', 'openai', 'gpt-unheard-of', usage(1, 1)],
    ['a custom provider, whatever the model is called', 'custom', 'gpt-4o-mini', usage(1, 1)],
    ['a provider that is not in the catalog', 'somebody', 'gpt-4o-mini', usage(1, 1)],
    ['another provider’s model', 'openai', 'claude-sonnet-4-5', usage(1, 1)],
    ['no prompt count', 'openai', 'gpt-4o-mini', usage(null, 1)],
    ['no completion count', 'openai', 'gpt-4o-mini', usage(1, null)],
    ['more cached than prompt tokens', 'openai', 'gpt-4o-mini', usage(10, 1, { cached_tokens: 11 })],
    ['more reasoning than completion tokens', 'openai', 'gpt-4o-mini', usage(10, 1, { reasoning_tokens: 2 })],
    ['a negative count', 'openai', 'gpt-4o-mini', usage(-1, 1)],
    ['half a token', 'openai', 'gpt-4o-mini', usage(1.5, 1)],
    ['a count beyond all money', 'openai', 'gpt-4o-mini', usage(Number.MAX_SAFE_INTEGER, 1)],
  ])('%s', (_, provider, model, used) => {
    expect(prices.cost(by(provider), model, used, AT)).toBeNull();
  });

  test.each([
    ['NaN', { input_mtok: NaN, output_mtok: 1 }],
    ['a negative rate', { input_mtok: -1, output_mtok: 1 }],
    ['text', { input_mtok: '1' as unknown as number, output_mtok: 1 }],
    ['null', { input_mtok: null as unknown as number, output_mtok: 1 }],
    ['no output rate', { input_mtok: 1 }],
    ['no rate at all', {}],
  ])('a damaged catalog entry: %s', (_, rates) => {
    const damaged = createPrices({ catalog: () => ({ id: 'm', match: { equals: 'm' }, prices: rates }), log: memoryLog() });
    expect(damaged.cost(by('openai'), 'm', usage(1, 1), AT)).toBeNull();
  });

  test('a catalog that throws is reported once, and asked no more for that model', () => {
    const log = memoryLog();
    let asked = 0;
    const broken = createPrices({ log, catalog: () => { asked++; throw new Error('corrupt'); } });
    for (let i = 0; i < 3; i++) expect(broken.cost(by('openai'), 'gpt-4o-mini', usage(1, 1), AT)).toBeNull();
    expect([asked, log.lines.length]).toEqual([1, 1]);
  });
});

test('no tokens at a known price is a true 0, and the sandbox’s stated price is 0', () => {
  expect(nano('openai', 'gpt-4o-mini', usage(0, 0))).toBe(0);
  expect(prices.cost(by('sandbox'), 'text:20', usage(5, 5), AT)).toEqual({ nanoUsd: 0, version: 'sandbox' });
});

describe('a price that the workspace states', () => {
  const stated = (from: string, input: number, rest: Partial<WorkspacePrice> = {}): WorkspacePrice => ({
    id: `price_${from}`, model: 'm', fromMs: Date.parse(from), input: input * 1_000_000, output: 2 * input * 1_000_000, cachedInput: null, cacheWrite: null, ...rest,
  });
  const own = [stated('2026-12-01', 3_000), stated('2026-11-01', 2_000, { cachedInput: 500_000_000 }), stated('2026-01-01', 1_000)];
  const cost = (provider: string, model: string, used: UsageRow, at: string) => prices.cost(by(provider, own), model, used, Date.parse(at));

  test.each([
    ['2026-01-01', 1_000 * 10 + 2_000, 'workspace:price_2026-01-01'],
    ['2026-10-31T23:59:59.999Z', 1_000 * 10 + 2_000, 'workspace:price_2026-01-01'],
    ['2026-11-01', 2_000 * 10 + 4_000, 'workspace:price_2026-11-01'],
    ['2027-06-01', 3_000 * 10 + 6_000, 'workspace:price_2026-12-01'],
  ])('is the newest that holds, at %s', (at, nanoUsd, version) => {
    expect(cost('custom', 'm', usage(10, 1), at)).toEqual({ nanoUsd, version });
  });

  test('comes before the list, also for a provider that has none, and does not hold before its day or for another model', () => {
    expect(cost('openai', 'm', usage(1, 0), '2026-12-02')?.nanoUsd).toBe(3_000);
    expect(cost('custom', 'm', usage(1, 0), '2025-12-31')).toBeNull();
    expect(cost('openai', 'gpt-4o-mini', usage(1, 0), '2026-12-02')?.version).toBe(PRICE_VERSION);
    expect(prices.cost(by('sandbox', own), 'm', usage(1, 0), AT)?.nanoUsd).toBe(2_000);
  });

  test('charges cached tokens at their own rate, or like the others where it names none', () => {
    expect(cost('custom', 'm', usage(10, 0, { cached_tokens: 4 }), '2026-11-02')?.nanoUsd).toBe(6 * 2_000 + 4 * 500);
    expect(cost('custom', 'm', usage(10, 0, { cached_tokens: 4 }), '2026-12-02')?.nanoUsd).toBe(10 * 3_000);
  });
});

test.each(['o3', 'o4-mini', 'gpt-5.2', 'gpt-5-mini', 'openai/gpt-5', 'deepseek-reasoner', 'deepseek-r1', 'gemini-2.5-pro', 'grok-4', 'qwen3-235b-a22b-thinking-2507', 'kimi-k2-thinking', 'magistral-medium-latest'])('%s thinks', (model) => {
  expect(prices.thinks('openai', model)).toBe(true);
});
test.each(['gpt-4o-mini', 'gpt-4.1', 'gpt-5-chat-latest', 'claude-sonnet-4-5', 'deepseek-chat', 'gemini-2.0-flash', 'mistral-large-latest', 'text:20', 'some-unknown-model', 'grok-4-fast-non-reasoning', 'llama-3.3-70b-instruct', 'o'])('%s does not', (model) => {
  expect(prices.thinks('openai', model)).toBe(false);
});
