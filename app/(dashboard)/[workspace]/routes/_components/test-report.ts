import type { DrawnCall } from '@/app/_ui/timeline';
import type { RouteReport } from '@/lib/management/schemas';

/** A test's report as a call that can be drawn. What a test does not measure stays null. */
export function drawnReport(report: RouteReport, commit: 'first_content' | 'complete', failTier: number | null): DrawnCall {
  const attempts = report.attempts.map((attempt) => ({ ...attempt, started_ms: attempt.started_ms ?? 0, usage: null }));
  return {
    state: report.state,
    stream: true,
    commit,
    replay: 'BYPASS',
    status: null,
    alert_class: null,
    tier: report.tier,
    attempts,
    flushed_bytes: null,
    trial: { failTier },
    duration_ms: Math.max(0, ...attempts.map((attempt) => attempt.started_ms + attempt.duration_ms)),
  };
}
