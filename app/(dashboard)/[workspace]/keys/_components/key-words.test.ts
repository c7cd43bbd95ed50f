import { describe, expect, it } from 'vitest';
import { autoWords, defaultRouteWords, modelNameWords, modelToTry } from './key-words';

const tier = { connection: 'main', model: 'a', first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null };
const key = { tiers: null, default_route: null, strict_route: false, direct_models: false };
const everywhere = { routed: true, direct: true };
const own = { ...key, tiers: [tier] };

describe('the words of a key', () => {
  it('refuse auto only where it leads nowhere', () => {
    expect(autoWords(key)).toBe('auto is refused');
    expect(defaultRouteWords(key)).toBe('none: auto is refused');
    expect(autoWords(own)).toBe('auto walks the key’s own tiers');
    expect(defaultRouteWords(own)).not.toContain('refused');
    expect(modelToTry(own)).toBe('auto');
    expect(modelToTry(key)).toBe('<route>');
  });

  it('put own tiers before the default route', () => {
    expect(defaultRouteWords({ ...own, default_route: 'chat' })).toBe('chat, but the key’s own tiers come first');
    expect(modelNameWords({ ...own, default_route: 'chat', strict_route: true }, everywhere)).toBe('any; all walk the key’s own tiers');
    expect(modelNameWords({ ...key, default_route: 'chat', strict_route: true }, everywhere)).toBe('any; all walk the default route');
  });

  it('promise eco only where there is something to choose from', () => {
    const nowhere = { routed: false, direct: false };
    expect(modelNameWords(key, everywhere)).toBe('auto, eco and route names');
    expect(modelNameWords(key, nowhere)).toBe('auto and route names; eco once a route has a tier with a catalog model');
    expect(modelNameWords({ ...key, direct_models: true }, { routed: false, direct: true })).toMatch(/^auto, eco, /);
    expect(modelNameWords({ ...key, direct_models: true }, nowhere)).toMatch(/^auto, route names and connection\/model; eco and catalog models once /);
  });

  it('take an empty list of tiers for none', () => {
    expect(autoWords({ ...key, tiers: [], default_route: 'chat' })).toBe('auto walks the route chat');
  });
});
