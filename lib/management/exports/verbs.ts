import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { exportChunks, exports, type ExportFilter } from '../../db/schema';
import type { Ledger } from '../../metering';
import { newId, Refusal } from '../../std';
import { actorName, audit, connectionId, keyId, requireRole, type Actor, type Tenancy } from '../../tenancy';
import type { ExportCreate, ExportView } from '../schemas';
import { MEDIA_TYPES } from './encode';

/** Calls in one file at the most. */
export const MOST_ROWS = 1_000_000;
export const KEPT_DAYS = 7;
/** Waiting or being written at a time, of one workspace. */
const MOST_OPEN = 3;
const LISTED = 100;

interface Services {
  tenancy: Tenancy;
  ledger: Ledger;
}

/**
 * Asks for a file of calls; a background job writes it. Which calls is settled now: keys and connections by id, and
 * nothing that begins later. Refuses `invalid`, and `conflict` when enough are under way.
 */
export async function createExport({ tenancy, ledger }: Services, actor: Actor, input: ExportCreate): Promise<ExportView> {
  requireRole(actor, 'viewer');
  const now = new Date(tenancy.clock.now());
  const { key, connection, to, ...rest } = input.filter;
  const filter: ExportFilter = {
    ...rest,
    ...(key === undefined ? {} : { key: await keyId(tenancy, actor, key) }),
    ...(connection === undefined ? {} : { connection: await connectionId(tenancy, actor, connection) }),
    to: to !== undefined && Date.parse(to) < now.getTime() ? to : now.toISOString(),
  };
  await ledger.flush(500); // what has ended by now shall be in it
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const mine = eq(exports.workspaceId, actor.workspaceId);
    const [open] = await tx.select({ n: count() }).from(exports).where(and(mine, inArray(exports.state, ['queued', 'running'])));
    if (open!.n >= MOST_OPEN) throw new Refusal('conflict', `${MOST_OPEN} exports are being written. Wait for one of them, or delete it.`);
    const [row] = await tx
      .insert(exports)
      .values({ id: newId('export', now.getTime()), workspaceId: actor.workspaceId, format: input.format, filter, createdBy: actorName(actor), createdAt: now })
      .returning();
    const view = exportView(row!);
    await audit(tx, actor, 'export.created', view.id, null, { format: view.format, filter: view.filter });
    return view;
  });
}

/** The newest hundred. */
export async function listExports(tenancy: Tenancy, actor: Actor): Promise<ExportView[]> {
  requireRole(actor, 'viewer');
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx.select().from(exports).where(eq(exports.workspaceId, actor.workspaceId)).orderBy(desc(exports.createdAt), desc(exports.id)).limit(LISTED),
  );
  return rows.map(exportView);
}

export async function getExport(tenancy: Tenancy, actor: Actor, id: string): Promise<ExportView> {
  requireRole(actor, 'viewer');
  const [row] = await withWorkspace(tenancy.db, actor.workspaceId, (tx) => tx.select().from(exports).where(and(eq(exports.workspaceId, actor.workspaceId), eq(exports.id, id))));
  if (row === undefined) throw new Refusal('not_found', `There is no such export in this workspace; they are kept for ${KEPT_DAYS} days.`);
  return exportView(row);
}

/** Removes a file, or stops the writing of it. */
export async function deleteExport(tenancy: Tenancy, actor: Actor, id: string): Promise<void> {
  requireRole(actor, 'viewer');
  await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const [row] = await tx.delete(exports).where(and(eq(exports.workspaceId, actor.workspaceId), eq(exports.id, id))).returning();
    if (row === undefined) throw new Refusal('not_found', 'There is no such export in this workspace.');
    await audit(tx, actor, 'export.deleted', id, { format: row.format, filter: row.filter }, null);
  });
}

export interface ExportFile {
  name: string;
  type: string;
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

/** The file, read chunk by chunk as it is taken. Refuses `conflict` while it is not finished. */
export async function exportFile(tenancy: Tenancy, actor: Actor, id: string): Promise<ExportFile> {
  const view = await getExport(tenancy, actor, id);
  if (view.state !== 'finished') {
    throw new Refusal('conflict', view.state === 'failed' ? `This export failed: ${view.error}` : 'This export is still being written.');
  }
  let seq = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      seq++;
      const [chunk] = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
        tx.select({ data: exportChunks.data }).from(exportChunks).where(and(eq(exportChunks.exportId, id), eq(exportChunks.seq, seq))),
      );
      if (chunk === undefined) controller.close();
      else controller.enqueue(new Uint8Array(chunk.data));
    },
  });
  return { name: `calls-${view.created_at.slice(0, 10)}-${id.slice(-6)}.${view.format}`, type: MEDIA_TYPES[view.format], bytes: view.bytes, body };
}

function exportView(row: typeof exports.$inferSelect): ExportView {
  return {
    id: row.id,
    format: row.format,
    filter: row.filter as ExportView['filter'],
    state: row.state,
    rows: row.rows,
    bytes: row.bytes,
    capped: row.capped,
    row_limit: MOST_ROWS,
    error: row.error,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    expires_at: new Date(row.createdAt.getTime() + KEPT_DAYS * 86_400_000).toISOString(),
  };
}
