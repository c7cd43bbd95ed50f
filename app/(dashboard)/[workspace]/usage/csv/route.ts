import { requireMember } from '@/app/_auth/session';
import { MOST_GROUPS, type UsageFigures } from '@/lib/metering';
import { csvLine, dayIn } from '@/lib/std';
import { readFilters } from '../_components/filters';
import { readUsage } from '../_components/read-usage';

/** What the page shows, as CSV: a line for each piece of time and group that had calls, and the total last. */
export async function GET(request: Request, { params }: { params: Promise<{ workspace: string }> }): Promise<Response> {
  const { workspace } = await params;
  const { actor } = await requireMember(workspace);
  const filters = readFilters(Object.fromEntries(new URL(request.url).searchParams));
  const { whole, grouped, nameOf } = await readUsage(actor, filters, Date.now(), MOST_GROUPS);
  const report = grouped?.largest ?? whole;
  const lines = report.rows.map(({ piece, group, ...figures }) => {
    const start = report.starts[piece]!;
    return [start, report.starts[piece + 1] ?? report.to, dayIn(Date.parse(start), report.zone), report.zone, group === null ? null : nameOf(group), group?.value ?? null, ...columns(figures)];
  });
  const total = [report.from, report.to, null, report.zone, 'total', null, ...columns(report.total)];
  const text = csvLine(['start', 'end', 'day', 'zone', filters.group === '' ? 'group' : filters.group, 'id', ...COLUMNS.map(([name]) => name)]) + [...lines, total].map(csvLine).join('');
  return new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="usage-${dayIn(Date.parse(report.from), report.zone)}-${filters.range}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}

const COLUMNS: [string, (figures: UsageFigures) => number | null][] = [
  ['calls', (f) => f.calls],
  ['finished', (f) => f.by_state.finished],
  ['truncated', (f) => f.by_state.truncated],
  ['rejected', (f) => f.by_state.rejected],
  ['aborted', (f) => f.by_state.aborted],
  ['lost', (f) => f.by_state.lost],
  ['failovers', (f) => f.failovers],
  ['replay_hit', (f) => f.replay.hit],
  ['replay_miss', (f) => f.replay.miss],
  ['replay_bypass', (f) => f.replay.bypass],
  ['prompt_tokens', (f) => f.tokens.prompt],
  ['cached_tokens', (f) => f.tokens.cached],
  ['cache_write_tokens', (f) => f.tokens.cache_write],
  ['completion_tokens', (f) => f.tokens.completion],
  ['reasoning_tokens', (f) => f.tokens.reasoning],
  ['usage_by_provider_calls', (f) => f.provider.calls],
  ['usage_estimated_calls', (f) => f.estimate.calls],
  ['cost_nano_usd', (f) => f.cost_nano_usd],
  ['priced_calls', (f) => f.priced_calls],
  ['unpriced_calls', (f) => f.unpriced_calls],
  ['failed_attempts_metered', (f) => f.failed_attempts.metered],
  ['failed_attempts_prompt_tokens', (f) => f.failed_attempts.prompt_tokens],
  ['failed_attempts_completion_tokens', (f) => f.failed_attempts.completion_tokens],
];

const columns = (figures: UsageFigures): (number | null)[] => COLUMNS.map(([, value]) => value(figures));
