import type { HonestyDocument } from './document';
import type { Readiness } from './readiness';

/** What anyone may know of how things are now. */
export interface PublicStatus {
  /** `operational`: all answers and nothing fails. `degraded`: calls are served, but a claim fails. `down`: calls are not served. */
  status: 'operational' | 'degraded' | 'draining' | 'down';
  generated_at: string;
  build: HonestyDocument['build'];
  components: { name: string; status: 'operational' | 'down'; detail: string | null }[];
  claims: { total: number; failing: string[]; stale: string[]; last_run_at: string | null };
}

/** Follows from the readiness and the claims; nothing is stated by hand. */
export function publicStatusOf(readiness: Readiness, document: HonestyDocument): PublicStatus {
  const having = (status: string) => document.claims.filter((claim) => claim.status === status).map((claim) => claim.id);
  const failing = having('failing');
  return {
    status: readiness.draining ? 'draining' : !readiness.ready ? 'down' : failing.length > 0 ? 'degraded' : 'operational',
    generated_at: document.generated_at,
    build: document.build,
    components: readiness.dependencies.map(({ name, ok, detail }) => ({ name, status: ok ? 'operational' : 'down', detail })),
    claims: { total: document.claims.length, failing, stale: having('stale'), last_run_at: document.probes.last_run_at },
  };
}
