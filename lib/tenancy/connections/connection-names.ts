import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { connections } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';

/** Names of connections for the ledger's pages. One that was deleted has none. */
export async function connectionNames(tenancy: Tenancy, actor: Actor, ids: string[]): Promise<Map<string, string>> {
  requireRole(actor, 'viewer');
  if (ids.length === 0) return new Map();
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx
      .select({ id: connections.id, name: connections.name })
      .from(connections)
      .where(and(eq(connections.workspaceId, actor.workspaceId), inArray(connections.id, ids))),
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}

/**
 * The id behind a connection's id or name, for what is asked of the ledger. The id of a connection that was deleted
 * is taken as it stands: its calls stay. Refuses `invalid`, naming `connection`.
 */
export async function connectionId(tenancy: Tenancy, actor: Actor, reference: string): Promise<string> {
  requireRole(actor, 'viewer');
  const [row] = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx
      .select({ id: connections.id })
      .from(connections)
      .where(and(eq(connections.workspaceId, actor.workspaceId), or(eq(connections.id, reference), eq(connections.name, reference))))
      .orderBy(sql`${connections.id} = ${reference} desc`)
      .limit(1),
  );
  if (row !== undefined) return row.id;
  if (/^conn_\w+$/.test(reference)) return reference;
  const message = `there is no connection "${reference}" in this workspace`;
  throw new Refusal('invalid', `connection: ${message}.`, [{ field: 'connection', message }]);
}
