import { afterAll, beforeAll, expect, test } from 'vitest';
import { openai, type Answer, type Contact, scriptedUpstream, type ScriptedUpstream, type Step } from '../../e2e/harness';
import type { CallRow } from '../metering';
import { type Wire, WIRES } from '../providers';
import type { FailureClass } from '../wire';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';
import { modelAsked, WIRE_WORDS, type WireWords } from './test-wires';

/**
 * The same faults on every wire, behind every surface, with a tier of every wire to fail over to: what a client sees
 * and what the ledger keeps does not depend on who speaks what.
 */
interface Surface {
  path: string;
  body: object;
  /** The end of a whole stream, and of one that was cut. */
  done: RegExp;
  cut: RegExp;
}

const SURFACES: Record<string, Surface> = {
  'chat.completions': { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'hello' }] }, done: /data: \[DONE\]\n\n$/, cut: /data: \{"error":\{[^\n]*"code":"stream_truncated"[^\n]*\}\n\n$/ },
  messages: { path: '/v1/messages', body: { max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }, done: /event: message_stop\ndata: [^\n]*\n\n$/, cut: /event: error\ndata: [^\n]*\n\n$/ },
  responses: { path: '/v1/responses', body: { input: 'hello' }, done: /event: response\.completed\ndata: [^\n]*\n\n$/, cut: /event: response\.failed\ndata: [^\n]*\n\n$/ },
};

type Verdict =
  /** Nothing of it is seen; the tier is asked `contacts` times in all, then the next one answers. */
  | { outcome: 'dropped'; class: FailureClass; contacts: 1 | 2; status: number | null }
  /** The caller's own fault. */
  | { outcome: 'returned'; class: FailureClass; status: number }
  | { outcome: 'truncated'; class: FailureClass; status: number | null }
  /** One frame is lost, the answer is whole. */
  | { outcome: 'mended' };

interface Fault {
  name: string;
  mode: 'stream' | 'json';
  script: Answer;
  verdict: Verdict;
  silent?: boolean;
}

const SHOWN = 'half of it';
const SAVED = 'all of it';
/** Long enough for what comes before the silence to arrive on a busy machine. */
const SILENCE_MS = 2_000;
const SENTENCE = 'temperature is out of range';

const dropped = (cls: FailureClass, contacts: 1 | 2, status: number | null): Verdict => ({ outcome: 'dropped', class: cls, contacts, status });
const truncated = (cls: FailureClass, status: number | null = 200): Verdict => ({ outcome: 'truncated', class: cls, status });
const jsonHead: Step = { head: 200, headers: { 'content-type': 'application/json' } };
const HTML: Answer = [{ head: 200, headers: { 'content-type': 'text/html' } }, { send: '<html><title>Gateway</title></html>' }, 'end'];
const NOT_JSON: Step = { send: 'data: {"text":"ha\n\n' };

function faultsOf(words: WireWords): Fault[] {
  const { preamble, text, end, whole, unfinished, unfinishedIs, error, overloaded, wholeOverloaded, overloadedStatus } = words;
  const begun = [openai.sseHead(), ...preamble];
  const shown = [...begun, text(SHOWN)];
  const half: Step = { send: JSON.stringify(whole(SHOWN)).slice(0, -20) };
  const status = (code: number, message: string, verdict: Verdict): Fault[] =>
    (['stream', 'json'] as const).map((mode) => ({ name: `status ${code}`, mode, script: openai.json(code, error(code, message), code === 429 ? { 'retry-after': '30' } : {}), verdict }));
  const stream = (name: string, script: Answer, verdict: Verdict, silent = false): Fault => ({ name, mode: 'stream', script, verdict, silent });
  const json = (name: string, script: Answer, verdict: Verdict, silent = false): Fault => ({ name, mode: 'json', script, verdict, silent });
  return [
    ...status(429, 'slow down', dropped('rate_limited', 1, 429)),
    ...status(500, 'boom', dropped('server_error', 2, 500)),
    ...status(401, 'who are you', dropped('auth', 1, 401)),
    ...status(400, SENTENCE, { outcome: 'returned', class: 'invalid_request', status: 400 }),
    stream('no head at all', ['stall'], dropped('timeout', 1, null), true),
    json('no head at all', ['stall'], dropped('timeout', 1, null), true),
    stream('reset in place of an answer', ['reset'], dropped('connect', 2, null)),
    json('reset in place of an answer', ['reset'], dropped('connect', 2, null)),
    stream('error in place of an answer', [openai.sseHead(), overloaded, 'end'], dropped('overloaded', 2, overloadedStatus ?? 200)),
    stream('error before content', [...begun, overloaded, 'end'], dropped('overloaded', 1, overloadedStatus ?? 200)),
    json('error in place of an answer', openai.json(200, wholeOverloaded), dropped('overloaded', 2, overloadedStatus ?? 200)),
    json('error beside an answer', openai.json(200, { ...(whole(SHOWN) as object), error: (wholeOverloaded as { error: object }).error }), dropped('overloaded', 2, overloadedStatus ?? 200)),
    stream('silence before content', [...begun, 'stall'], dropped('stalled', 1, 200), true),
    json('silence in the answer', [jsonHead, half, 'stall'], dropped('stalled', 1, 200), true),
    stream('reset before content', [...begun, { waitMs: 20 }, 'reset'], dropped('cut', 1, 200)),
    stream('end before content', [...begun, 'end'], dropped('cut', 1, 200)),
    stream('empty body', [openai.sseHead(), 'end'], dropped('not_a_stream', 1, 200)),
    json('answer that is no UTF-8', [jsonHead, { send: Buffer.from(JSON.stringify(whole(`${SHOWN} caf\xe9`)), 'latin1') }, 'end'], dropped('malformed', 1, 200)),
    json('empty body', [jsonHead, 'end'], dropped('malformed', 1, 200)),
    stream('malformed frame before content', [...begun, NOT_JSON, 'end'], dropped('malformed', 1, 200)),
    stream('page of HTML', HTML, dropped('not_a_stream', 1, 200)),
    json('page of HTML', HTML, dropped('malformed', 1, 200)),
    stream('cut after content', [...shown, { waitMs: 20 }, 'reset'], truncated('cut')),
    stream('silence after content', [...shown, 'stall'], truncated('stalled'), true),
    stream('no end named', [...shown, 'end'], truncated('cut')),
    stream('error after content', [...shown, overloaded, 'end'], truncated('overloaded', overloadedStatus ?? 200)),
    stream('malformed frame after content', [...shown, NOT_JSON, ...end, 'end'], { outcome: 'mended' }),
    stream('two malformed frames', [...shown, NOT_JSON, NOT_JSON, ...end, 'end'], truncated('malformed')),
    json('cut in the middle', [jsonHead, half, { waitMs: 20 }, 'reset'], dropped('cut', 1, 200)),
    json('end in the middle', [jsonHead, half, 'end'], dropped('malformed', 1, 200)),
    json('no end named', openai.json(200, unfinished(SHOWN)), unfinishedIs === 'malformed' ? dropped('malformed', 1, 200) : dropped(unfinishedIs, 2, 200)),
  ];
}

interface Cell extends Fault {
  id: string;
  title: string;
  wire: Wire;
  rescue: Wire;
  surface: Surface;
}

/** A silent tier takes as long as its clock: of the tiers that may follow it, one does. */
const rescuersOf = (wire: Wire, { silent }: Fault): Wire[] => (silent ? [WIRES[(WIRES.indexOf(wire) + 1) % WIRES.length]!] : WIRES);

const cells: Cell[] = Object.entries(SURFACES).flatMap(([name, surface]) =>
  WIRES.flatMap((wire) =>
    faultsOf(WIRE_WORDS[wire]).flatMap((fault) =>
      rescuersOf(wire, fault).map((rescue): Cell => ({ ...fault, id: '', title: `${fault.name}, ${fault.mode}: ${wire}, then ${rescue}, behind ${name}`, wire, rescue, surface })),
    ),
  ),
);
for (const [index, cell] of cells.entries()) cell.id = `c${index}`;

let engine: TestEngine;
let upstream: ScriptedUpstream;

beforeAll(async () => {
  engine = await testEngine();
  const answers = new Map<string, Answer>();
  for (const { id, mode, script, rescue } of cells) {
    const { preamble, text, end, whole } = WIRE_WORDS[rescue];
    answers.set(`${id}-bad`, script).set(`${id}-good`, mode === 'stream' ? [openai.sseHead(), ...preamble, text(SAVED), ...end, 'end'] : openai.json(200, whole(SAVED)));
  }
  upstream = await scriptedUpstream((contact) => answers.get(modelAsked(contact)) ?? openai.error(418, 'an unknown model was asked'));
  for (const { id, wire, rescue, silent } of cells) {
    const clocks = silent ? { firstContentTimeoutMs: SILENCE_MS, idleTimeoutMs: SILENCE_MS, responseTimeoutMs: SILENCE_MS } : {};
    engine.addRoute(id, [{ url: upstream.origin, model: `${id}-bad`, wire, ...clocks }, { url: upstream.origin, model: `${id}-good`, wire: rescue }]);
  }
});

afterAll(async () => {
  await engine.close();
  await upstream.close();
});

test('every fault on every wire, behind every surface, streamed or not: ending, contacts and row are the contract’s', { timeout: 180_000 }, async () => {
  // Silence costs no CPU: those cells wait all at once, and apart from the others.
  const silent = cells.filter((cell) => cell.silent);
  const done = (await runAll(cells.filter((cell) => !cell.silent), 16)) + (await runAll(silent, silent.length));
  console.log(`fault matrix across wires: ${done} cells (${WIRES.length} wires, each failing and each rescuing, ${Object.keys(SURFACES).length} surfaces, ${faultsOf(WIRE_WORDS.openai).length} faults)`);
  expect(done).toBe(cells.length);
});

async function runAll(list: Cell[], width: number): Promise<number> {
  const left = [...list];
  let done = 0;
  const worker = async () => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
      await run(cell);
      done++;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return done;
}

async function run(cell: Cell): Promise<void> {
  const { id, title, mode, surface, verdict } = cell;
  const response = await fetch(engine.url + surface.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: id, stream: mode === 'stream', ...surface.body }),
  });
  const bytes = await response.text();
  const seen = { title, status: response.status, tier: response.headers.get('x-ohm-tier'), attempts: response.headers.get('x-ohm-attempts'), ends: endingOf(cell, bytes), shows: [bytes.includes(SHOWN), bytes.includes(SAVED)] };
  const wanted = { title, ...expected(verdict) };
  expect.soft(seen, bytes.slice(0, 2_000)).toEqual({ title, ...wanted.seen });

  const contacts = ['bad', 'good'].map((tier) => upstream.contacts.filter((contact: Contact) => modelAsked(contact) === `${id}-${tier}`).length);
  expect.soft({ title, contacts }).toEqual({ title, contacts: wanted.contacts });

  const row = engine.rows.find((each) => each.id === response.headers.get('x-ohm-request-id'))!;
  expect.soft({ title, ...kept(row) }).toEqual({ title, ...wanted.row, flushed: Buffer.byteLength(bytes) });
}

function endingOf({ surface, mode }: Cell, bytes: string): string {
  if (surface.cut.test(bytes)) return bytes.includes('The answer above is incomplete') && !surface.done.test(bytes) ? 'cut' : 'cut, oddly';
  if (mode === 'stream' && surface.done.test(bytes)) return 'done';
  const body = JSON.parse(bytes) as { error?: { message: string } | null };
  if (body.error) return body.error.message;
  return 'done';
}

const kept = ({ state, tier, alert_class, malformed_events, attempts, flushed_bytes }: CallRow) => ({
  state,
  tier,
  alert: alert_class,
  malformed: malformed_events,
  attempts: attempts.map((attempt) => [attempt.tier, attempt.state, attempt.class, attempt.class === null ? null : attempt.upstream_status]),
  flushed: flushed_bytes,
});

/** What the contract promises, worked out without the engine. */
function expected(verdict: Verdict) {
  const failed = (status: number | null, cls: FailureClass) => [1, 'failed', cls, status];
  switch (verdict.outcome) {
    case 'dropped':
      return {
        seen: { status: 200, tier: '2', attempts: String(verdict.contacts + 1), ends: 'done', shows: [false, true] },
        contacts: [verdict.contacts, 1],
        row: { state: 'finished', tier: 2, alert: `${verdict.class}.before_content`, malformed: 0, attempts: [...Array.from({ length: verdict.contacts }, () => failed(verdict.status, verdict.class)), [2, 'finished', null, null]] },
      };
    case 'returned':
      return {
        seen: { status: verdict.status, tier: '1', attempts: '1', ends: SENTENCE, shows: [false, false] },
        contacts: [1, 0],
        row: { state: 'rejected', tier: null, alert: `${verdict.class}.before_content`, malformed: 0, attempts: [failed(verdict.status, verdict.class)] },
      };
    case 'truncated':
      return {
        seen: { status: 200, tier: '1', attempts: '1', ends: 'cut', shows: [true, false] },
        contacts: [1, 0],
        row: { state: 'truncated', tier: 1, alert: `${verdict.class}.after_content`, malformed: verdict.class === 'malformed' ? 2 : 0, attempts: [[1, 'truncated', verdict.class, verdict.status]] },
      };
    case 'mended':
      return {
        seen: { status: 200, tier: '1', attempts: '1', ends: 'done', shows: [true, false] },
        contacts: [1, 0],
        row: { state: 'finished', tier: 1, alert: null, malformed: 1, attempts: [[1, 'finished', null, null]] },
      };
  }
}
