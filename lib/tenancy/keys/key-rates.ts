import { withWorkspace } from '../../db';
import type { Standings } from '../../limits';
import type { RateView } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { limitScopes } from './limit-scopes';

/** How every rate stands that calls of a key must fit into: its own, then the workspace's. Takes nothing of them. Refuses `not_found`. */
export async function keyRates(tenancy: Tenancy, standings: Standings, actor: Actor, input: { id: string }): Promise<{ data: RateView[]; next_cursor: null }> {
  requireRole(actor, 'viewer');
  return await ratesOf(tenancy, standings, actor, input.id);
}

/** How the workspace's own rates stand. */
export async function workspaceRates(tenancy: Tenancy, standings: Standings, actor: Actor): Promise<{ data: RateView[]; next_cursor: null }> {
  requireRole(actor, 'viewer');
  return await ratesOf(tenancy, standings, actor, null);
}

async function ratesOf(tenancy: Tenancy, standings: Standings, { workspaceId }: Actor, keyId: string | null): Promise<{ data: RateView[]; next_cursor: null }> {
  const scopes = await withWorkspace(tenancy.db, workspaceId, (tx) => limitScopes(tx, workspaceId, keyId));
  const nowMs = tenancy.clock.now();
  const data: RateView[] = [];
  for (const { scope, id, limits } of scopes) {
    for (const { kind, limit, left, wholeInMs } of await standings.of(id, limits)) {
      data.push({ scope, kind, limit, left, whole_at: wholeInMs === null ? null : new Date(nowMs + wholeInMs).toISOString() });
    }
  }
  return { data, next_cursor: null };
}
