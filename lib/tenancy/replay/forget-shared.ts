import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../../db';
import { workspaces } from '../../db/schema';

/** Puts the answers that the workspace's keys share out of reach: one whose answers are among them shares no more. */
export async function forgetShared(tx: Tx, workspaceId: string): Promise<void> {
  await tx.update(workspaces).set({ replaySharedGeneration: sql`${workspaces.replaySharedGeneration} + 1` }).where(eq(workspaces.id, workspaceId));
}
