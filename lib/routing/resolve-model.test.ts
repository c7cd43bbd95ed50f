import { describe, expect, test } from 'vitest';
import { type Caller, type ConnectionConfig, type KeyConfig, REPLAY_OFF, type RouteConfig, SAVING_OFF, type TierConfig } from '../gateway/ports';
import { modelsFor, resolveModel } from './resolve-model';

const connection = { id: 'conn_1', name: 'main', workspaceId: 'ws_1' } as ConnectionConfig;
const tier = (model: string): TierConfig => ({ connection, model, firstContentTimeoutMs: null, idleTimeoutMs: null, responseTimeoutMs: null, eco: null });
const route = (name: string, ...models: string[]): RouteConfig => ({ id: `route_${name}`, name, revision: 1, commit: 'first_content', deadlineMs: 1, replayGeneration: 0, tiers: models.map(tier) });

function caller(key: Partial<KeyConfig> = {}, fallbackModel: string | null = null): Caller {
  return {
    key: { id: 'key_1', workspaceId: 'ws_1', name: 'k', defaultRoute: 'chat', directModels: false, strictRoute: false, tiers: null, expiresAt: null, limits: null, replay: REPLAY_OFF, saving: SAVING_OFF, ...key },
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

  test.each(['a\0', 'a\r\nX-Evil: 1', 'мо', '\u2028', ' a', 'a '])('a direct model that no header can name is none: %j', (model) => {
    expect(resolveModel(caller({ directModels: true }), `main/${model}`)).toBeNull();
  });

  test('a catalog model goes to the oldest connection of its vendor, behind the names that the workspace gave itself', () => {
    const at = (id: string, name: string, provider: string) => ({ ...connection, id, name, provider }) as ConnectionConfig;
    const who = caller({ directModels: true });
    who.workspace.connections = new Map([at('conn_3', 'new', 'openai'), at('conn_2', 'old', 'openai-responses'), at('conn_1', 'groq', 'groq')].map((each) => [each.name, each]));
    const asked = (name: string) => resolveModel(who, name)?.route.tiers.map((tier) => [tier.connection.name, tier.model]);
    expect(asked('gpt-5-mini')).toEqual([['old', 'gpt-5-mini']]);
    expect(asked('gpt-5-mini-2025-08-07')).toEqual([['old', 'gpt-5-mini-2025-08-07']]);
    expect(asked('new/gpt-5-mini')).toEqual([['new', 'gpt-5-mini']]);
    expect(asked('groq/openai/gpt-oss-20b')).toEqual([['groq', 'openai/gpt-oss-20b']]);
    expect(asked('claude-sonnet-4-5')).toBeUndefined();
    who.workspace.routes.set('gpt-5-mini', route('gpt-5-mini', 'own'));
    expect(asked('gpt-5-mini')).toEqual([['main', 'own']]);
    expect(resolveModel({ ...who, key: { ...who.key, directModels: false } }, 'gpt-5')).toBeNull();
  });

  test('eco has the catalog models that the key can reach, each once: those of its routes first', () => {
    const paid = { ...connection, id: 'conn_2', name: 'paid', provider: 'openai' } as ConnectionConfig;
    const who = caller();
    expect(resolveModel(who, 'eco')).toBeNull();
    who.workspace = { ...who.workspace, connections: new Map([['paid', paid]]), routes: new Map(who.workspace.routes) };
    const [first, second] = ['gpt-4o', 'gpt-5'].map((model) => ({ ...tier(model), connection: paid }));
    who.workspace.routes.set('a', { ...route('a'), tiers: [{ ...first!, eco: [first!, second!, { ...first!, model: 'unheard-of' }] }, { ...first! }] });
    const candidates = (direct: boolean) => resolveModel({ ...who, key: { ...who.key, directModels: direct } }, 'eco')!.route.tiers[0]!.eco!.map(({ model }) => model);
    expect(candidates(false)).toEqual(['gpt-4o', 'gpt-5']);
    expect(candidates(true).slice(0, 2)).toEqual(['gpt-4o', 'gpt-5']);
    expect(candidates(true)).toContain('gpt-6-luna');
    expect(new Set(candidates(true)).size).toBe(candidates(true).length);
    expect(modelsFor(who).slice(0, 2)).toEqual(['auto', 'eco']);
    expect(resolveModel({ ...who, key: { ...who.key, strictRoute: true } }, 'eco')?.label).toBe('chat');
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
