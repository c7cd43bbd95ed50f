import { eq } from 'drizzle-orm';
import { withWorkspace } from '../db';
import { workspaces } from '../db/schema';
import type { Me } from '../management/schemas';
import { Refusal } from '../std';
import type { Actor } from './actor';
import type { Tenancy } from './tenancy';

/** Who is asking, in which workspace, as what. */
export async function whoAmI(tenancy: Tenancy, actor: Actor): Promise<Me> {
  const [workspace] = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx.select({ id: workspaces.id, slug: workspaces.slug, name: workspaces.name }).from(workspaces).where(eq(workspaces.id, actor.workspaceId)),
  );
  if (workspace === undefined) throw new Refusal('not_found', 'The workspace is gone.');
  return { kind: actor.kind, id: actor.id, role: actor.role, workspace };
}
