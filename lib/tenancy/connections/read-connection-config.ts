import { withWorkspace } from '../../db';
import type { ConnectionConfig } from '../../gateway/ports';
import type { Actor } from '../actor';
import { pricesAt } from '../prices/rows';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { connectionConfig } from './connection-config';
import { connectionRow } from './rows';

/** The connection as the engine takes it, for a test that contacts its provider. Refuses `not_found`. */
export async function readConnectionConfig(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<ConnectionConfig> {
  requireRole(actor, 'developer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const row = await connectionRow(tx, actor.workspaceId, input.id, false);
    const prices = await pricesAt(tx, actor.workspaceId, [row.id]);
    return connectionConfig(tenancy, row, prices.get(row.id) ?? []);
  });
}
