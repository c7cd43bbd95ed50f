'use client';

import type { ClipboardEvent } from 'react';
import { cx } from './class-names';
import { useHydrated } from './theme';

type Format = 'datetime' | 'date' | 'clock' | 'relative';

interface TimeProps {
  /** ISO 8601, ms since the epoch, or a Date; null when it never happened. */
  at: string | number | Date | null;
  format?: Format;
  /** The zone's name after the time. Off where a column's header has it (`<ZoneName />`). */
  zone?: boolean;
  /** What null means here, e.g. "never". */
  none?: string;
  className?: string;
}

/** Local time with its zone; UTC on hover; ISO 8601 when copied. The server renders UTC and says so. */
export function Time({ at, format = 'datetime', zone = true, none = 'never', className }: TimeProps) {
  const hydrated = useHydrated();
  if (at === null) return <span className={cx('text-muted', className)}>{none}</span>;
  const date = new Date(at);
  const iso = date.toISOString();
  const copyIso = (event: ClipboardEvent) => {
    event.clipboardData.setData('text/plain', iso);
    event.preventDefault();
  };
  return (
    <time dateTime={iso} title={`${iso.slice(0, 19).replace('T', ' ')} UTC`} onCopy={copyIso} className={cx('whitespace-nowrap tabular-nums', className)} suppressHydrationWarning>
      {hydrated ? localText(date, format, zone) : `${utcText(iso, format)}${zone && format !== 'relative' ? ' UTC' : ''}`}
    </time>
  );
}

/** "CET", "GMT+1": for the header of a time column. */
export function ZoneName() {
  return <>{useHydrated() ? zoneName(new Date()) : 'UTC'}</>;
}

function localText(date: Date, format: Format, zone: boolean): string {
  if (format === 'relative') return relativeText(date.getTime() - Date.now());
  const name = zone && format !== 'date' ? ` ${zoneName(date)}` : '';
  const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric' }).format(date);
  if (format === 'date') return day;
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(date);
  return `${format === 'clock' ? '' : `${day} `}${clock}${name}`;
}

function utcText(iso: string, format: Format): string {
  if (format === 'date') return iso.slice(0, 10);
  return format === 'clock' ? iso.slice(11, 19) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

function zoneName(date: Date): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(date);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? 'local';
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1_000],
];

function relativeText(deltaMs: number): string {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, ms] of STEPS) {
    if (Math.abs(deltaMs) >= ms) return format.format(Math.trunc(deltaMs / ms), unit);
  }
  return 'now';
}
