import { withWorkspace } from '../../db';
import type { ConnectionConfig } from '../../gateway/ports';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { connectionConfig } from './connection-config';
import { connectionRow } from './rows';

/** The connection as the engine takes it, for a test that contacts its provider. Refuses `not_found`. */
export async function readConnectionConfig(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<ConnectionConfig> {
  requireRole(actor, 'developer');
  const row = await withWorkspace(tenancy.db, actor.workspaceId, (tx) => connectionRow(tx, actor.workspaceId, input.id, false));
  return connectionConfig(tenancy, row);
}
