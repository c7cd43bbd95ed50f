import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../../db';
import { keys, routes, workspaces } from '../../db/schema';
import type { ReplayPurge, ReplayPurged } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { forgetShared } from './forget-shared';

/**
 * Forgets the stored answers of a key, a route or the whole workspace, by moving on to the next generation: nothing
 * is looked for in the store, so that it holds also where another process keeps its own, or the store is away. An
 * answer that is being stored meanwhile belongs to the generation in which its call began. Refuses `invalid`.
 */
export async function purgeReplay(tenancy: Tenancy, actor: Actor, input: ReplayPurge): Promise<ReplayPurged> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const purged = await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const found = await moveOn(tx, workspaceId, input);
    const result: ReplayPurged = { ...found, purged_at: new Date(tenancy.clock.now()).toISOString() };
    await audit(tx, actor, 'replay.purged', found.id, null, result);
    return result;
  });
  tenancy.db.announce(workspaceId); // here at once, elsewhere by the database's own announcement
  return purged;
}

async function moveOn(tx: Tx, workspaceId: string, { key, route }: ReplayPurge): Promise<Pick<ReplayPurged, 'scope' | 'id'>> {
  if (key !== undefined) return { scope: 'key', id: await ofKey(tx, workspaceId, key) };
  if (route !== undefined) return { scope: 'route', id: await ofRoute(tx, workspaceId, route) };
  await tx.update(workspaces).set({ replayGeneration: sql`${workspaces.replayGeneration} + 1` }).where(eq(workspaces.id, workspaceId));
  return { scope: 'workspace', id: workspaceId };
}

/** Where the key shares its answers, they lie among those of other keys and go together. */
async function ofKey(tx: Tx, workspaceId: string, reference: string): Promise<string> {
  const [row] = await tx
    .update(keys)
    .set({ replayGeneration: sql`${keys.replayGeneration} + 1` })
    .where(and(eq(keys.workspaceId, workspaceId), isNull(keys.revokedAt), or(eq(keys.id, reference), eq(keys.name, reference))))
    .returning({ id: keys.id, scope: keys.replayScope });
  if (row === undefined) throw unknown('key', reference);
  if (row.scope === 'workspace') await forgetShared(tx, workspaceId);
  return row.id;
}

async function ofRoute(tx: Tx, workspaceId: string, reference: string): Promise<string> {
  const [row] = await tx
    .update(routes)
    .set({ replayGeneration: sql`${routes.replayGeneration} + 1` })
    .where(and(eq(routes.workspaceId, workspaceId), or(eq(routes.id, reference), eq(routes.name, reference))))
    .returning({ id: routes.id });
  if (row === undefined) throw unknown('route', reference);
  return row.id;
}

const unknown = (field: 'key' | 'route', reference: string): Refusal =>
  new Refusal('invalid', `${field}: there is no ${field} "${reference}" in this workspace.`, [{ field, message: `there is no ${field} "${reference}" in this workspace` }]);
