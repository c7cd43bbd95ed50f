import { formatCount, formatMoney } from '@/app/_ui/figures';
import type { UsageCell, UsageFigures, UsageReport } from '@/lib/metering';

/** What the charts draw: values a piece of time, null where nothing was measured. Pure. */

export type Format = 'count' | 'money';

export interface Series {
  name: string;
  /** One a point. */
  values: (number | null)[];
}

export interface Chart {
  id: string;
  title: string;
  format: Format;
  /** CSS colour of a lone series: the one that its thing has everywhere. */
  color: string;
  series: Series[];
  /** One sentence on what it shows. */
  summary: string;
}

export interface Point {
  /** Short, for the axis. */
  label: string;
  /** With its day, for the tooltip and the sentence. */
  full: string;
  /** For the table, whose heading says the rest. */
  row: string;
  start: string;
  end: string;
}

type Measure = (figures: UsageFigures) => number | null;

/** A hit needs a look: where nothing was looked up, there is no count of hits. */
const replayHits: Measure = ({ replay }) => (replay.hit + replay.miss === 0 ? null : replay.hit);

const MEASURES: { id: string; title: string; format: Format; color: string; measure: Measure; none: string }[] = [
  { id: 'calls', title: 'Calls', format: 'count', color: 'var(--accent)', measure: ({ calls }) => calls, none: 'No call was made.' },
  { id: 'spend', title: 'Spend', format: 'money', color: 'var(--state-aborted)', measure: (figures) => figures.cost_nano_usd, none: 'No call has a price.' },
  { id: 'failovers', title: 'Failovers', format: 'count', color: 'var(--state-failed)', measure: ({ failovers }) => failovers, none: 'No call was made.' },
  { id: 'truncations', title: 'Truncations', format: 'count', color: 'var(--state-truncated)', measure: ({ truncations }) => truncations, none: 'No call was made.' },
  { id: 'replays', title: 'Replay hits', format: 'count', color: 'var(--state-replayed)', measure: replayHits, none: 'No stored answer was looked for.' },
];

/** The kinds are parts of each other in a row; here each stands for itself, so that they add up to all tokens. */
export const TOKEN_KINDS: { name: string; measure: Measure }[] = [
  { name: 'Prompt, not cached', measure: ({ tokens }) => tokens.prompt === null ? null : tokens.prompt - (tokens.cached ?? 0) - (tokens.cache_write ?? 0) },
  { name: 'Prompt, from cache', measure: ({ tokens }) => tokens.cached },
  { name: 'Prompt, into cache', measure: ({ tokens }) => tokens.cache_write },
  { name: 'Completion, no reasoning', measure: ({ tokens }) => tokens.completion === null ? null : tokens.completion - (tokens.reasoning ?? 0) },
  { name: 'Reasoning', measure: ({ tokens }) => tokens.reasoning },
];

/** Drawn apart in a chart; the rest stand in the table. */
export const MOST_LINES = 5;

export function pointsOf(report: UsageReport, step: 'hour' | 'day'): Point[] {
  const zone = report.zone;
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  const date = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' });
  return report.starts.map((start, piece) => {
    const at = new Date(start);
    const end = report.starts[piece + 1] ?? report.to;
    return {
      label: step === 'hour' ? clock.format(at) : day.format(at),
      full: step === 'hour' ? `${date.format(at)}, ${clock.format(at)} to ${clock.format(new Date(end))}` : date.format(at),
      row: step === 'hour' ? `${clock.format(at)} to ${clock.format(new Date(end))}` : weekday.format(at),
      start,
      end,
    };
  });
}

/**
 * The charts of a report. A piece of time that has passed without a call has 0 calls and nothing else; before the
 * first call ever and after now there is nothing at all.
 */
export function chartsOf(whole: UsageReport, grouped: UsageReport | null, nameOf: (cell: UsageCell) => string, points: Point[], nowMs: number): Chart[] {
  const measured = (piece: number) => whole.since !== null && points[piece]!.start <= new Date(nowMs).toISOString() && points[piece]!.end > whole.since;
  const lines = grouped === null ? [{ name: '', cells: byPiece(whole.rows) }] : groupsOf(grouped, nameOf);
  const draw = (cells: ReadonlyMap<number, UsageFigures>, measure: Measure, isCalls: boolean) =>
    points.map((_, piece) => {
      const figures = cells.get(piece);
      if (figures !== undefined) return measure(figures);
      return isCalls && measured(piece) ? 0 : null;
    });
  const charts = MEASURES.map(({ measure, none, ...chart }): Chart => {
    const all = draw(byPiece(whole.rows), measure, chart.id === 'calls');
    return { ...chart, series: lines.map(({ name, cells }) => ({ name: name || chart.title, values: draw(cells, measure, chart.id === 'calls') })), summary: summaryOf(chart.title, all, measure(whole.total), points, chart.format, none) };
  });
  const kinds = TOKEN_KINDS.map(({ name, measure }) => ({ name, values: draw(byPiece(whole.rows), measure, false) })).filter(({ values }) => values.some((value) => value !== null));
  const { tokens } = whole.total;
  const sum = tokens.prompt === null ? null : tokens.prompt + (tokens.completion ?? 0);
  const each = points.map((_, piece) => {
    const figures = byPiece(whole.rows).get(piece)?.tokens;
    return figures?.prompt == null ? null : figures.prompt + (figures.completion ?? 0);
  });
  charts.splice(1, 0, { id: 'tokens', title: 'Tokens by kind', format: 'count', color: 'var(--accent)', series: kinds, summary: summaryOf('Tokens', each, sum, points, 'count', 'No call used tokens.') });
  return charts;
}

/** The groups that are drawn, as their names. */
export const drawnGroups = (grouped: UsageReport, nameOf: (cell: UsageCell) => string): string[] => groupsOf(grouped, nameOf).map(({ name }) => name);

function groupsOf(report: UsageReport, nameOf: (cell: UsageCell) => string): { name: string; cells: Map<number, UsageFigures> }[] {
  const groups = new Map<string, { calls: number; cells: Map<number, UsageFigures> }>();
  for (const cell of report.rows) {
    if ((cell.group?.groups ?? 1) > 1) continue; // the many small ones are no line
    const name = nameOf(cell);
    let found = groups.get(name);
    if (found === undefined) groups.set(name, (found = { calls: 0, cells: new Map() }));
    found.calls += cell.calls;
    found.cells.set(cell.piece, cell);
  }
  return [...groups].sort(([, a], [, b]) => b.calls - a.calls).slice(0, MOST_LINES).map(([name, { cells }]) => ({ name, cells }));
}

const byPiece = (rows: readonly UsageCell[]): Map<number, UsageFigures> => new Map(rows.map((row) => [row.piece, row]));

function summaryOf(title: string, values: (number | null)[], total: number | null, points: Point[], format: Format, none: string): string {
  if (total === null || values.every((value) => value === null)) return none;
  if (total === 0) return `${title}: none.`;
  const most = values.reduce((best: number, value, piece) => ((value ?? 0) > (values[best] ?? 0) ? piece : best), 0);
  return `${title}: ${shown(total, format)} in all, most on ${points[most]!.full}: ${shown(values[most] ?? null, format)}.`;
}

function shown(value: number | null, format: Format): string {
  return format === 'money' ? formatMoney(value) : formatCount(value);
}
