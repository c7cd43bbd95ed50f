import { and, asc, eq, gt } from 'drizzle-orm';
import type { Tx } from '../../db';
import { auditLog } from '../../db/schema';
import { auditHash } from './chain';

/** The first sequence number at which the workspace's log is not what was written, or null when all of it is. */
export async function verifyAuditChain(tx: Tx, workspaceId: string): Promise<{ firstBadSeq: number | null; entries: number }> {
  let seq = 0;
  let hash = '';
  for (;;) {
    const page = await tx
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, workspaceId), gt(auditLog.seq, seq)))
      .orderBy(asc(auditLog.seq))
      .limit(PAGE);
    for (const entry of page) {
      const intact = entry.seq === seq + 1 && entry.previousHash === hash && entry.hash === auditHash(entry);
      if (!intact) return { firstBadSeq: seq + 1, entries: seq };
      ({ seq, hash } = entry);
    }
    if (page.length < PAGE) return { firstBadSeq: null, entries: seq };
  }
}

const PAGE = 1_000;
