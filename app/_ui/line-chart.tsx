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
  const data = points.map((point, index) => ({ ...point, values: series.map(({ values }) => values[index] ?? null) }));
  return (
    <div className={className}>
      {/* Drawn in the browser only: the box keeps its height meanwhile. */}
      <div className="h-44 [&_.recharts-surface]:overflow-visible" role="group" aria-label={`${label}, chart`}>
        <ResponsiveContainer width="100%" height="100%" minWidth={0}>
          <Lines data={data} margin={{ top: 6, right: 10, bottom: 0, left: 0 }} title={label}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="label" tick={TICK} tickLine={false} stroke="var(--line-strong)" minTickGap={28} />
            <YAxis tick={TICK} tickLine={false} axisLine={false} width={format === 'money' ? 64 : 44} allowDecimals={format === 'money'} tickFormatter={(value: number) => tickText(value, format)} domain={[0, 'auto']} />
            <Tooltip isAnimationActive={false} filterNull={false} cursor={{ stroke: 'var(--line-strong)' }} content={(props: TooltipContentProps) => <Tip {...props} format={format} />} />
            {series.map(({ name }, index) => (
              <Line
                key={name}
                name={name}
                dataKey={(row: { values: (number | null)[] }) => row.values[index]}
                stroke={looks[index % looks.length]!.color}
                strokeDasharray={looks[index % looks.length]!.dash}
                strokeWidth={1.5}
                dot={points.length <= 31 ? { r: 1.75, strokeWidth: 1, strokeDasharray: '', fill: looks[index % looks.length]!.color } : false}
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
