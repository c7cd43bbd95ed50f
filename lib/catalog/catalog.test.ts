import { describe, expect, it, test } from 'vitest';
import { createPrices } from '../metering';
import { catalogDocument, filterModels, readFilter, type ListedModel } from '.';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const { data } = catalogDocument(NOW);
const found = (query: Record<string, string>) => filterModels(data, readFilter(query));
const named = (id: string) => data.find((model) => model.id === id)!;

describe('the catalog in public', () => {
  it('has a price for every model, and it is what calls are charged', () => {
    const prices = createPrices();
    for (const { id, presets, vendor_model: model, price } of data) {
      const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
      const charged = prices.cost({ provider: presets[0]!, prices: [] }, model, usage, NOW);
      const shown = (1_000 * price!.input_nano_usd_per_million_tokens! + 100 * price!.output_nano_usd_per_million_tokens!) / 1e6 + price!.request_nano_usd;
      expect([id, charged]).toEqual([id, { nanoUsd: Math.round(shown), version: price!.version }]);
    }
  });

  it('costs the same at every preset of a vendor', () => {
    const prices = createPrices();
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
    for (const { presets, vendor_model: model } of data) expect(new Set(presets.map((preset) => prices.cost({ provider: preset, prices: [] }, model, usage, NOW)?.nanoUsd)).size).toBe(1);
  });

  it('says what long prompts cost, and which price follows when', () => {
    expect(named('gpt-5.4').price!.long_prompts).toMatchObject([{ input_nano_usd_per_million_tokens: 5_000_000_000 }]);
    expect(named('gpt-4o-mini').price).toMatchObject({ input_nano_usd_per_million_tokens: 150_000_000, output_nano_usd_per_million_tokens: 600_000_000, long_prompts: [], next: null });
  });

  it('is made anew once a minute', () => {
    expect(catalogDocument(NOW + 59_999)).toBe(catalogDocument(NOW));
    expect(catalogDocument(NOW + 60_000).generated_at).toBe('2026-11-30T12:01:00.000Z');
  });
});

describe('a search', () => {
  const ids = (models: ListedModel[]) => models.map(({ id }) => id);

  test('without a word is everything, in the catalog’s order', () => {
    expect(found({})).toEqual(data);
    expect(found({ q: '  ', vendor: '', order: 'nonsense', context: 'much' })).toEqual(data);
  });

  test('finds all of its words in id, name or vendor, in any case', () => {
    expect(ids(found({ q: 'MINI openai gpt-5.4' }))).toEqual(['gpt-5.4-mini']);
    expect(found({ q: 'no-such-model' })).toEqual([]);
  });

  test('takes a vendor, abilities and room together', () => {
    const fitting = found({ vendor: 'mistral', images: '1', reasoning: 'on', context: '500000' });
    expect(ids(fitting)).toEqual(['mistral-large-4-0']);
  });

  test('orders by price or room, with equals in the catalog’s order', () => {
    const inputs = found({ order: 'input' }).map(({ price }) => price!.input_nano_usd_per_million_tokens!);
    expect(inputs).toEqual(inputs.toSorted((a, b) => a - b));
    const rooms = found({ order: 'context' }).map((model) => model.context_tokens);
    expect(rooms).toEqual(rooms.toSorted((a, b) => b - a));
    const largest = found({ order: 'context' }).filter((model) => model.context_tokens === rooms[0]);
    expect(largest).toEqual(data.filter((model) => model.context_tokens === rooms[0]));
  });
});
