import { expect, it } from 'vitest';
import { diffRoutes } from './route-diff';

const tier = (model: string, first: number | null = null) => ({ connection: 'main', model, first_content_timeout_ms: first, idle_timeout_ms: null, response_timeout_ms: null });
const route = { name: 'chat', commit: 'first_content' as const, deadline_ms: 900_000, tiers: [tier('a'), tier('b')] };

it('is empty between equals', () => {
  expect(diffRoutes(route, structuredClone(route))).toEqual([]);
});

it('names what changed and shows both sides', () => {
  expect(diffRoutes(route, { ...route, commit: 'complete', tiers: [tier('b'), tier('a', 500), tier('c')] })).toEqual([
    { what: 'Commit', from: 'at the first content', to: 'when the answer is complete' },
    { what: 'Tier 1', from: 'a on main', to: 'b on main' },
    { what: 'Tier 2', from: 'b on main', to: 'a on main (first content 500 ms)' },
    { what: 'Tier 3', from: 'none', to: 'c on main' },
  ]);
});
