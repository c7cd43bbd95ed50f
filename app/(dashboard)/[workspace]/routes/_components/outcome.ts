import type { RouteReport, RouteView } from '@/lib/management/schemas';
import type { Issue } from '@/lib/std';

/** What the actions of this page answer. A refusal is a value here; what is not the person's to mend is thrown. */
export type Outcome<T> =
  | { ok: true; value: T }
  | { ok: false; kind: 'signed_out'; message: string }
  | { ok: false; kind: 'stale'; message: string; current: RouteView }
  | { ok: false; kind: 'refused'; message: string; issues: Issue[] };

export type SaveOutcome = Outcome<RouteView>;
export type TestOutcome = Outcome<RouteReport>;
