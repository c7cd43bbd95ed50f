import { describe, expect, it } from 'vitest';
import { addressOf, queryOf, readFilters, startOfDay } from './filters';

const iso = (ms: number) => new Date(ms).toISOString();
const at = (text: string) => Date.parse(text);

describe('the start of a day in a zone', () => {
  it.each([
    ['2026-07-01T10:00:00Z', 'UTC', '2026-07-01T00:00:00.000Z'],
    ['2026-07-01T10:00:00Z', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
    ['2026-07-01T23:30:00Z', 'Europe/Berlin', '2026-07-01T22:00:00.000Z'],
    ['2026-07-01T02:00:00Z', 'America/New_York', '2026-06-30T04:00:00.000Z'],
    ['2026-07-01T02:00:00Z', 'Asia/Kolkata', '2026-06-30T18:30:00.000Z'],
    // The days on which clocks change, before and after the change.
    ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-11-01T20:00:00Z', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ])('%s in %s began at %s', (now, zone, start) => {
    expect(iso(startOfDay(at(now), zone))).toBe(start);
  });

  it('begins at 1:00 where midnight was skipped', () => {
    // Cairo springs forward at 0:00 on the last Friday of April.
    expect(iso(startOfDay(at('2026-04-24T12:00:00Z'), 'Africa/Cairo'))).toBe('2026-04-23T22:00:00.000Z');
  });
});

describe('filters in the address', () => {
  it('come back as they were written', () => {
    const search = { key: 'key_1', route: 'chat', state: 'truncated', class: 'rate_limited.after_content', range: 'today', zone: 'Europe/Berlin' };
    const filters = readFilters(search);
    expect(filters).toMatchObject(search);
    expect(addressOf('/w/calls', filters, 'abc')).toBe(
      '/w/calls?key=key_1&route=chat&state=truncated&class=rate_limited.after_content&range=today&zone=Europe%2FBerlin&cursor=abc',
    );
  });

  it('leave out what is not set', () => {
    expect(addressOf('/w/calls', readFilters({}))).toBe('/w/calls');
  });

  it('ignore what is no value of theirs', () => {
    expect(readFilters({ state: 'exploded', range: 'constructor', zone: 'Mars/Base', class: 'a b', cursor: '' })).toMatchObject({
      state: '', range: 'week', zone: 'UTC', class: '', cursor: undefined,
    });
  });

  it('include every state when none is chosen, refused and failed calls too', () => {
    expect(queryOf(readFilters({ range: 'all' }), 0)).toEqual({ key: undefined, route: undefined, state: undefined, class: undefined, from: undefined, to: undefined });
  });

  it('count back from now', () => {
    expect(queryOf(readFilters({ range: 'hour' }), at('2026-07-01T10:00:00Z')).from).toBe('2026-07-01T09:00:00.000Z');
  });
});
