import { describe, expect, it } from 'vitest';
import { autoWords, defaultRouteWords, modelNameWords, modelToTry } from './key-words';

const tier = { connection: 'main', model: 'a', first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null };
const key = { tiers: null, default_route: null, strict_route: false, direct_models: false };
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
    expect(modelNameWords({ ...own, default_route: 'chat', strict_route: true })).toBe('any; all walk the key’s own tiers');
    expect(modelNameWords({ ...key, default_route: 'chat', strict_route: true })).toBe('any; all walk the default route');
  });

  it('take an empty list of tiers for none', () => {
    expect(autoWords({ ...key, tiers: [], default_route: 'chat' })).toBe('auto walks the route chat');
  });
});
