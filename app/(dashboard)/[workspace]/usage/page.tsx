import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { buttonClass, Empty, LinkButton, PageHeader, Section } from '@/app/_ui';
import { LineChart } from '@/app/_ui/line-chart';
import { runtime } from '@/lib/boot';
import { keyListQuery, namedListQuery } from '@/lib/management/schemas';
import type { UsageGroup } from '@/lib/metering';
import { listKeys, listRoutes } from '@/lib/tenancy';
import { FilterForm } from './_components/filter-form';
import { addressOf, onlyEntries, onlyWith, RANGES, readFilters, type UsageFilters } from './_components/filters';
import { readUsage, type UsageReading } from './_components/read-usage';
import { chartsOf, drawnGroups, MOST_LINES, pointsOf, type Chart, type Point } from './_components/series';
import { UsageTable, type UsageLine } from './_components/tables';
import { Totals } from './_components/totals';

export const metadata: Metadata = { title: 'Usage' };

export default async function UsagePage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const filters = readFilters(await queryOf(searchParams));
  const now = Date.now();
  const [reading, keys, routes] = await Promise.all([
    readUsage(actor, filters, now, MOST_LINES),
    listKeys(tenancy, actor, keyListQuery.parse({ limit: 100 })),
    listRoutes(tenancy, actor, namedListQuery.parse({ limit: 100 })),
  ]);
  const here = `/${slug}/usage`;
  const { whole, grouped, nameOf } = reading;
  const points = pointsOf(whole, RANGES[filters.range].step);
  const charts = chartsOf(whole, grouped?.largest ?? null, ({ group }) => (group === null ? '' : nameOf(group)), points, now);
  const callsAt = (from: string, to: string, more: Record<string, string> = {}) => `/${slug}/calls?${new URLSearchParams({ ...Object.fromEntries(onlyEntries(filters)), ...more, from, to })}`;
  const csv = addressOf(`${here}/csv`, filters);
  return (
    <>
      <PageHeader
        title="Usage"
        lead={<>Sums over the ledger: {RANGES[filters.range].label.toLowerCase()}, in the time zone <strong className="font-medium text-text">{whole.zone}</strong>. {filters.range === 'today' ? 'Hours are those of UTC, shown on that zone’s clock. ' : ''}Every figure is that of the calls list.</>}
        actions={<a className={buttonClass('secondary')} href={csv} download>Download CSV</a>}
      />
      <FilterForm here={here} filters={filters} keys={keys.data.map(({ id, name }) => ({ id, name }))} routes={routes.data.map((route) => route.name)} />
      {whole.total.calls === 0 ? <Nothing here={here} anySet={onlyEntries(filters).length > 0} ever={whole.since !== null} slug={slug} /> : (
        <>
          <Totals total={whole.total} callsAddress={(more) => callsAt(whole.from, whole.to, more)} />
          <Section bare title={filters.range === 'today' ? 'By the hour' : 'Day by day'} lead={grouped === null ? 'A gap is a time in which nothing was measured.' : `The ${MOST_LINES} with the most calls, each ${filters.group} on its own; the table has them all. A gap is a time in which nothing was measured.`}>
            <div className="grid gap-4 lg:grid-cols-2">{charts.map((chart) => <ChartCard key={chart.id} chart={chart} points={points} />)}</div>
          </Section>
          {grouped === null ? null : (
            <Section bare title={`By ${filters.group}`}>
              <UsageTable caption={`Usage by ${filters.group}`} first={capital(filters.group)} lines={groupLines(reading, filters, here, (more) => callsAt(whole.from, whole.to, more))} />
            </Section>
          )}
          {grouped === null ? null : (
            <details className="mb-6">
              <summary className="mb-2 text-sm font-semibold">By {RANGES[filters.range].step} and {filters.group}, as in the charts</summary>
              <UsageTable caption={`Usage by ${RANGES[filters.range].step} and ${filters.group}`} first={`${whole.zone}, ${filters.group}`} lines={drawnLines(reading, filters, points, callsAt)} />
            </details>
          )}
          <Section bare title={filters.range === 'today' ? 'The same, hour by hour' : 'The same, day by day'} lead={`Times are those of ${whole.zone}. What is estimated and what has no price stands beside the sums that it touches.`}>
            <UsageTable caption={filters.range === 'today' ? 'Usage by hour' : 'Usage by day'} first={whole.zone} lines={timeLines(reading, points, callsAt, now)} />
          </Section>
        </>
      )}
    </>
  );
}

function ChartCard({ chart, points }: { chart: Chart; points: Point[] }) {
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-surface p-3">
      <figcaption className="mb-2">
        <h3 className="text-sm font-medium">{chart.title}</h3>
        <p className="text-xs text-muted">{chart.summary}</p>
      </figcaption>
      <LineChart label={chart.title} points={points.map(({ label, full }) => ({ label, full }))} series={chart.series} format={chart.format} color={chart.color} />
    </figure>
  );
}

function timeLines({ whole }: UsageReading, points: Point[], callsAt: (from: string, to: string) => string, nowMs: number): UsageLine[] {
  const byPiece = new Map(whole.rows.map((row) => [row.piece, row]));
  const now = new Date(nowMs).toISOString();
  return points.flatMap((point, piece) => {
    const begun = point.start <= now && whole.since !== null && point.end > whole.since;
    const figures = byPiece.get(piece) ?? null;
    return begun || figures !== null ? [{ id: point.start, name: <span className="whitespace-nowrap">{point.row}</span>, figures, calls: callsAt(point.start, point.end) }] : [];
  }).reverse();
}

function groupLines({ grouped, nameOf }: UsageReading, filters: UsageFilters, here: string, calls: (more: Record<string, string>) => string): UsageLine[] {
  const by = filters.group;
  if (grouped === null || by === '') return [];
  const alone = (group: UsageGroup) => (group.value === null || group.groups > 1 ? null : group.value);
  return grouped.totals.flatMap(({ group, figures }) => {
    if (group === null) return [];
    const value = alone(group);
    const name = nameOf(group);
    return [{
      id: name,
      name: value === null ? <span className="text-muted">{name}</span> : <Link className="link break-words" href={addressOf(here, onlyWith(filters, by, value))}>{name}</Link>,
      figures,
      calls: calls(value === null ? {} : { [by]: value }),
    }];
  });
}

/** A line for each point that the charts draw of a group. */
function drawnLines({ grouped, nameOf }: UsageReading, filters: UsageFilters, points: Point[], callsAt: (from: string, to: string, more: Record<string, string>) => string): UsageLine[] {
  const name = ({ group }: { group: UsageGroup | null }) => (group === null ? '' : nameOf(group));
  const drawn = drawnGroups(grouped!.largest, name);
  return grouped!.largest.rows.filter((cell) => drawn.includes(name(cell))).reverse().map(({ piece, group, ...figures }) => {
    const point = points[piece]!;
    const value = group?.value ?? null;
    return {
      id: `${point.start} ${name({ group })}`,
      name: <span className="break-words">{point.row}, {name({ group })}</span>,
      figures,
      calls: callsAt(point.start, point.end, value === null ? {} : { [filters.group]: value }),
    };
  });
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Nothing({ here, anySet, ever, slug }: { here: string; anySet: boolean; ever: boolean; slug: string }) {
  if (anySet) return <Empty title="No such call in this time" action={<LinkButton href={here}>Show all usage</LinkButton>}>A call is summed once it has ended.</Empty>;
  if (ever) return <Empty title="No calls in this time" action={<LinkButton href={`${here}?range=quarter`}>Look at the last 90 days</LinkButton>}>A call is summed once it has ended, failed and refused ones too.</Empty>;
  return <Empty title="Nothing to sum yet" action={<LinkButton variant="primary" href={`/${slug}/keys`}>Issue a key</LinkButton>}>Issue a key, send a request with it, and what it used stands here.</Empty>;
}
