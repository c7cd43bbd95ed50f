import { and, eq } from 'drizzle-orm';
import { constraintViolated, withWorkspace } from '../../db';
import { routes } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { routeRow, routeViews } from './rows';

/** Removes a route; its versions stay on record. Refuses `not_found`, `stale`, `conflict` (a key's default). */
export async function deleteRoute(tenancy: Tenancy, actor: Actor, input: { id: string; revision: number | null }): Promise<void> {
  requireRole(actor, 'admin');
  const { id } = input;
  await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const old = await routeRow(tx, actor.workspaceId, id, true);
    requireRevision(old.revision, input.revision);
    const [before] = await routeViews(tx, actor.workspaceId, [old]);
    if (before !== undefined && before.default_of_keys.length > 0) throw isDefault(before.default_of_keys);
    await tx.delete(routes).where(and(eq(routes.workspaceId, actor.workspaceId), eq(routes.id, id)));
    await audit(tx, actor, 'route.deleted', id, before, null);
  }).catch((error: unknown) => {
    // A key took it as its default between the look and the removal: the foreign key saw it.
    if (constraintViolated(error)) throw isDefault([]);
    throw error;
  });
}

function isDefault(keys: string[]): Refusal {
  const shown = keys.slice(0, 10).map((name) => `"${name}"`).join(', ');
  const rest = keys.length > 10 ? ' and others' : '';
  return new Refusal('conflict', `It is the default route of ${shown === '' ? 'a key' : `the key${keys.length === 1 ? '' : 's'} ${shown}${rest}`}. Give them another one first.`);
}
