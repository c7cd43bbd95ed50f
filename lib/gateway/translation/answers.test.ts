import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, scriptedUpstream, type ScriptedUpstream } from '../../../e2e/harness';
import { type Wire, WIRES } from '../../providers';
import { TEST_KEY, testEngine, type TestEngine } from '../test-engine';
import { ANSWERED, type Answered } from './test-answers';
import { readAnswer, type Reading } from './test-readings';
import { MODELS, type SurfaceName, SURFACES } from './test-requests';

/** Whatever a provider answers, in whichever wire, a client of every API reads the same of it: streamed or whole. */
let engine: TestEngine;
let upstream: ScriptedUpstream;
const held = new Map<string, number>();
const planned = new Map<string, number>();

beforeAll(async () => {
  [engine, upstream] = await Promise.all([testEngine(), scriptedUpstream([])]);
});
afterAll(async () => {
  await Promise.all([engine?.close(), upstream?.close()]);
  console.log(['translated answers (streamed and whole)', ...[...planned].map(([pair, count]) => `  ${pair}: ${held.get(pair) ?? 0} of ${count}`)].join('\n'));
});

const PLAIN: Record<SurfaceName, Record<string, unknown>> = {
  'chat.completions': { messages: [{ role: 'user', content: 'hello' }], stream_options: undefined },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] },
  responses: { input: [{ role: 'user', content: 'hello' }] },
};
const names = Object.keys(SURFACES) as SurfaceName[];

describe.each(ANSWERED.map((answered) => [answered.name, answered] as const))('%s', (_, answered) => {
  for (const wire of WIRES) {
    if (answered.said[wire] === undefined) continue;
    for (const surface of names) {
      if (answered.ask !== undefined && answered.ask[surface] === undefined) continue;
      const pair = `${wire} to ${surface}`;
      planned.set(pair, (planned.get(pair) ?? 0) + 1);
      test(`${pair} is read as it was said`, async () => {
        for (const stream of [true, false]) expect(await read(answered, wire, surface, stream), stream ? 'streamed' : 'whole').toMatchObject(expected(answered, wire, surface));
        held.set(pair, (held.get(pair) ?? 0) + 1);
      });
    }
  }
});

const expected = ({ reads, but = {} }: Answered, wire: Wire, surface: SurfaceName): Partial<Reading> => ({ ...reads, ...but[wire], ...but[surface], ...but[`${wire} to ${surface}`] });

async function read(answered: Answered, wire: Wire, surface: SurfaceName, stream: boolean): Promise<Reading> {
  upstream.play(stream ? answered.said[wire]!.stream : wholeOf(answered.said[wire]!.whole));
  engine.route([{ url: upstream.origin, wire, model: MODELS[wire] }]);
  const response = await ask(surface, { ...answered.ask?.[surface], stream });
  const said = await response.text();
  expect([response.status, said.includes('stream_truncated')], said).toEqual([200, false]);
  return readAnswer(surface, said, stream);
}

const ask = (surface: SurfaceName, body: object): Promise<Response> =>
  fetch(engine.url + SURFACES[surface], {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', ...PLAIN[surface], ...body }),
  });

const wholeOf = (body: unknown): Answer => [{ head: 200, headers: { 'content-type': 'application/json' } }, { send: JSON.stringify(body) }, 'end'];
