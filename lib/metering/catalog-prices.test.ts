import { calcPrice, type ModelInfo } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import { presets, priceSource } from '../providers';
import { catalog, STATED_PRICES, STATED_PRICES_VERSION } from '../providers/catalog';
import { packagedList, PRICE_VERSION } from './price-list';
import { createPrices } from './prices';

/**
 * Every model of the catalog beside the packaged list, for whom it is: what a call would be charged is what the list's
 * own calculation says, and what else the list knows agrees with the catalog, or the difference stands here.
 */
const prices = createPrices();

interface Sold {
  preset: string;
  list: string;
  model: string;
  contextTokens: number;
  info: ModelInfo | null;
}

const sold: Sold[] = catalog.flatMap(({ vendor, model, contextTokens }) =>
  presets.flatMap((preset) => {
    if (preset.catalog !== vendor) return [];
    const source = priceSource(preset.id);
    const list = source?.kind === 'catalog' ? source.provider : '';
    return [{ preset: preset.id, list, model, contextTokens, info: packagedList(list, model) }];
  }),
);

/** Windows that are neither equal nor the list's round figure for ours, with the reason. Ours decides where a request fits: the smaller one is on the careful side. */
const OTHER_WINDOWS: Record<string, { list: number; why: string }> = {
  'codestral-2508': { list: 256_000, why: 'the vendor and other hosts say 128k' },
  'accounts/fireworks/models/kimi-k3': { list: 1_040_000, why: 'the list rounds to tens of thousands here' },
  'accounts/fireworks/models/minimax-m3': { list: 524_288, why: 'the host’s 512k, which the list reads as a power of two and we in thousands' },
};

/** The list names a host's models without the path that they are asked for by. */
const listedName = (model: string): string => model.replace(/^accounts\/fireworks\/models\//, '');

/** Prompt, completion, cached, written into the cache, reasoning. */
const USED = [
  [1_000, 500, 0, 0, 0],
  [1_000, 500, 400, 0, 0],
  [1_000, 500, 300, 400, 0],
  [1_000, 500, 0, 0, 200],
  [150_000, 5_000, 100_000, 0, 0],
  [250_000, 5_000, 0, 1_000, 3_000],
  [300_000, 5_000, 250_000, 0, 0],
] as const;

/** Today, hours that some vendors price otherwise, and days of announced changes. */
const MOMENTS = ['2026-11-30T12:00:00Z', '2026-11-30T02:00:00Z', '2026-11-30T20:00:00Z', '2026-12-15T12:00:00Z', '2027-06-01T12:00:00Z'];

const charged = (preset: string, model: string, [prompt, completion, cached, written, reasoning]: (typeof USED)[number], atMs: number) =>
  prices.cost({ provider: preset, prices: [] }, model, { prompt_tokens: prompt, completion_tokens: completion, total_tokens: null, cached_tokens: cached, cache_write_tokens: written, reasoning_tokens: reasoning }, atMs);

describe.each(sold.filter(({ info }) => info !== null).map((each) => [`${each.preset} ${each.model}`, each] as const))('%s', (_, { preset, list, model, contextTokens, info }) => {
  test('costs what the list says, for every kind of token and at every hour', () => {
    for (const moment of MOMENTS) {
      for (const used of USED) {
        const [prompt, completion, cached, written, reasoning] = used;
        const given = { input_tokens: prompt, output_tokens: completion, cache_read_tokens: cached, cache_write_tokens: written, output_reasoning_tokens: reasoning };
        const theirs = calcPrice(given, model, { providerId: list, timestamp: new Date(moment) })!.total_price * 1e9;
        const ours = charged(preset, model, used, Date.parse(moment));
        expect([moment, used, ours?.version, Math.abs(ours!.nanoUsd - theirs) < 1]).toEqual([moment, used, PRICE_VERSION, true]);
      }
    }
  });

  test('is the same model there', () => {
    expect(listedName(model)).toBe(info!.id);
  });

  test('holds as much there, or the list rounds', () => {
    const { context_window: theirs } = info!;
    const fits = theirs === undefined || theirs === contextTokens || theirs === rounded(contextTokens) || theirs === OTHER_WINDOWS[model]?.list;
    expect([contextTokens, theirs, fits]).toEqual([contextTokens, theirs, true]);
  });
});

/** To whole thousands, hundred thousands or millions, as the list does. */
const rounded = (tokens: number): number => (tokens >= 1_000_000 ? Math.floor(tokens / 1_000_000) * 1_000_000 : Math.floor(tokens / 1_000) * 1_000);

test('what the list does not know is priced by the vendor’s own page', () => {
  const at = Date.parse(MOMENTS[0]!);
  for (const { preset, model } of sold.filter(({ info }) => info === null)) expect([model, charged(preset, model, USED[0], at)?.version]).toEqual([model, STATED_PRICES_VERSION]);
});

test('no price of our own stands beside one of the list', () => {
  for (const { list, model } of STATED_PRICES) expect([list, model, packagedList(list, model)]).toEqual([list, model, null]);
});

test('differences are explained for models that have one', () => {
  const names = new Set(sold.map(({ model }) => model));
  for (const model of Object.keys(OTHER_WINDOWS)) expect(names).toContain(model);
});
