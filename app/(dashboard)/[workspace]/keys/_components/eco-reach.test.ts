import { describe, expect, it } from 'vitest';
import type { Caller, ConnectionConfig, RouteConfig } from '@/lib/gateway/ports';
import { resolveModel } from '@/lib/routing';
import { ecoReach } from './eco-reach';

const clocks = { first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null };
const one = (connection: string, model: string) => ({ tiers: [{ connection, model, ...clocks }] });
const sandbox = { name: 'sandbox', provider: 'sandbox' };
const openai = { name: 'main', provider: 'openai' };
const own = { name: 'mine', provider: 'custom' };

describe('where eco resolves', () => {
  it.each([
    ['the sandbox alone', [one('sandbox', 'status:503')], [sandbox], { routed: false, direct: false }],
    ['a server of one’s own alone', [one('mine', 'gpt-5-mini')], [own], { routed: false, direct: false }],
    ['a vendor’s connection that no route uses', [one('sandbox', 'text:20')], [sandbox, openai], { routed: false, direct: true }],
    ['a model of a vendor that the catalog does not have', [one('main', 'unheard-of')], [openai], { routed: false, direct: true }],
    ['a catalog model in a tier', [one('main', 'gpt-5-mini')], [openai], { routed: true, direct: true }],
    ['a catalog model among an eco tier’s candidates', [{ tiers: [{ eco: [{ connection: 'mine', model: 'x' }, { connection: 'main', model: 'gpt-5-mini' }], ...clocks }] }], [own, openai], { routed: true, direct: true }],
  ])('%s: the page says what the gateway does', (_, routes, connections, reach) => {
    expect(ecoReach(routes, connections)).toEqual(reach);
    expect({ routed: resolves(routes, connections, false), direct: resolves(routes, connections, true) }).toEqual(reach);
  });
});

function resolves(routes: Parameters<typeof ecoReach>[0], connections: Parameters<typeof ecoReach>[1], directModels: boolean): boolean {
  const configs = new Map(connections.map(({ name, provider }) => [name, { id: name, name, provider } as ConnectionConfig]));
  const tierOf = ({ connection, model }: { connection: string; model: string }) => ({ connection: configs.get(connection)!, model, eco: null });
  const parsed = routes.map(({ tiers }, index) => ({ name: `r${index}`, tiers: tiers.map((tier) => ('eco' in tier ? { ...tierOf(tier.eco[0]!), eco: tier.eco.map(tierOf) } : tierOf(tier))) }) as unknown as RouteConfig);
  const caller = { key: { directModels, strictRoute: false }, workspace: { routes: new Map(parsed.map((route) => [route.name, route])), connections: configs, fallbackModel: null } } as unknown as Caller;
  return resolveModel(caller, 'eco') !== null;
}
