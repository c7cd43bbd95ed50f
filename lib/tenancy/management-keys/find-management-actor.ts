import { sql } from 'drizzle-orm';
import type { Actor, Role } from '../actor';
import type { Tenancy } from '../tenancy';
import { hashToken, isWellFormedToken } from '../token';

/**
 * Who acts with this `ohm_mk_…` token; null for junk, unknown, revoked and expired ones alike. Asked of the
 * database each time, so that a revocation holds at once. Junk does not get that far.
 */
export async function findManagementActor(tenancy: Tenancy, token: string): Promise<Actor | null> {
  if (!isWellFormedToken(token, 'mk')) return null;
  const [row] = await tenancy.db.unscoped((queries) =>
    queries.execute<{ id: string; workspace_id: string; role: Role }>(sql`select id, workspace_id, role from ohm_management_key(${hashToken(token)})`),
  );
  return row === undefined ? null : { kind: 'management_key', id: row.id, workspaceId: row.workspace_id, role: row.role };
}
