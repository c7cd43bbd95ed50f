import { eq } from 'drizzle-orm';
import { type Tx, withWorkspace } from '../../db';
import { workspaces } from '../../db/schema';
import type { WorkspaceView } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import type { Tenancy } from '../tenancy';

/** The actor's workspace with its settings. */
export async function getWorkspace(tenancy: Tenancy, actor: Actor): Promise<WorkspaceView> {
  return await withWorkspace(tenancy.db, actor.workspaceId, (tx) => workspaceView(tx, actor.workspaceId, false));
}

/** `forUpdate`: nobody else edits it until the transaction ends. */
export async function workspaceView(tx: Tx, id: string, forUpdate: boolean): Promise<WorkspaceView> {
  const { name, slug, fallbackModel, revision } = workspaces;
  const query = tx.select({ id: workspaces.id, slug, name, limits: workspaces.limits, fallback_model: fallbackModel, revision }).from(workspaces).where(eq(workspaces.id, id));
  const [row] = await (forUpdate ? query.for('update') : query);
  if (row === undefined) throw new Refusal('not_found', 'The workspace is gone.');
  return { ...row, limits: row.limits ?? {} };
}
