import { describe, expect, it } from 'vitest';
import { bodyOf, defaultsAt, draftOf, isUntypedModel, moveTier, sameDraft, tierName, validate, type RouteDraft } from './route-draft';

const draft: RouteDraft = draftOf({
  name: 'chat',
  commit: 'first_content',
  deadline_ms: 900_000,
  tiers: [
    { connection: 'main', model: 'gpt-4o-mini', first_content_timeout_ms: 8000, idle_timeout_ms: null, response_timeout_ms: null },
    { connection: 'sandbox', model: 'text:20', first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null },
  ],
});
const withTier = (index: number, change: Partial<RouteDraft['tiers'][number]>): RouteDraft => ({
  ...draft,
  tiers: draft.tiers.map((tier, at) => (at === index ? { ...tier, ...change } : tier)),
});

describe('moving a tier', () => {
  const list = ['a', 'b', 'c', 'd', 'e'];
  const cells = list.flatMap((_, from) => list.map((__, to) => [from, to] as const));
  it.each(cells)('goes from %i to %i and leaves the order of the rest', (from, to) => {
    const moved = moveTier(list, from, to);
    expect(moved[to]).toBe(list[from]);
    expect(moved.filter((item) => item !== list[from])).toEqual(list.filter((item) => item !== list[from]));
  });

  it('moves nothing outside the list', () => {
    expect(moveTier(list, 0, 5)).toEqual(list);
    expect(moveTier(list, -1, 2)).toEqual(list);
  });
});

describe('what is wrong with a draft', () => {
  const errorsOf = (of: RouteDraft) => validate(of, ['main', 'sandbox'], ['demo']);

  it('is nothing for a whole one', () => {
    expect(errorsOf(draft)).toEqual({});
  });

  it('names each member', () => {
    expect(Object.keys(errorsOf({ ...withTier(0, { model: '', firstContentMs: '12' }), name: 'a b', deadlineMs: 'soon' })).sort()).toEqual([
      'deadline_ms',
      'name',
      'tiers.0.first_content_timeout_ms',
      'tiers.0.model',
    ]);
  });

  it('includes a list without tiers, a connection that is gone and a name that is taken', () => {
    expect(errorsOf({ ...draft, tiers: [] })['tiers']).toMatch(/at least one tier/);
    expect(errorsOf(withTier(1, { connection: 'gone' }))['tiers.1.connection']).toMatch(/no connection "gone"/);
    expect(errorsOf({ ...draft, name: 'demo' })['name']).toMatch(/Another route/);
  });

  it('includes a tier that stands in the list twice, and allows the same model on another connection', () => {
    expect(errorsOf(withTier(1, { connection: 'main', model: ' gpt-4o-mini' }))['tiers.1.model']).toBe('Tier 1 is the same model on the same connection.');
    expect(errorsOf(withTier(1, { model: 'gpt-4o-mini' }))).toEqual({});
  });

  it('says what a duration must be in words', () => {
    expect(errorsOf(withTier(0, { idleMs: '1.5' }))['tiers.0.idle_timeout_ms']).toBe('Must be a whole number of milliseconds.');
  });
});

it('sends nothing where nothing was typed, so that the default of the place holds', () => {
  expect(bodyOf(draft).tiers[0]).toEqual({ connection: 'main', model: 'gpt-4o-mini', first_content_timeout_ms: 8000, idle_timeout_ms: null, response_timeout_ms: null });
});

it('knows an edit from a round trip', () => {
  expect(sameDraft(draft, { ...draft, name: 'chat ' })).toBe(true);
  expect(sameDraft(draft, { ...draft, tiers: moveTier(draft.tiers, 0, 1) })).toBe(false);
});

it('shows the shorter default where another tier follows', () => {
  expect(defaultsAt(0, 2).firstContentMs).toBe(10_000);
  expect(defaultsAt(1, 2).firstContentMs).toBe(60_000);
});

describe('an eco tier', () => {
  const eco = (...models: string[]): RouteDraft => withTier(0, { eco: models.map((model, at) => ({ key: `c${at}`, connection: at === 0 ? 'main' : 'sandbox', model })) });
  const errorsOf = (of: RouteDraft) => validate(of, ['main', 'sandbox'], []);

  it('is sent as its candidates, and read back as they were', () => {
    const body = bodyOf(eco('gpt-5-mini', ' text:20 '));
    expect(body.tiers[0]).toEqual({ eco: [{ connection: 'main', model: 'gpt-5-mini' }, { connection: 'sandbox', model: 'text:20' }], first_content_timeout_ms: 8000, idle_timeout_ms: null, response_timeout_ms: null });
    const clocks = { first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null };
    const read = draftOf({ name: 'chat', commit: 'first_content', deadline_ms: 1_000, tiers: [{ eco: [{ connection: 'main', model: 'a' }], ...clocks }, { connection: 'main', model: 'b', ...clocks }] });
    expect(bodyOf(read).tiers).toEqual([{ eco: [{ connection: 'main', model: 'a' }], ...clocks }, { connection: 'main', model: 'b', ...clocks }]);
  });

  it('is judged candidate by candidate', () => {
    expect(errorsOf(eco('gpt-5-mini', 'other'))).toEqual({});
    expect(Object.keys(errorsOf(eco('gpt-5-mini', '')))).toEqual(['tiers.0.eco.1.model']);
    expect(errorsOf(eco('gpt-5-mini', 'text:20'))).toEqual({ 'tiers.1.model': 'Tier 1 is the same model on the same connection.' });
    expect(Object.keys(errorsOf(eco()))).toContain('tiers.0.eco');
    expect(isUntypedModel(eco('a', ''), 'tiers.0.eco.1.model')).toBe(true);
    expect(isUntypedModel(eco('a', ''), 'tiers.0.eco.0.model')).toBe(false);
  });

  it('is called by how many it may ask', () => {
    expect(tierName(eco('a', 'b').tiers[0]!)).toBe('the cheapest of 2 candidates');
  });
});
