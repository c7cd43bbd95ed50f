import { describe, expect, it, test } from 'vitest';
import { presetById, presets } from '..';
import { catalog, catalogModel, catalogModelsOf, catalogVendor, modelFacts } from '.';
import { MODELS } from './models';
import { STATED_PRICES } from './stated-prices';

describe('the catalog', () => {
  it('has at least 50 chat models', () => {
    expect(catalog.length).toBeGreaterThanOrEqual(50);
  });

  it('names every model once, and never like a word that means something else', () => {
    const ids = MODELS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => ['auto', 'eco', 'direct', 'private'].includes(id))).toEqual([]);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{1,256}$/);
  });

  it('gives every model a vendor that some preset leads to', () => {
    const vendors = new Set(presets.map(({ catalog: vendor }) => vendor));
    for (const { vendor } of catalog) expect(vendors).toContain(vendor);
  });

  it.each(MODELS)('$id has room for its longest answer', ({ contextTokens, maxOutputTokens, retires }) => {
    expect(contextTokens).toBeGreaterThanOrEqual(8_192);
    expect(maxOutputTokens).toBeGreaterThanOrEqual(4_096);
    expect(maxOutputTokens).toBeLessThanOrEqual(contextTokens);
    if (retires !== null) expect(new Date(retires).toISOString()).toContain(retires);
  });

  it('is empty for presets whose owners call their models as they like', () => {
    for (const preset of ['custom', 'sandbox', 'azure', 'ollama', 'vllm', 'lmstudio', 'openrouter', 'nobody']) {
      expect([preset, catalogVendor(preset), catalogModelsOf(preset)]).toEqual([preset, null, []]);
    }
    expect(presetById('openai')?.catalog).toBe('openai');
  });
});

describe('a name', () => {
  test('is a model’s own, or that of a dated snapshot, which is asked for as it was written', () => {
    expect(catalogModel('gpt-5-mini')).toMatchObject({ entry: { vendor: 'openai' }, model: 'gpt-5-mini' });
    expect(catalogModel('gpt-5-mini-2025-08-07')).toMatchObject({ entry: { id: 'gpt-5-mini' }, model: 'gpt-5-mini-2025-08-07' });
    expect(catalogModel('groq/openai/gpt-oss-120b')).toMatchObject({ entry: { vendor: 'groq' }, model: 'openai/gpt-oss-120b' });
    expect(catalogModel('fireworks/kimi-k3')?.model).toBe('accounts/fireworks/models/kimi-k3');
    for (const unknown of ['gpt-unheard-of', '', '-2025-08-07', 'constructor', 'gpt-5-mini-latest']) expect(catalogModel(unknown)).toBeNull();
  });

  test('upstream tells what is known of a model, by the vendor of the connection’s preset', () => {
    expect(modelFacts('openai', 'gpt-4o-mini-2024-07-18')).toMatchObject({ id: 'gpt-4o-mini', maxOutputTokens: 16_384 });
    expect(modelFacts('groq', 'gpt-4o-mini')).toBeNull();
    expect(modelFacts('custom', 'gpt-4o-mini')).toBeNull();
  });
});

test('prices of our own are for models of the catalog, positive, and dated', () => {
  for (const { model, input, output, cached, from } of STATED_PRICES) {
    expect(MODELS.some((entry) => entry.model === model)).toBe(true);
    expect(Math.min(input, output)).toBeGreaterThan(0);
    if (cached !== null) expect(cached).toBeLessThan(input);
    expect(Number.isNaN(Date.parse(from))).toBe(false);
  }
});
