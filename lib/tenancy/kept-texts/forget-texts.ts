import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../db';
import { keptTexts } from '../../db/schema';

/** Deletes what is kept of a key, or of the whole workspace; gives how many calls that were. */
export async function forgetTexts(tx: Tx, workspaceId: string, keyId: string | null): Promise<number> {
  const gone = await tx
    .delete(keptTexts)
    .where(and(eq(keptTexts.workspaceId, workspaceId), keyId === null ? undefined : eq(keptTexts.keyId, keyId)))
    .returning({ callId: keptTexts.callId });
  return gone.length;
}

/** A shorter time holds for what is kept already; a longer one does not: it was promised to go earlier. */
export async function shortenTexts(tx: Tx, workspaceId: string, keyId: string, days: number): Promise<void> {
  await tx
    .update(keptTexts)
    .set({ expiresAt: sql`least(${keptTexts.expiresAt}, ${keptTexts.keptAt} + make_interval(days => ${days}))` })
    .where(and(eq(keptTexts.workspaceId, workspaceId), eq(keptTexts.keyId, keyId)));
}
