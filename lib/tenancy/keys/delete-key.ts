import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { keys, keyTiers } from '../../db/schema';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { forgetTexts } from '../kept-texts';
import { forgetShared } from '../replay';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { keyRow, keyViews } from './rows';

/**
 * Revokes a key for good, both its tokens. The row stays so that the ledger can name it; its name, its default
 * route and its tiers are free again. Refuses `not_found`, `stale`.
 */
export async function deleteKey(tenancy: Tenancy, actor: Actor, input: { id: string; revision?: number | null }): Promise<void> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const now = new Date(tenancy.clock.now());
  await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const old = await keyRow(tx, workspaceId, input.id, true);
    requireRevision(old.revision, input.revision ?? null);
    const [before] = await keyViews(tx, workspaceId, [old], now.getTime());
    await tx
      .update(keys)
      .set({ revokedAt: now, updatedAt: now, revision: old.revision + 1, defaultRouteId: null, previousTokenHash: null, previousValidUntil: null })
      .where(and(eq(keys.workspaceId, workspaceId), eq(keys.id, input.id)));
    if (old.replayScope === 'workspace') await forgetShared(tx, workspaceId);
    await tx.delete(keyTiers).where(and(eq(keyTiers.workspaceId, workspaceId), eq(keyTiers.keyId, input.id)));
    await forgetTexts(tx, workspaceId, input.id);
    await audit(tx, actor, 'key.revoked', input.id, before, null);
  });
}
