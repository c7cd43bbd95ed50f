import { expect, it } from 'vitest';
import { ANSWERED } from '../gateway/translation/test-answers';
import { ASKED, type Asked, WIRE_OF } from '../gateway/translation/test-requests';
import { type Wire, WIRES } from '../providers';
import { type Fate, TRANSLATED_ANSWERS, TRANSLATED_REQUESTS } from './translation';

// What the engine really does with each of these is held by the tests that those tables come from.
it.each(ASKED.map((asked) => [asked.name, asked] as const))('the page tells what becomes of %s', (name, asked) => {
  const shown = TRANSLATED_REQUESTS.find(({ what }) => what === name);
  expect(shown?.fate).toEqual(Object.fromEntries(WIRES.map((wire) => [wire, fateOf(asked, wire)])));
});

it('the page tells of nothing that is not tested', () => {
  expect(TRANSLATED_REQUESTS.map(({ what }) => what)).toEqual(ASKED.map(({ name }) => name));
  expect(TRANSLATED_ANSWERS.map(({ what }) => what)).toEqual(ANSWERED.map(({ name }) => name));
});

function fateOf({ ask, sent, streamed }: Asked, wire: Wire): Fate {
  const outcome = sent[wire];
  if ('refused' in outcome && outcome.refused !== undefined) return 'refused';
  // Nobody asks this wire for it in another API's words.
  if (Object.keys(ask).every((surface) => WIRE_OF[surface as keyof typeof WIRE_OF] === wire)) return 'kept';
  if ('dropped' in outcome && outcome.dropped !== undefined) return Object.keys(outcome.body ?? {}).length === 0 ? 'named' : 'partly';
  return streamed?.[wire] !== undefined ? 'kept whole' : 'kept';
}
