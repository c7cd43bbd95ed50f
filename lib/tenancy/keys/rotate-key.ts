import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { keys } from '../../db/schema';
import type { IssuedKey } from '../../management/schemas';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { issueToken } from '../token';
import { keyRow, keyViewById, keyViews, withToken } from './rows';

/**
 * A new token for the same key; the old one works for `overlap_s` more (0: it ends now). One old token at a
 * time: rotating again within the overlap ends the oldest. Refuses `not_found`.
 */
export async function rotateKey(tenancy: Tenancy, actor: Actor, input: { id: string; overlap_s: number }): Promise<IssuedKey> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const nowMs = tenancy.clock.now();
  const { token, hash, last4 } = issueToken('sk');
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const old = await keyRow(tx, workspaceId, input.id, true);
    const [before] = await keyViews(tx, workspaceId, [old], nowMs);
    const overlaps = input.overlap_s > 0;
    await tx
      .update(keys)
      .set({
        tokenHash: hash,
        last4,
        previousTokenHash: overlaps ? old.tokenHash : null,
        previousValidUntil: overlaps ? new Date(nowMs + input.overlap_s * 1000) : null,
        revision: old.revision + 1,
        updatedAt: new Date(nowMs),
      })
      .where(and(eq(keys.workspaceId, workspaceId), eq(keys.id, input.id)));
    const view = await keyViewById(tx, workspaceId, input.id, nowMs);
    await audit(tx, actor, 'key.rotated', input.id, before, view);
    return withToken(view, token);
  });
}
