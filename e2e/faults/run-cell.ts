import { expect } from 'vitest';
import type { CallRow } from '@/lib/metering';
import type { Contact, Script, Step } from '../harness';
import { openai } from '../harness';
import { type Cell, tiersOf } from './cells';
import { expectation, GOOD_JSON, GOOD_STREAM } from './expectation';

/** Something that serves the data plane, with a route of three tiers for every cell, named like the cell. */
export interface Target {
  url: string;
  key: string;
  row(requestId: string): Promise<CallRow>;
}

/** One upstream plays every tier of every cell: the model name says which. */
export function matrixScript(cells: Cell[]): Script {
  const answers = new Map<string, Step[]>();
  for (const cell of cells) for (const { model, role } of tiersOf(cell)) answers.set(model, role === 'faulty' ? cell.fault.script : role === 'broken' ? openai.error(501, 'broken') : good(cell.mode));
  return ({ body }) => answers.get((JSON.parse(body) as { model: string }).model) ?? openai.error(418, 'an unknown model was asked');
}

const good = (mode: Cell['mode']): Step[] => (mode === 'stream' ? [openai.sseHead(), { send: GOOD_STREAM }, 'end'] : openai.json(200, GOOD_JSON));

/** Makes the call and holds everything to the contract: the client's bytes, the upstream's contacts, the ledger. */
export async function runCell(target: Target, cell: Cell, contacts: () => Contact[]): Promise<void> {
  const expected = expectation(cell);
  const response = await fetch(`${target.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: cell.id, stream: cell.mode === 'stream', ...(cell.mode === 'stream' ? { stream_options: { include_usage: true } } : {}), messages: [{ role: 'user', content: 'hi there' }] }),
  });
  const bytes = await response.text();
  const requestId = response.headers.get('x-ohm-request-id')!;
  expect.soft({ cell: cell.name, status: response.status, bytes }).toEqual({ cell: cell.name, status: expected.status, bytes: expected.bytes(requestId) });
  expect.soft(bytes.endsWith('data: [DONE]\n\n'), cell.name).toBe(expected.done);

  const models = tiersOf(cell).map(({ model }) => model);
  const counted = models.map((model) => contacts().filter((contact) => (JSON.parse(contact.body) as { model: string }).model === model).length);
  expect.soft({ cell: cell.name, contacts: counted }).toEqual({ cell: cell.name, contacts: expected.contacts });
  expect.soft(response.headers.get('x-ohm-attempts'), cell.name).toBe(String(expected.contacts.reduce((sum, count) => sum + count, 0)));

  const row = await target.row(requestId);
  const { state, tier, alert_class, malformed_events, error_code, attempts } = row;
  expect.soft({ cell: cell.name, state, tier, alert_class, malformed_events, error_code }).toEqual({ cell: cell.name, ...expected.row });
  expect.soft({ cell: cell.name, attempts: attempts.map((attempt) => ({ tier: attempt.tier, state: attempt.state, class: attempt.class })) }).toEqual({ cell: cell.name, attempts: expected.attempts });
  expect.soft({ cell: cell.name, flushed: row.flushed_bytes }).toEqual({ cell: cell.name, flushed: Buffer.byteLength(bytes) });
}

/** Runs all cells, a few at a time, and counts them. */
export async function runCells(target: Target, cells: Cell[], contacts: () => Contact[], width = 16): Promise<number> {
  const left = [...cells];
  let done = 0;
  const worker = async () => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
      await runCell(target, cell, contacts);
      done++;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return done;
}

/** Clocks of a cell's tiers: short ones only where silence is the fault. */
export const clocksOf = (cell: Cell, role: string) => (cell.fault.silent && role === 'faulty' ? { firstContentTimeoutMs: 400, idleTimeoutMs: 400, responseTimeoutMs: 400 } : {});
