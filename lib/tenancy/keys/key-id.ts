import { and, desc, eq, or, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { keys } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';

/**
 * The id behind a key's id or name, for what is asked of the ledger: revoked keys included, though a living one of
 * that name comes first, and then the one that was revoked last. Refuses `invalid`, naming `key`.
 */
export async function keyId(tenancy: Tenancy, actor: Actor, reference: string): Promise<string> {
  requireRole(actor, 'viewer');
  const [row] = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx
      .select({ id: keys.id })
      .from(keys)
      .where(and(eq(keys.workspaceId, actor.workspaceId), or(eq(keys.id, reference), eq(keys.name, reference))))
      .orderBy(sql`${keys.id} = ${reference} desc, ${keys.revokedAt} is null desc`, desc(keys.revokedAt))
      .limit(1),
  );
  if (row !== undefined) return row.id;
  throw new Refusal('invalid', `key: there is no key "${reference}" in this workspace.`, [{ field: 'key', message: `there is no key "${reference}" in this workspace` }]);
}
