import { describe, expect, it } from 'vitest';
import { dayIn, isZone, nextDay, startOfDay } from './zone';

const iso = (ms: number) => new Date(ms).toISOString();
const at = (text: string) => Date.parse(text);

describe('the start of a day in a zone', () => {
  it.each([
    ['2026-07-01T10:00:00Z', 'UTC', '2026-07-01T00:00:00.000Z'],
    ['2026-07-01T10:00:00Z', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
    ['2026-07-01T23:30:00Z', 'Europe/Berlin', '2026-07-01T22:00:00.000Z'],
    ['2026-07-01T02:00:00Z', 'America/New_York', '2026-06-30T04:00:00.000Z'],
    ['2026-07-01T02:00:00Z', 'Asia/Kolkata', '2026-06-30T18:30:00.000Z'],
    ['2026-07-01T02:00:00Z', 'Asia/Kathmandu', '2026-06-30T18:15:00.000Z'],
    ['2026-07-01T11:00:00Z', 'Pacific/Kiritimati', '2026-07-01T10:00:00.000Z'],
    // The days on which clocks change, before and after the change.
    ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-11-01T20:00:00Z', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    // Midnight was skipped: Cairo springs forward at 0:00 on the last Friday of April.
    ['2026-04-24T12:00:00Z', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ])('%s in %s began at %s', (now, zone, start) => {
    expect(iso(startOfDay(at(now), zone))).toBe(start);
  });
});

describe('the days of a zone', () => {
  const lengths = (zone: string, from: string, count: number) => {
    const hours: number[] = [];
    for (let day = startOfDay(at(from), zone), i = 0; i < count; i++) {
      const next = nextDay(day, zone);
      hours.push((next - day) / 3_600_000);
      day = next;
    }
    return hours;
  };

  it('have 23 hours in spring and 25 in autumn, and half an hour more on Lord Howe', () => {
    expect(lengths('Europe/Berlin', '2026-03-28T12:00:00Z', 3)).toEqual([24, 23, 24]);
    expect(lengths('America/New_York', '2026-10-31T12:00:00Z', 3)).toEqual([24, 25, 24]);
    expect(lengths('Australia/Lord_Howe', '2026-04-04T12:00:00Z', 3)).toEqual([24, 24.5, 24]);
  });

  it('follow each other over the ends of months, leap days and a day that never was', () => {
    const days = (zone: string, from: string, count: number) => {
      const seen: string[] = [];
      for (let day = startOfDay(at(from), zone), i = 0; i < count; i++, day = nextDay(day, zone)) seen.push(dayIn(day, zone));
      return seen;
    };
    expect(days('Europe/Berlin', '2028-02-27T12:00:00Z', 4)).toEqual(['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01']);
    expect(days('UTC', '2026-12-30T12:00:00Z', 3)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01']);
    expect(days('Pacific/Apia', '2011-12-29T12:00:00Z', 2)).toEqual(['2011-12-29', '2011-12-31']);
  });
});

it.each(['UTC', 'Europe/Berlin', 'america/argentina/buenos_aires', 'Etc/GMT+5'])('%s is a zone', (name) => {
  expect(isZone(name)).toBe(true);
});
it.each(['', 'Mars/Base', '+02:00', 'Europe/Berlin\n', 'x'.repeat(100), '../etc/passwd', 'Europe/Berlin; drop'])('%j is none', (name) => {
  expect(isZone(name)).toBe(false);
});
