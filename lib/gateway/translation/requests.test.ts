import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Contact, scriptedUpstream, type ScriptedUpstream } from '../../../e2e/harness';
import { type Wire, WIRES } from '../../providers';
import { TEST_KEY, testEngine, type TestEngine } from '../test-engine';
import { WIRE_WORDS } from '../test-wires';
import { ASKED, type Asked, MODELS, type Outcome, type SurfaceName, SURFACES, WIRE_OF } from './test-requests';

/** Whatever a client asks for, in whichever API, reaches a provider of any wire in that wire's words: or it is told what did not. */
let engine: TestEngine;
let upstream: ScriptedUpstream;
let answering: Wire = 'openai';
const held = new Map<string, number>();
const planned = new Map<string, number>();

beforeAll(async () => {
  [engine, upstream] = await Promise.all([testEngine(), scriptedUpstream((contact) => answer(answering, contact))]);
});
afterAll(async () => {
  await Promise.all([engine?.close(), upstream?.close()]);
  console.log(['translated requests (streamed and whole)', ...[...planned].map(([pair, count]) => `  ${pair}: ${held.get(pair) ?? 0} of ${count}`)].join('\n'));
});

const PLAIN: Record<SurfaceName, object> = {
  'chat.completions': { messages: [{ role: 'user', content: 'hello' }] },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] },
  responses: { input: 'hello' },
};

describe.each(ASKED.map((asked) => [asked.name, asked] as const))('%s', (_, asked) => {
  for (const surface of Object.keys(asked.ask) as SurfaceName[]) {
    for (const wire of WIRES) {
      const pair = `${surface} to ${wire}`;
      planned.set(pair, (planned.get(pair) ?? 0) + 1);
      test(`${pair} gets through, or is named`, async () => {
        for (const stream of [false, true]) await check(asked, surface, wire, stream);
        held.set(pair, (held.get(pair) ?? 0) + 1);
      });
    }
  }
});

async function check(asked: Asked, surface: SurfaceName, wire: Wire, stream: boolean): Promise<void> {
  const own = WIRE_OF[surface] === wire;
  const expected: Outcome = own ? { body: asked.ask[surface]! } : ((stream ? asked.streamed?.[wire] : undefined) ?? asked.sent[wire]);
  answering = wire;
  engine.route([{ url: upstream.origin, wire, model: MODELS[wire] }]);
  upstream.forget();
  const response = await fetch(engine.url + SURFACES[surface], {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', ...PLAIN[surface], ...asked.ask[surface], ...(stream ? { stream } : {}) }),
  });
  const said = await response.text();
  const refused = 'refused' in expected ? by(expected.refused, surface) : undefined;
  if (refused !== undefined) {
    const { error } = JSON.parse(said) as { error: { param: string; code: string } };
    expect([response.status, error.param, response.headers.get('x-should-retry')]).toEqual([400, refused, 'false']);
    expect(error.code).toMatch(/^unsupported_(parameter|value)$/);
    expect(upstream.contacts).toHaveLength(0);
    return;
  }
  const dropped = 'dropped' in expected ? by(expected.dropped, surface) : undefined;
  expect([response.status, response.headers.get('x-ohm-dropped-params')]).toEqual([200, dropped ?? null]);
  expect(JSON.parse(upstream.contacts[0]!.body)).toMatchObject(expected.body!);
}

const by = (told: string | Partial<Record<SurfaceName, string>> | undefined, surface: SurfaceName): string | undefined => (typeof told === 'object' ? told[surface] : told);

/** Any lawful answer: what is in it is another test's matter. */
function answer(wire: Wire, { path, body }: Contact) {
  const words = WIRE_WORDS[wire];
  const streamed = path.includes(':stream') || (JSON.parse(body) as { stream?: boolean }).stream === true;
  if (streamed) return [{ head: 200, headers: { 'content-type': 'text/event-stream' } }, ...words.preamble, words.text('said'), ...words.end];
  return [{ head: 200, headers: { 'content-type': 'application/json' } }, { send: JSON.stringify(words.whole('said')) }];
}
