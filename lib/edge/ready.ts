import { type Dependency, readiness, type Readiness } from '../claims/readiness';
import type { CarriedLedger } from '../metering/carried-ledger';
import type { Store } from '../stores';
import type { Plane } from './plane';

export interface EdgeReadyOptions {
  planes: readonly Plane[];
  /** Null: none is configured. */
  store: Store | null;
  ledger: Pick<CarriedLedger, 'lag'> | null;
  draining: () => boolean;
}

/**
 * What the edge leans on, by name. It is ready when one of its planes is: without Redis or a journal it answers nothing
 * itself and forwards everything.
 */
export function edgeReadiness({ planes, store, ledger, draining }: EdgeReadyOptions): () => Promise<Readiness> {
  const dependencies = planes.map(planeDependency);
  if (store !== null) dependencies.push({ name: 'redis', check: async () => ({ ok: store.up, detail: store.up ? null : 'away: nothing is answered here' }) });
  if (ledger !== null) dependencies.push({ name: 'journal', check: async () => journalState(ledger.lag()) });
  return async () => {
    const report = await readiness(dependencies, draining());
    return { ...report, ready: !draining() && report.dependencies.slice(0, planes.length).some(({ ok }) => ok) };
  };
}

function journalState({ rows, journalHealthy, failingMs }: ReturnType<CarriedLedger['lag']>): { ok: boolean; detail: string | null } {
  if (!journalHealthy) return { ok: false, detail: 'cannot be written: nothing is answered here' };
  const waiting = failingMs === null ? '' : `, which no control plane has taken for ${Math.round(failingMs / 1000)} s`;
  return { ok: true, detail: `${rows} rows not yet delivered${waiting}` };
}

const planeDependency = ({ name, pool }: Plane): Dependency => ({
  name,
  check: async () => {
    const { statusCode, body } = await pool.request({ path: '/ready', method: 'GET', headersTimeout: 1_400, bodyTimeout: 1_400 });
    await body.dump();
    return { ok: statusCode === 200, detail: statusCode === 200 ? null : `says ${statusCode}` };
  },
});
