import { withWorkspace } from '../../db';
import type { ConnectionView } from '../../management/schemas';
import type { Actor } from '../actor';
import type { Tenancy } from '../tenancy';
import { requireRole } from '../require-role';
import { connectionRow, connectionView, routesUsing } from './rows';

/** One connection, without its key. Refuses `not_found`. */
export async function getConnection(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<ConnectionView> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const row = await connectionRow(tx, actor.workspaceId, input.id, false);
    const using = await routesUsing(tx, actor.workspaceId, [row.id]);
    return connectionView(row, using.get(row.id) ?? []);
  });
}
