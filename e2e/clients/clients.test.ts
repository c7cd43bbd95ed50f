import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Contact, type Door, managementClient, type ManagementClient, type RunningOhm, type Script, scriptedUpstream, type ScriptedUpstream, startOhm } from '../harness';
import { type Client, clientsOf } from './clients';
import { type Cell, SCENARIOS, type Scenario, secondWire } from './scenarios';
import { modelAsked, WIRE_NAMES, type WireName } from './wires';

/**
 * Each client that people use, against each door, in front of a provider of each wire: what it promises its users
 * holds whoever answers.
 */
const DOORS: Door[] = ['node', 'next'];
const NAMES = clientsOf({ url: 'http://127.0.0.1', key: 'none', fetch }).map(({ name }) => name);
const held = new Map<string, number>();

afterAll(() => console.log(table()));

describe.each(DOORS)('through door %s', (door) => {
  let ohm: RunningOhm;
  let api: ManagementClient;
  let clients: Client[];
  let lastCall = '';
  let upstreams: Record<WireName, ScriptedUpstream>;
  const scripts = new Map<string, Script>();
  const contacts = new Map<string, Contact[]>();

  beforeAll(async () => {
    const opened = await Promise.all(WIRE_NAMES.map(async (wire) => [wire, await scriptedUpstream(byModel(wire))] as const));
    upstreams = Object.fromEntries(opened) as Record<WireName, ScriptedUpstream>;
    ohm = await startOhm({ door });
    api = managementClient(ohm.url, (await ohm.bootstrap()).managementKey);
    for (const wire of WIRE_NAMES) await api.connection(wire, upstreams[wire].baseUrl, 'sk-scripted-upstream', wire);
    const routes = allCells().filter(({ scenario }) => scenario.twoTiers);
    for (const { name, wire, scenario } of routes) {
      const model = modelOf(name, wire, scenario);
      await api.route(model, [`${wire}/${model}`, `${secondWire(wire)}/${model}`]);
    }
    clients = clientsOf({ url: ohm.url, key: await api.key(null, { direct_models: true }), fetch: watched });
  });
  afterAll(async () => {
    await Promise.all([ohm?.stop(), ...Object.values(upstreams ?? {}).map((upstream) => upstream.close())]);
  });

  /** An upstream of this wire does what the cell says whose model it is asked for. */
  const byModel = (wire: WireName) => (contact: Contact) => {
    const place = `${wire} ${modelAsked(contact)}`;
    const before = contacts.get(place) ?? [];
    contacts.set(place, [...before, contact]);
    const script = scripts.get(place)!;
    return typeof script === 'function' ? script(contact) : (script as Exclude<typeof script, Script[]>);
  };

  describe.each(NAMES)('%s', (name) => {
    describe.each(WIRE_NAMES)('in front of %s', (wire) => {
      test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
        const client = clients.find((each) => each.name === name)!;
        const model = modelOf(name, wire, scenario);
        const cell: Cell = {
          client,
          wire,
          // Without a second tier no route is needed: the key names the model itself.
          model: scenario.twoTiers ? model : `${wire}/${model}`,
          play: (of, script) => void scripts.set(`${of} ${model}`, script),
          contacts: (of) => contacts.get(`${of} ${model}`) ?? [],
          row: () => api.call(lastCall),
        };
        await scenario.run(cell);
        held.set(`${name} ${wire}`, (held.get(`${name} ${wire}`) ?? 0) + 1);
      });
    });
  });

  /** Libraries keep the answer's headers to themselves. */
  async function watched(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...request);
    lastCall = response.headers.get('x-ohm-request-id')!;
    return response;
  }
});

/** A model of its own for every cell, so that no earlier one's failures weigh on it. */
const modelOf = (client: string, wire: WireName, scenario: Scenario): string => `c${NAMES.indexOf(client)}-${wire}-${SCENARIOS.indexOf(scenario)}`;
const allCells = () => NAMES.flatMap((name) => WIRE_NAMES.flatMap((wire) => SCENARIOS.map((scenario) => ({ name, wire, scenario }))));

/** One line a client: how many of its scenarios hold in front of each wire, all doors together. */
function table(): string {
  const all = SCENARIOS.length * DOORS.length;
  const line = (cells: string[]) => cells.map((cell, at) => (at === 0 ? cell.padEnd(28) : cell.padStart(18))).join('');
  const rows = NAMES.map((name) => line([name, ...WIRE_NAMES.map((wire) => `${held.get(`${name} ${wire}`) ?? 0} of ${all}`)]));
  const sum = [...held.values()].reduce((total, each) => total + each, 0);
  return [`client matrix: ${SCENARIOS.length} scenarios through doors ${DOORS.join(' and ')}`, line(['', ...WIRE_NAMES]), ...rows, `client matrix: ${sum} of ${all * NAMES.length * WIRE_NAMES.length}`].join('\n');
}
