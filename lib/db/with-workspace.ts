import { sql } from 'drizzle-orm';
import type { Bounds, Database, Tx } from './database';

/**
 * The one way to tenant tables: a transaction that sees the rows of this workspace and no others. The setting
 * is local to the transaction, so nothing of it is left on the connection, however the transaction ends.
 */
export function withWorkspace<T>(db: Database, workspaceId: string, work: (tx: Tx) => Promise<T>, bounds?: Bounds): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('app.workspace', ${workspaceId}, true)`);
    return await work(tx);
  }, bounds);
}
