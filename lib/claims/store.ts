import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { withWorkspace, type Database } from '../db';
import { connections, keys, probeResults, routes, routeTiers } from '../db/schema';
import { newId } from '../std';
import { issueToken } from '../tenancy/token';
import type { Probe } from './probes';
import type { ProbeResult } from './status';

/** The workspace that probes run in: made by the migrations, without members, outside every total. */
export const SYSTEM_WORKSPACE = 'ws_system';

const CONNECTION = 'conn_system_sandbox';
const KEPT_DAYS = 30;

/** The connection and the routes that probes use, made or brought up to date. Safe to run in several processes at once. */
export async function prepareSystemWorkspace(db: Database, probes: readonly Probe[]): Promise<void> {
  await withWorkspace(db, SYSTEM_WORKSPACE, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('ohm/claims/system-workspace'))`);
    await tx
      .insert(connections)
      .values({ id: CONNECTION, workspaceId: SYSTEM_WORKSPACE, name: 'sandbox', kind: 'sandbox', provider: 'sandbox', baseUrl: '' })
      .onConflictDoNothing();
    const present = await tx.select().from(routeTiers);
    for (const [name, scripts] of probes.flatMap((probe) => Object.entries(probe.routes))) {
      const id = `route_system_${name}`;
      await tx.insert(routes).values({ id, workspaceId: SYSTEM_WORKSPACE, name }).onConflictDoNothing();
      const now = present.filter((tier) => tier.routeId === id).sort((a, b) => a.position - b.position).map((tier) => tier.model);
      if (JSON.stringify(now) === JSON.stringify(scripts)) continue;
      await tx.delete(routeTiers).where(eq(routeTiers.routeId, id));
      await tx.insert(routeTiers).values(scripts.map((model, at) => ({ routeId: id, workspaceId: SYSTEM_WORKSPACE, position: at + 1, connectionId: CONNECTION, model })));
      await tx.update(routes).set({ revision: sql`${routes.revision} + 1`, updatedAt: sql`now()` }).where(eq(routes.id, id));
    }
  });
}

/**
 * A key of the system workspace. It ends by itself, should this process die before it can revoke it. It keeps no
 * answers unless asked to: probes send the same words again, and look at what an upstream does with them.
 */
export async function issueProbeKey(db: Database, purpose: string, lifeMs: number, keepsAnswers = false): Promise<{ id: string; token: string }> {
  const id = newId('key');
  const { token, hash, last4 } = issueToken('sk');
  await withWorkspace(db, SYSTEM_WORKSPACE, async (tx) => {
    await tx.delete(keys).where(lt(keys.expiresAt, sql`now()`));
    await tx.insert(keys).values({ id, workspaceId: SYSTEM_WORKSPACE, name: `${purpose} ${id}`, tokenHash: hash, last4, expiresAt: new Date(Date.now() + lifeMs), replayEnabled: keepsAnswers, createdBy: 'system:probe' });
  });
  return { id, token };
}

/** Takes the same way as a revocation by hand: the row changes, its trigger tells every process. */
export async function revokeProbeKey(db: Database, id: string): Promise<void> {
  await withWorkspace(db, SYSTEM_WORKSPACE, (tx) => tx.update(keys).set({ revokedAt: sql`now()`, revision: sql`${keys.revision} + 1` }).where(and(eq(keys.id, id), eq(keys.workspaceId, SYSTEM_WORKSPACE))));
}

/** Keeps the results, and lets go of results and calls of probes that are older than a month. */
export async function saveResults(db: Database, results: readonly ProbeResult[]): Promise<void> {
  if (results.length === 0) return;
  await db.unscoped(async (queries) => {
    await queries.insert(probeResults).values(
      results.map((result) => ({ id: result.id, probe: result.probe, processId: result.processId, ranAt: new Date(result.ranAtMs), passed: result.passed, durationMs: result.durationMs, detail: result.detail, figures: result.figures })),
    );
    await queries.delete(probeResults).where(lt(probeResults.ranAt, sql`now() - make_interval(days => ${KEPT_DAYS})`));
    await queries.execute(sql`select ohm_sweep_probe_calls(make_interval(days => ${KEPT_DAYS}))`);
  });
}

/** The latest result of every probe, whichever process found it. */
export async function latestResults(db: Database): Promise<ProbeResult[]> {
  const rows = await db.unscoped((queries) => queries.selectDistinctOn([probeResults.probe]).from(probeResults).orderBy(probeResults.probe, sql`${probeResults.ranAt} desc`));
  return rows.map(resultOf);
}

/** The newest results of all probes, newest first. */
export async function recentResults(db: Database, limit: number): Promise<ProbeResult[]> {
  const rows = await db.unscoped((queries) => queries.select().from(probeResults).orderBy(desc(probeResults.ranAt)).limit(limit));
  return rows.map(resultOf);
}

function resultOf(row: typeof probeResults.$inferSelect): ProbeResult {
  return { id: row.id, probe: row.probe, processId: row.processId, ranAtMs: row.ranAt.getTime(), durationMs: row.durationMs, passed: row.passed, detail: row.detail, figures: (row.figures ?? {}) as ProbeResult['figures'] };
}
