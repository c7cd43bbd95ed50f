import { describe, expect, test } from 'vitest';
import { type Caller, type ConnectionConfig, type KeyConfig, REPLAY_OFF, type RouteConfig, type TierConfig } from '../gateway/ports';
import { modelsFor, resolveModel } from './resolve-model';

const connection = { id: 'conn_1', name: 'main', workspaceId: 'ws_1' } as ConnectionConfig;
const tier = (model: string): TierConfig => ({ connection, model, firstContentTimeoutMs: null, idleTimeoutMs: null, responseTimeoutMs: null, eco: null });
const route = (name: string, ...models: string[]): RouteConfig => ({ id: `route_${name}`, name, revision: 1, commit: 'first_content', deadlineMs: 1, replayGeneration: 0, tiers: models.map(tier) });

function caller(key: Partial<KeyConfig> = {}, fallbackModel: string | null = null): Caller {
  return {
    key: { id: 'key_1', workspaceId: 'ws_1', name: 'k', defaultRoute: 'chat', directModels: false, strictRoute: false, tiers: null, expiresAt: null, limits: null, replay: REPLAY_OFF, ...key },
    workspace: {
      id: 'ws_1',
      routes: new Map([route('chat', 'a', 'b'), route('batch', 'c')].map((entry) => [entry.name, entry])),
      connections: new Map([['main', connection]]),
      fallbackModel,
      limits: null,
      replay: { generation: 0, sharedGeneration: 0 },
    },
  };
}

describe('resolving a model name', () => {
  test('a route name is its tiers, `auto` the default route', () => {
    expect(resolveModel(caller(), 'batch')?.route.tiers[0]?.model).toBe('c');
    expect(resolveModel(caller(), 'auto')?.label).toBe('chat');
    expect(resolveModel(caller({ defaultRoute: null }), 'auto')).toBeNull();
  });

  test('connection/model is one tier without fallback, only for a key that allows it', () => {
    expect(resolveModel(caller(), 'main/gpt-x')).toBeNull();
    const direct = resolveModel(caller({ directModels: true }), 'main/org/gpt-x');
    expect(direct?.label).toBe('direct');
    expect(direct?.route.tiers.map(({ model }) => model)).toEqual(['org/gpt-x']);
    expect(resolveModel(caller({ directModels: true }), 'elsewhere/gpt-x')).toBeNull();
    expect(resolveModel(caller({ directModels: true }), 'main/')).toBeNull();
  });

  test('a strict key walks its own route whatever the name', () => {
    expect(resolveModel(caller({ strictRoute: true }), 'anything')?.label).toBe('chat');
    expect(resolveModel(caller({ strictRoute: true, tiers: [tier('own')] }), 'batch')?.route.tiers[0]?.model).toBe('own');
    expect(modelsFor(caller({ strictRoute: true }))).toEqual(['auto']);
  });

  test('a fallback model is disclosed as such, and only for names that cannot be resolved', () => {
    expect(resolveModel(caller({}, 'batch'), 'unheard-of')).toMatchObject({ label: 'batch', resolvedBy: 'fallback_model' });
    expect(resolveModel(caller({}, 'batch'), 'chat')).toMatchObject({ label: 'chat', resolvedBy: 'name' });
    expect(resolveModel(caller({}, 'unheard-of'), 'unheard-of')).toBeNull();
  });

  test('the list is exactly what can be resolved, in a stable order', () => {
    const who = caller({ directModels: true });
    expect(modelsFor(who)).toEqual(['auto', 'batch', 'chat', 'main/a', 'main/b', 'main/c']);
    for (const name of modelsFor(who)) expect(resolveModel(who, name)).not.toBeNull();
  });
});
