import { and, eq } from 'drizzle-orm';
import { constraintViolated, withWorkspace } from '../../db';
import { connections } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import type { Tenancy } from '../tenancy';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import { connectionRow, connectionView, keysUsing, routesUsing } from './rows';

/** Removes a connection and its stored key. Refuses `not_found`, `stale`, `conflict` (in use: says where). */
export async function deleteConnection(tenancy: Tenancy, actor: Actor, input: { id: string; revision: number | null }): Promise<void> {
  requireRole(actor, 'admin');
  const { id } = input;
  await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const old = await connectionRow(tx, actor.workspaceId, id, true);
    requireRevision(old.revision, input.revision);
    const routes = (await routesUsing(tx, actor.workspaceId, [id])).get(id) ?? [];
    const keys = await keysUsing(tx, actor.workspaceId, id);
    if (routes.length > 0 || keys.length > 0) throw inUse(routes, keys);
    await tx.delete(connections).where(and(eq(connections.workspaceId, actor.workspaceId), eq(connections.id, id)));
    await audit(tx, actor, 'connection.deleted', id, connectionView(old, []), null);
  }).catch((error: unknown) => {
    // A tier was added between the look and the removal: the foreign key saw it.
    if (constraintViolated(error)) throw inUse([], []);
    throw error;
  });
}

function inUse(routes: string[], keys: string[]): Refusal {
  const places = [...named('route', routes), ...named('key', keys)].join(' and ') || 'a route';
  return new Refusal('conflict', `It is in use by ${places}. Take it out there first.`);
}

function named(what: string, names: string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 10).map((name) => `"${name}"`).join(', ');
  const rest = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return [`${names.length === 1 ? what : `${what}s`} ${shown}${rest}`];
}
