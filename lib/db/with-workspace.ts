import { sql } from 'drizzle-orm';
import type { Bounds, Database, Tx } from './database';

/**
 * The one way to tenant tables: a transaction that sees the rows of this workspace and no others. The setting
 * is local to the transaction, so nothing of it is left on the connection, however the transaction ends.
 */
export async function withWorkspace<T>(db: Database, workspaceId: string, work: (tx: Tx) => Promise<T>, bounds?: Bounds): Promise<T> {
  let edited = false;
  const result = await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('app.workspace', ${workspaceId}, true)`);
    const done = await work(tx);
    edited = edits.has(tx);
    return done;
  }, bounds);
  if (edited) db.announce(workspaceId);
  return result;
}

const edits = new WeakSet<Tx>();

/**
 * This transaction changes what calls depend on. The database tells every process; this one hears of it before
 * `withWorkspace` returns, so that whoever saved a change finds it in force.
 */
export function markEdit(tx: Tx): void {
  edits.add(tx);
}
