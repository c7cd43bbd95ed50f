import { and, eq, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { keptTexts } from '../../db/schema';
import type { KeptTexts } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { SealBroken } from '../keyring';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { openTexts, type TextsOfCall } from './sealed-texts';

/**
 * The texts of a call that savers changed, as they came and as they were sent; who read them is in the audit log.
 * Refuses `not_found` where none are kept, or not any more.
 */
export async function getKeptTexts(tenancy: Tenancy, actor: Actor, input: { callId: string }): Promise<KeptTexts> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const [row] = await tx.select().from(keptTexts).where(and(eq(keptTexts.workspaceId, workspaceId), eq(keptTexts.callId, input.callId), sql`${keptTexts.expiresAt} > now()`));
    const opened = row === undefined ? null : openOrNull(tenancy, { id: row.callId, workspaceId }, row.sealed);
    if (row === undefined || opened === null) throw new Refusal('not_found', 'No texts are kept of this call: its key keeps none, no saver changed one, or their time is over.');
    await audit(tx, actor, 'texts.read', row.callId, null, { texts: opened.texts.length });
    return { call_id: row.callId, kept_at: row.keptAt.toISOString(), expires_at: row.expiresAt.toISOString(), texts: opened.texts, left_out: opened.leftOut };
  });
}

/** Altered in the database, or sealed under a secret that is no more: then there is nothing to be shown. */
function openOrNull({ keyring }: Tenancy, call: { id: string; workspaceId: string }, sealed: string): TextsOfCall | null {
  try {
    return openTexts(keyring, call, sealed);
  } catch (error) {
    if (error instanceof SealBroken || (error as { code?: string }).code === 'seal_broken') return null;
    throw error;
  }
}
