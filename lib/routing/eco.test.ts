import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ABILITIES, type Ability } from '../providers/catalog';
import { abilitiesNeeded } from './abilities-needed';
import { compareOffers, type EcoNeed, type EcoOffer } from './eco';

const need = (rest: Partial<EcoNeed> = {}): EcoNeed => ({ promptTokens: 100, answerLimit: null, abilities: [], chat: true, ...rest });
const offer = (costNanoUsd: number | null, abilities: Ability[] = [...ABILITIES], contextTokens = 10_000, maxOutputTokens = 1_000): EcoOffer => ({
  costNanoUsd, facts: { contextTokens, maxOutputTokens, abilities: new Set(abilities) },
});
const unknown = (costNanoUsd: number | null): EcoOffer => ({ costNanoUsd, facts: null });

describe('candidates are compared', () => {
  test.each<[string, EcoNeed, EcoOffer[], number[], (string | null)[]]>([
    ['the cheapest first, equals as they are listed', need(), [offer(3), offer(1), offer(3), offer(1)], [1, 3, 0, 2], [null, null, null, null]],
    ['one without a price is left out, and one that costs nothing is not', need(), [offer(null), offer(0), offer(5)], [1, 2], ['unpriced', null, null]],
    ['one that lacks an ability is left out, by the first that it lacks', need({ abilities: ['reasoning', 'tools'] }), [offer(1, ['reasoning']), offer(2, ['tools', 'reasoning']), offer(3, [])], [1], ['tools', null, 'tools']],
    ['one that the prompt and its answer do not fit into is left out', need({ promptTokens: 9_500, answerLimit: 501 }), [offer(1), offer(2, [], 10_001)], [1], ['context_length', null]],
    ['a prompt that fills the context leaves no room for a word', need({ promptTokens: 10_000 }), [offer(1)], [], ['context_length']],
    ['one whose answers are shorter than the request allows is left out', need({ answerLimit: 1_001 }), [offer(1), offer(2, [], 10_000, 1_001)], [1], ['max_output', null]],
    ['a chat model serves nothing but chats', need({ chat: false }), [offer(1), unknown(2)], [1], ['operation', null]],
    ['what nobody knows is not held against a candidate', need({ promptTokens: 1e9, answerLimit: 1e9, abilities: ['audio'] }), [unknown(2), unknown(1), unknown(null)], [1, 0], [null, null, 'unpriced']],
    ['of none there is none', need(), [], [], []],
  ])('%s', (_, asked, offers, order, leftOut) => {
    expect(compareOffers(asked, offers)).toEqual({ order, leftOut });
  });

  const offers = fc.array(
    fc.record({
      costNanoUsd: fc.option(fc.nat(5)),
      facts: fc.option(fc.record({ contextTokens: fc.nat(300), maxOutputTokens: fc.nat(300), abilities: fc.subarray([...ABILITIES]).map((list) => new Set(list)) })),
    }),
    { maxLength: 12 },
  );
  const needs = fc.record({ promptTokens: fc.nat(300), answerLimit: fc.option(fc.nat(300)), abilities: fc.subarray([...ABILITIES]), chat: fc.boolean() });

  test('each candidate either stands once in the order or is left out for a reason; nobody cheaper stands behind', () => {
    fc.assert(
      fc.property(needs, offers, (asked, all) => {
        const { order, leftOut } = compareOffers(asked, all);
        expect(leftOut).toHaveLength(all.length);
        expect([...order].sort((a, b) => a - b)).toEqual(all.flatMap((_, at) => (leftOut[at] === null ? [at] : [])));
        for (let at = 1; at < order.length; at++) {
          const [before, after] = [all[order[at - 1]!]!.costNanoUsd!, all[order[at]!]!.costNanoUsd!];
          expect(before < after || (before === after && order[at - 1]! < order[at]!)).toBe(true);
        }
      }),
    );
  });

  test('taking a candidate away changes nothing among the others', () => {
    fc.assert(
      fc.property(needs, offers, fc.nat(), (asked, all, pick) => {
        if (all.length === 0) return;
        const gone = pick % all.length;
        const before = compareOffers(asked, all).order.filter((at) => at !== gone);
        const after = compareOffers(asked, all.filter((_, at) => at !== gone)).order.map((at) => (at >= gone ? at + 1 : at));
        expect(after).toEqual(before);
      }),
    );
  });
});

describe('a request needs', () => {
  const content = (...parts: unknown[]) => ({ messages: [{ role: 'user', content: parts }] });
  test.each<[object, boolean, Ability[]]>([
    [{ messages: [{ role: 'user', content: 'Hello' }] }, false, []],
    [{ messages: [], tools: [{ type: 'function' }] }, false, ['tools']],
    [{ messages: [], tools: [] }, false, []],
    [{ messages: [], functions: [{ name: 'f' }] }, false, ['tools']],
    [content({ type: 'text', text: 'x' }, { type: 'image_url', image_url: { url: 'data:' } }), false, ['images']],
    [content({ type: 'file', file: {} }, { type: 'input_audio' }), false, ['pdf', 'audio']],
    [{ messages: [], response_format: { type: 'json_schema' } }, true, ['json_schema', 'reasoning']],
    [{ messages: [], response_format: { type: 'json_object' } }, false, []],
    [{ messages: [], modalities: ['text', 'audio'] }, false, ['audio']],
    [content({ type: 'hologram' }, null, 'text', { type: 7 }), false, []],
    [{ messages: 'none', tools: 'some', response_format: null }, false, []],
  ])('%j, reasoning %s: %j', (body, reasoning, expected) => {
    expect(abilitiesNeeded(body as Record<string, unknown>, reasoning)).toEqual(expected);
  });
});
