import { eq } from 'drizzle-orm';
import type { Tx } from '../../db';
import { connections, members, routes, workspaces } from '../../db/schema';
import { WORKSPACE_NAME_MAX_LENGTH } from '../../management/schemas';
import { newId, Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { connectionRow, connectionView } from '../connections/rows';
import { keepVersion, writeTiers } from '../routes/write-route';
import { slugOf, withSuffix } from './slug';

/** The name as it is stored; made from the address when none is given. */
export function workspaceName(given: string | undefined, email: string): string {
  const name = (given ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim() || email.split('@')[0]!.slice(0, WORKSPACE_NAME_MAX_LENGTH);
  if ([...name].length <= WORKSPACE_NAME_MAX_LENGTH) return name;
  const message = `must have at most ${WORKSPACE_NAME_MAX_LENGTH} characters`;
  throw new Refusal('invalid', `The workspace name ${message}.`, [{ field: 'workspace', message }]);
}

/**
 * A workspace that works at once: its owner, a connection to the sandbox, and a route whose first tier fails before
 * any content and whose second answers, so that the first call shows a failover. Runs in the workspace's own
 * transaction. Returns the slug.
 */
export async function furnishWorkspace(tx: Tx, input: { workspaceId: string; name: string; ownerId: string }): Promise<string> {
  const { workspaceId, name, ownerId } = input;
  const actor: Actor = { kind: 'user', id: ownerId, workspaceId, role: 'owner' };
  const slug = await claimSlug(tx, workspaceId, name);
  await tx.insert(members).values({ workspaceId, userId: ownerId, role: 'owner' });
  await audit(tx, actor, 'workspace.created', workspaceId, null, { id: workspaceId, slug, name, owner: ownerId });

  const connectionId = newId('conn');
  await tx.insert(connections).values({ id: connectionId, workspaceId, name: 'sandbox', kind: 'sandbox', provider: 'sandbox', baseUrl: '' });
  await audit(tx, actor, 'connection.created', connectionId, null, connectionView(await connectionRow(tx, workspaceId, connectionId, false), []));

  const routeId = newId('route');
  await tx.insert(routes).values({ id: routeId, workspaceId, name: 'demo' });
  await writeTiers(tx, workspaceId, routeId, ['status:503', 'text:20'].map(sandboxTier));
  await audit(tx, actor, 'route.created', routeId, null, await keepVersion(tx, actor, routeId));
  return slug;
}

const sandboxTier = (model: string) => ({
  connection: 'sandbox',
  model,
  first_content_timeout_ms: null,
  idle_timeout_ms: null,
  response_timeout_ms: null,
});

async function claimSlug(tx: Tx, workspaceId: string, name: string): Promise<string> {
  let slug = slugOf(name);
  for (let attempt = 1; attempt <= 10; attempt++) {
    // Another tenant's slug is invisible here; the unique index knows it all the same.
    await tx.insert(workspaces).values({ id: workspaceId, slug, name }).onConflictDoNothing({ target: workspaces.slug });
    const [mine] = await tx.select({ slug: workspaces.slug }).from(workspaces).where(eq(workspaces.id, workspaceId));
    if (mine) return mine.slug;
    slug = withSuffix(slugOf(name));
  }
  throw new Error('no free slug in ten attempts');
}
