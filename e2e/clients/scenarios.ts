import { expect } from 'vitest';
import type { CallView, Contact, Script } from '../harness';
import { type Client, weatherIn } from './clients';
import { WIRE_NAMES, WIRES, type Body, type ToolCall, type WireName } from './wires';

/** One place of the matrix while it runs: a client, in front of a tier of one wire. */
export interface Cell {
  client: Client;
  /** Of the first tier. */
  wire: WireName;
  /** What the client asks for: models that no other cell has. */
  model: string;
  /** What the upstream of a wire does with this cell's model. */
  play(wire: WireName, script: Script): void;
  /** Requests of this cell that the upstream of a wire got. */
  contacts(wire: WireName): Contact[];
  /** The ledger row of the cell's last call. */
  row(): Promise<CallView>;
}

export interface Scenario {
  name: string;
  /** A second tier follows, of the next wire in the list. */
  twoTiers?: true;
  run(cell: Cell): Promise<void>;
}

export const secondWire = (wire: WireName): WireName => WIRE_NAMES[(WIRE_NAMES.indexOf(wire) + 1) % WIRE_NAMES.length]!;

const CALLS: ToolCall[] = [
  { id: 'call_A', name: 'weather', input: { city: 'Oslo' } },
  { id: 'call_B', name: 'weather', input: { city: 'Rome' } },
];
const PLACE = { city: 'Oslo', degrees: 3 };

/** Every line is a promise to whoever writes a program with that library. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'text, streamed',
    async run({ client, wire, model, play, row }) {
      play(wire, (contact) => WIRES[wire].answer(contact, 'one ', 'two ', 'three'));
      expect(await client.streamed(model)).toEqual(['one ', 'two ', 'three']);
      expect(await row()).toMatchObject({ state: 'finished', surface: client.surface, stream: true, tier: 1, usage: { prompt_tokens: 9, completion_tokens: 3, source: 'provider' } });
    },
  },
  {
    name: 'text, whole',
    async run({ client, wire, model, play, row }) {
      play(wire, (contact) => WIRES[wire].answer(contact, 'one ', 'two'));
      expect(await client.whole(model)).toBe('one two');
      expect(await row()).toMatchObject({ state: 'finished', stream: false, usage: { prompt_tokens: 9, completion_tokens: 3, source: 'provider' } });
    },
  },
  {
    name: 'parallel tools and their results',
    async run({ client, wire, model, play, contacts }) {
      const words = WIRES[wire];
      play(wire, (contact) => (contacts(wire).length === 1 ? words.calls(contact, CALLS) : words.answer(contact, 'Rome ', 'too')));
      expect(await client.toolTrip(model)).toEqual({ calls: CALLS.map(({ input }) => input), text: 'Rome too' });
      const [first, second] = contacts(wire).map(({ body }) => JSON.parse(body) as Body);
      expect([words.toolsIn(first!), words.toolsIn(second!)]).toEqual([['weather'], ['weather']]);
      expect(words.resultsIn(second!)).toEqual(CALLS.map(({ id, input }) => ({ id, text: weatherIn((input as { city: string }).city) })));
    },
  },
  {
    name: 'structured output',
    async run({ client, wire, model, play, contacts }) {
      play(wire, (contact) => WIRES[wire].answer(contact, JSON.stringify(PLACE)));
      expect(await client.structured(model)).toEqual(PLACE);
      expect(WIRES[wire].schemaIn(JSON.parse(contacts(wire)[0]!.body) as Body)).toMatchObject({ type: 'object', properties: { city: { type: 'string' }, degrees: { type: 'number' } } });
    },
  },
  {
    name: 'leaving',
    async run({ client, wire, model, play, contacts, row }) {
      play(wire, WIRES[wire].silentAfter('half'));
      await client.leave(model);
      await contacts(wire)[0]!.left;
      expect(await row()).toMatchObject({ state: 'aborted' });
    },
  },
  {
    name: 'failover to another wire before content',
    twoTiers: true,
    async run({ client, wire, model, play, contacts, row }) {
      const next = secondWire(wire);
      play(wire, WIRES[wire].deadBeforeContent);
      play(next, (contact) => WIRES[next].answer(contact, 'saved ', 'by ', next));
      expect(await client.streamed(model)).toEqual(['saved ', 'by ', next]);
      expect([contacts(wire).length, contacts(next).length]).toEqual([1, 1]);
      expect(await row()).toMatchObject({ state: 'finished', tier: 2, attempts: [{ tier: 1, state: 'failed', class: 'cut', bytes: 0 }, { tier: 2, state: 'finished' }] });
    },
  },
  {
    name: 'a refusal of all tiers is its error',
    twoTiers: true,
    async run({ client, wire, model, play, row }) {
      const next = secondWire(wire);
      play(wire, WIRES[wire].limited());
      play(next, WIRES[next].limited());
      expect(await client.refused(model)).toBe(429);
      expect(await row()).toMatchObject({ state: 'rejected', attempts: [{ tier: 1, class: 'rate_limited' }, { tier: 2, class: 'rate_limited' }] });
    },
  },
  {
    name: 'a cut after content is an error, and nobody else is asked',
    twoTiers: true,
    async run({ client, wire, model, play, contacts, row }) {
      const next = secondWire(wire);
      play(wire, WIRES[wire].cutAfter('half'));
      play(next, (contact) => WIRES[next].answer(contact, 'spliced'));
      const { text, error } = await client.untilError(model);
      expect([text, contacts(next).length]).toEqual(['half', 0]);
      expect(error).not.toBeNull();
      expect(said(error)).toMatch(/failed in the middle of the answer \(cut\)/);
      expect(await row()).toMatchObject({ state: 'truncated', alert_class: 'cut.after_content' });
    },
  },
];

/** What a program can read of an error, however its library wraps it. */
const said = (error: unknown): string => `${error instanceof Error ? error.message : ''} ${JSON.stringify(error)}`;
