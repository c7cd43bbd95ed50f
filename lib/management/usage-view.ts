import { usage, type Ledger, type UsageGroup, type UsageReport } from '../metering';
import { dayIn, startOfDay } from '../std';
import { connectionId, connectionNames, keyId, keyNames, type Actor, type Tenancy } from '../tenancy';
import type { UsageApiQuery, UsageView } from './schemas';

/** Answers a usage query: names resolved on the way in and told on the way out. */
export async function usageView(services: { tenancy: Tenancy; ledger: Ledger }, actor: Actor, query: UsageApiQuery, nowMs: number): Promise<UsageView> {
  const { tenancy, ledger } = services;
  const { zone, group_by: groupBy } = query;
  const to = query.to ?? new Date(nowMs).toISOString();
  const report = await usage(ledger, actor.workspaceId, {
    from: query.from ?? new Date(startOfDay(Date.parse(to) - 30 * 86_400_000, zone)).toISOString(),
    to,
    step: groupBy?.step ?? null,
    zone,
    groupBy: groupBy?.group ?? null,
    filter: {
      ...(query.key === undefined ? {} : { key: await keyId(tenancy, actor, query.key) }),
      ...(query.connection === undefined ? {} : { connection: await connectionId(tenancy, actor, query.connection) }),
      ...(query.model === undefined ? {} : { model: query.model }),
      ...(query.route === undefined ? {} : { route: query.route }),
      ...(query.tag === undefined ? {} : { tag: query.tag }),
    },
  });
  const names = await groupNames(tenancy, actor, groupBy?.group ?? null, report);
  const shown = (group: UsageGroup | null) => group && { value: group.value, name: group.value === null ? null : (names.get(group.value) ?? null), provider: group.provider, groups: group.groups };
  return {
    from: report.from,
    to: report.to,
    zone,
    group_by: groupBy?.names as UsageView['group_by'] ?? [],
    data: report.rows.map(({ piece, group, ...figures }) => {
      const start = report.starts[piece]!;
      return { start, end: report.starts[piece + 1] ?? report.to, day: dayIn(Date.parse(start), zone), group: shown(group), ...figures };
    }),
    total: report.total,
  };
}

/** What keys and connections are called now, by id; models, routes and tags are their own names. */
export async function groupNames(tenancy: Tenancy, actor: Actor, groupBy: string | null, report: UsageReport): Promise<Map<string, string>> {
  const values = report.totals.flatMap(({ group }) => (group?.value == null ? [] : [group.value]));
  if (groupBy === 'key') return new Map([...(await keyNames(tenancy, actor, values))].map(([id, { name }]) => [id, name]));
  if (groupBy === 'connection') return await connectionNames(tenancy, actor, values);
  return new Map(values.map((value) => [value, value]));
}
