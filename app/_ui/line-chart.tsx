'use client';

import { CartesianGrid, Line, LineChart as Lines, ResponsiveContainer, Tooltip, XAxis, YAxis, type TooltipContentProps } from 'recharts';
import { formatCount, formatMoney } from './figures';
import { cx } from './class-names';

export type ChartFormat = 'count' | 'money';

interface LineChartProps {
  /** Accessible name. */
  label: string;
  points: { label: string; full: string }[];
  /** One value a point; null leaves a gap. */
  series: { name: string; values: (number | null)[] }[];
  format: ChartFormat;
  /** CSS colour of a lone series. */
  color: string;
  className?: string;
}

/** Told apart by colour and by dash: never by colour alone. */
const LOOKS = [
  { color: 'var(--accent)', dash: '' },
  { color: 'var(--info)', dash: '6 3' },
  { color: 'var(--state-replayed)', dash: '2 2' },
  { color: 'var(--state-aborted)', dash: '8 3 2 3' },
  { color: 'var(--muted)', dash: '1 4' },
];

/** Thin lines over time, with a gap where there is no value. The caller puts a sentence and a table beside it. */
export function LineChart({ label, points, series, format, color, className }: LineChartProps) {
  const looks = series.length === 1 ? [{ color, dash: '' }] : LOOKS;
  const flat = series.every(({ values }) => values.every((value) => value === null || value === 0));
  const data = points.map((point, index) => ({ ...point, values: series.map(({ values }) => values[index] ?? null) }));
  return (
    <div className={className}>
      {/* Drawn in the browser only: the box keeps its height meanwhile. */}
      <div className="h-44 [&_.recharts-surface]:overflow-visible" role="group" aria-label={`${label}, chart`}>
        <ResponsiveContainer width="100%" height="100%" minWidth={0}>
          <Lines data={data} margin={{ top: 6, right: 10, bottom: 0, left: 0 }} title={label}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="label" tick={TICK} tickLine={false} stroke="var(--line-strong)" minTickGap={16} {...(points.length === 1 ? { interval: 0, padding: 'gap' } : {})} />
            <YAxis tick={TICK} tickLine={false} axisLine={false} width={axisWidth(series, format)} allowDecimals={false} tickFormatter={(value: number) => tickText(value, format)} domain={flat ? [0, 1] : [0, 'auto']} {...(flat ? { ticks: [0] } : {})} />
            <Tooltip isAnimationActive={false} filterNull={false} cursor={{ stroke: 'var(--line-strong)' }} content={(props: TooltipContentProps) => <Tip {...props} format={format} />} />
            {series.map(({ name, values }, index) => (
              <Line
                key={name}
                name={name}
                dataKey={(row: { values: (number | null)[] }) => row.values[index]}
                stroke={looks[index % looks.length]!.color}
                strokeDasharray={looks[index % looks.length]!.dash}
                strokeWidth={1.5}
                dot={points.length <= 31 || isLone(values) ? { r: isLone(values) ? 3.5 : 1.75, strokeWidth: 1, strokeDasharray: '', fill: looks[index % looks.length]!.color } : false}
                activeDot={{ r: 3.5 }}
                connectNulls={false}
                isAnimationActive={false}
              />
            ))}
          </Lines>
        </ResponsiveContainer>
      </div>
      {series.length > 1 ? (
        <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-label={`${label}, lines`}>
          {series.map(({ name }, index) => (
            <li key={name} className="flex min-w-0 items-center gap-1.5">
              <svg aria-hidden width={22} height={8} className="shrink-0"><line x1={0} y1={4} x2={22} y2={4} stroke={looks[index % looks.length]!.color} strokeDasharray={looks[index % looks.length]!.dash} strokeWidth={2} /></svg>
              <span className="min-w-0 break-words">{name}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const TICK = { fontSize: 11, fill: 'var(--muted)' };

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

function tickText(value: number, format: ChartFormat): string {
  return format === 'money' ? formatMoney(Math.round(value)) : compact.format(value);
}

/** Room for the longest label: what cost a little has many digits. */
function axisWidth(series: LineChartProps['series'], format: ChartFormat): number {
  if (format === 'count') return 44;
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const longest = Math.max(...[0.25, 0.5, 0.75, 1].map((part) => tickText(most * part, format).length));
  return Math.max(44, 14 + 6.5 * longest);
}

/** One value has no line: its dot is all there is. */
const isLone = (values: (number | null)[]): boolean => values.filter((value) => value !== null).length === 1;

/** A gap has words where one points at it. */
function valueText(value: unknown, format: ChartFormat): string {
  if (typeof value !== 'number') return 'nothing measured';
  return format === 'money' ? formatMoney(value) : formatCount(value);
}

function Tip({ active, payload, format }: TooltipContentProps & { format: ChartFormat }) {
  const point = payload?.[0]?.payload as { full: string } | undefined;
  if (!active || point === undefined) return null;
  return (
    <div className="rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs shadow-sm">
      <p className="font-medium">{point.full}</p>
      {payload.map((entry, index) => (
        <p key={index} className={cx('flex justify-between gap-4 tabular-nums', payload.length > 1 && 'text-muted')}>
          <span>{String(entry.name)}</span>
          <span className="text-text">{valueText(entry.value, format)}</span>
        </p>
      ))}
    </div>
  );
}
