import { describe, expect, it } from 'vitest';
import { checkUrl, parseAllowRules } from '../outbound';
import { adapterFor, presetById, presets, WIRES } from '.';

describe('presets', () => {
  it('have ids of their own', () => {
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
    expect(presetById('custom')?.baseUrl).toBeNull();
    expect(presetById('nobody')).toBeNull();
  });

  it.each(presets.filter(({ baseUrl }) => baseUrl !== null))('$id leads to a base URL that may be saved as it stands', ({ baseUrl }) => {
    expect(checkUrl(baseUrl!, { allow: [], ownPorts: [] })).toMatchObject({ ok: true, baseUrl });
  });

  it.each(presets.filter(({ baseUrlExample }) => baseUrlExample !== null))('$id has an example that may be saved where loopback is open', ({ baseUrlExample }) => {
    expect(checkUrl(baseUrlExample!, { allow: parseAllowRules('127.0.0.0/8'), ownPorts: [] }).ok).toBe(true);
  });

  it('are there for every vendor that is promised, and lead to a key', () => {
    const promised = ['openai', 'openai-responses', 'anthropic', 'google', 'azure', 'openrouter', 'groq', 'mistral', 'deepseek', 'together', 'fireworks', 'xai', 'perplexity', 'cerebras', 'ollama', 'lmstudio', 'vllm', 'custom'];
    expect(promised.filter((id) => presetById(id) === null)).toEqual([]);
    for (const { key, keyUrl } of presets) if (key === 'required') expect(keyUrl).toMatch(/^https:\/\//);
  });

  it('speak wires that exist', () => {
    for (const { wire } of presets) expect(WIRES).toContain(wire);
  });
});

it('an unknown wire is an error of our own', () => {
  expect(() => adapterFor('constructor')).toThrow('constructor');
});
