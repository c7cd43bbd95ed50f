import { describe, expect, it } from 'vitest';
import { addressOf, notUnderstood, queryOf, readFilters } from './filters';

const at = (text: string) => Date.parse(text);

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

  it('name what is no value of theirs', () => {
    expect(notUnderstood({ state: 'exploded', range: 'constructor', from: 'abc', key: 'key_1', class: '' })).toEqual(['state', 'from', 'range']);
    expect(notUnderstood({ state: 'truncated', range: 'all', key: 'key_1' })).toEqual([]);
  });

  it('include every state when none is chosen, refused and failed calls too', () => {
    expect(queryOf(readFilters({ range: 'all' }), 0)).toEqual({ key: undefined, route: undefined, state: undefined, class: undefined, model: undefined, connection: undefined, tag: undefined, from: undefined, to: undefined });
  });

  it('may hold a time of their own, which goes before the range', () => {
    const filters = readFilters({ range: 'hour', from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z', model: 'm', tag: 'nightly' });
    expect(queryOf(filters, at('2026-07-01T10:00:00Z'))).toMatchObject({ from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z', model: 'm', tag: 'nightly' });
    expect(readFilters(Object.fromEntries(new URL(addressOf('http://x/w/calls', filters)).searchParams))).toEqual(filters);
  });

  it('count back from now', () => {
    expect(queryOf(readFilters({ range: 'hour' }), at('2026-07-01T10:00:00Z')).from).toBe('2026-07-01T09:00:00.000Z');
  });
});
