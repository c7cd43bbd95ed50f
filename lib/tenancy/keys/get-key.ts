import { withWorkspace } from '../../db';
import type { KeyView } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { keyViewById } from './rows';

/** One key, without its token. Refuses `not_found`, also for a revoked one. */
export async function getKey(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<KeyView> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, (tx) => keyViewById(tx, actor.workspaceId, input.id, tenancy.clock.now()));
}
