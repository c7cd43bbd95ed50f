import { sql, type SQL } from 'drizzle-orm';
import type { Tx } from '../db';
import { periodOf, readLimits, type LimitsJson } from '../limits';
import type { FailureClass } from '../wire';
import type { Sample } from './evaluate';
import type { AlertKind, Scope } from './kinds';
import { NO_FACTS, type AlertFacts } from './message';

export interface Measured {
  workspaceId: string;
  kind: AlertKind;
  threshold: number;
  windowS: number;
  scope: Scope;
}

type Samples = Sample<AlertFacts>[];

/**
 * Reads a rule's figures from the ledger: of the calls that ended in the window up to `at`, of the budgets at `at`.
 * A row that reaches the database later than its window (after an outage) is not in any figure.
 */
export function measure(tx: Tx, rule: Measured, at: Date): Promise<Samples> {
  switch (rule.kind) {
    case 'rate_limited.before_content':
      return failures(tx, rule, at, 'failed', ['rate_limited']);
    case 'rate_limited.after_content':
      return failures(tx, rule, at, 'truncated', ['rate_limited']);
    case 'stalled.before_content':
      return failures(tx, rule, at, 'failed', ['stalled', 'timeout']);
    case 'stalled.after_content':
      return failures(tx, rule, at, 'truncated', ['stalled', 'timeout']);
    case 'auth':
      return failures(tx, rule, at, 'failed', ['auth']);
    case 'no_traffic':
      return traffic(tx, rule, at);
    case 'unpriced_model':
      return unpriced(tx, rule, at);
    case 'budget':
      return budgets(tx, rule, at);
    default:
      return shares(tx, rule, at);
  }
}

/** Subjects of one rule: beyond them it is no alert but a list. */
const MOST_SUBJECTS = 100;

/** Calls that an attempt of these classes ended in this state; each call once, however often it was tried. */
async function failures(tx: Tx, rule: Measured, at: Date, state: 'failed' | 'truncated', classes: FailureClass[]): Promise<Samples> {
  const subject = rule.kind === 'auth' ? sql`a ->> 'connection'` : sql`''::text`;
  const rows = await tx.execute<FailureRow>(sql`
    select distinct on (f.subject) f.subject, count(*) over (partition by f.subject)::int as n, f.id, f.finished_at as at,
      f.attempt ->> 'provider' as provider, f.attempt ->> 'model' as model, (f.attempt ->> 'upstream_status')::int as status, coalesce((f.attempt ->> 'bytes')::bigint, 0)::text as bytes
    from (
      select distinct on (c.id, ${subject}) c.id, c.finished_at, ${subject} as subject, a as attempt
      from calls c cross join lateral jsonb_array_elements(c.attempts) with ordinality as t (a, place)
      where ${ended(rule, at)} and c.alert_class is not null
        and a ->> 'state' = ${state} and a ->> 'class' in (${sql.join(classes.map((each) => sql`${each}`), sql`, `)})
      order by c.id, ${subject}, place desc
    ) as f
    order by f.subject, f.finished_at desc, f.id desc
    limit ${MOST_SUBJECTS}`);
  const samples = rows.map((row) => ({ subject: row.subject, value: row.n, of: null, facts: { ...NO_FACTS, latest_call: latest(row) } }));
  return samples.length === 0 && rule.kind !== 'auth' ? [nothing()] : samples;
}

interface FailureRow extends Record<string, unknown> {
  subject: string;
  n: number;
  id: string;
  at: string;
  provider: string | null;
  model: string | null;
  status: number | null;
  bytes: string;
}

function latest(row: FailureRow): AlertFacts['latest_call'] {
  return { id: row.id, at: new Date(row.at).toISOString(), provider: row.provider, model: row.model, upstream_status: row.status, flushed_bytes: Number(row.bytes) };
}

/** Counted no further than the threshold, newest first: a silence costs one look at the index. */
async function traffic(tx: Tx, rule: Measured, at: Date): Promise<Samples> {
  const [row] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from (select 1 from calls c where ${ended(rule, at)} order by c.created_at desc limit ${Math.ceil(rule.threshold)}) as seen`);
  return [{ ...nothing(), value: row!.n }];
}

/** Like the shares below it reads every row of its window, so it goes no further back than it must. */
async function unpriced(tx: Tx, rule: Measured, at: Date): Promise<Samples> {
  const rows = await tx.execute<{ subject: string; n: number }>(sql`
    select coalesce(c.provider, '') || '/' || coalesce(c.model, '') as subject, count(*)::int as n
    from calls c where ${ended(rule, at, LONG_CALL_MS)} and c.cost_nano_usd is null and jsonb_typeof(c.usage) = 'object' and c.model is not null
    group by 1 order by 2 desc, 1 limit ${MOST_SUBJECTS}`);
  return rows.map(({ subject, n }) => ({ subject, value: n, of: null, facts: NO_FACTS }));
}

/** Served by a tier: `tier` is set and it was no replay. The shares are those of the usage page, of one window. */
async function shares(tx: Tx, rule: Measured, at: Date): Promise<Samples> {
  const served = sql`c.tier is not null and c.replay is distinct from 'HIT'`;
  const asked = sql`c.attempts @? '$[*] ? (@.state != "skipped")'`;
  const [row] = await tx.execute<Record<'served' | 'tried' | 'truncated' | 'rejected' | 'rescued', number>>(sql`
    select (count(*) filter (where ${served}))::int as served,
      (count(*) filter (where ${asked}))::int as tried,
      (count(*) filter (where c.state = 'truncated'))::int as truncated,
      (count(*) filter (where c.state = 'rejected' and ${asked}))::int as rejected,
      (count(*) filter (where ${served} and c.alert_class is not null and exists (
        select from jsonb_array_elements(c.attempts) as a where a ->> 'state' = 'failed' and (a ->> 'tier')::int is distinct from c.tier)))::int as rescued
    from calls c where ${ended(rule, at, LONG_CALL_MS)}`);
  const [part, of] = rule.kind === 'failover_rate' ? [row!.rescued, row!.served] : rule.kind === 'truncation_rate' ? [row!.truncated, row!.served] : [row!.truncated + row!.rejected, row!.tried];
  return [{ subject: '', value: of === 0 ? 0 : (part * 100) / of, of, facts: { ...NO_FACTS, of } }];
}

/** Ended in the window. The index is by the beginning: calls that took longer than `longestMs` are not in it. */
function ended({ workspaceId, windowS, scope }: Measured, at: Date, longestMs = LONGEST_CALL_MS): SQL {
  const from = new Date(at.getTime() - windowS * 1000).toISOString();
  const earliest = new Date(at.getTime() - windowS * 1000 - longestMs).toISOString();
  const scoped = scope.type === 'all' ? sql`true` : scope.type === 'key' ? sql`c.key_id = ${scope.id}` : sql`c.route = (select r.name from routes r where r.id = ${scope.id})`;
  return sql`c.workspace_id = ${workspaceId} and c.created_at > ${earliest}::timestamptz and c.finished_at > ${from}::timestamptz and c.finished_at <= ${at.toISOString()}::timestamptz and ${scoped}`;
}

/** Failed calls have an index of their own, and a silence ends at its first row. */
const LONGEST_CALL_MS = 2 * 3_600_000;
const LONG_CALL_MS = 15 * 60_000;

/** Every budget of a day and a month that the rule covers, hard or not: what the ledger says was spent, of the limit. */
async function budgets(tx: Tx, rule: Measured, at: Date): Promise<Samples> {
  const { workspaceId, scope } = rule;
  const limited = await tx.execute<{ id: string; name: string; limits: LimitsJson | string }>(sql`
    select k.id, k.name, k.limits from keys k where k.workspace_id = ${workspaceId} and k.revoked_at is null and k.limits ?| array['daily_cost_usd', 'monthly_cost_usd']
      and ${scope.type === 'key' ? sql`k.id = ${scope.id}` : sql`true`}
    union all
    select w.id, w.name, w.limits from workspaces w where w.id = ${workspaceId} and w.limits ?| array['daily_cost_usd', 'monthly_cost_usd'] and ${scope.type === 'all'}`);
  if (limited.length === 0) return [];
  const [day, month] = [periodOf('day', at), periodOf('month', at)];
  const spent = await tx.execute<{ key_id: string; day: string; month: string }>(sql`
    select u.key_id, coalesce(sum(u.cost_nano_usd) filter (where u.hour >= ${day.starts}::timestamptz and u.hour < ${day.ends}::timestamptz), 0)::text as day, coalesce(sum(u.cost_nano_usd), 0)::text as month
    from usage_rollups u where u.workspace_id = ${workspaceId} and u.tag = '' and u.hour >= ${month.starts}::timestamptz and u.hour < ${month.ends}::timestamptz
    group by 1`);
  const byKey = new Map(spent.map((row) => [row.key_id, row]));
  const samples: Samples = [];
  for (const { id, name, limits: json } of limited) {
    const limits = readLimits(typeof json === 'string' ? (JSON.parse(json) as LimitsJson) : json);
    const whole = id === workspaceId;
    for (const period of ['day', 'month'] as const) {
      const limit = period === 'day' ? limits?.dailyNanoUsd : limits?.monthlyNanoUsd;
      if (limit == null) continue;
      const used = whole ? spent.reduce((sum, row) => sum + Number(row[period]), 0) : Number(byKey.get(id)?.[period] ?? 0);
      const facts = { scope: whole ? 'workspace' : 'key', key_id: whole ? null : id, name, period, limit_nano_usd: limit, spent_nano_usd: used, resets_at: (period === 'day' ? day : month).ends } as const;
      samples.push({ subject: `${whole ? 'workspace' : id}:${period}`, value: (used * 100) / limit, of: null, facts: { ...NO_FACTS, budget: facts } });
    }
  }
  return samples;
}

const nothing = (): Sample<AlertFacts> => ({ subject: '', value: 0, of: null, facts: NO_FACTS });
