import { afterAll, describe, expect, test } from 'vitest';
import type { CallRow } from '@/lib/metering';
import { type Door, managementClient, type RunningOhm, scriptedUpstream, startOhm } from '../harness';
import { allCells, type Cell, tiersOf } from './cells';
import { clocksOf, matrixScript, runCells } from './run-cell';

const cells = allCells();
const counts: string[] = [];

afterAll(() => console.log(`fault matrix: ${counts.join('; ')}`));

describe.each<Door>(['node', 'next'])('the fault matrix through the %s door', (door) => {
  test('the client’s bytes, the upstream’s contacts and the ledger row are the contract’s in every cell', { timeout: 300_000 }, async () => {
    const upstream = await scriptedUpstream(matrixScript(cells));
    const ohm = await startOhm({ door });
    try {
      let done = 0;
      // A workspace each: one may not have as many routes as the matrix has cells.
      for (const mode of ['stream', 'json'] as const) {
        const own = cells.filter((cell) => cell.mode === mode);
        const { key, api } = await furnish(ohm, mode, own, upstream.baseUrl);
        const row = async (id: string) => (await api.call(id)) as unknown as CallRow;
        done += await runCells({ url: ohm.url, key, row }, own, () => upstream.contacts, 12);
      }
      counts.push(`${done} cells through the ${door} door`);
      expect(done).toBe(cells.length);
      expect(ohm.stderr()).not.toMatch(/uncaught|unhandled/);
    } finally {
      await ohm.stop();
      await upstream.close();
    }
  });
});

/** A connection for everybody, one of its own for each tier whose credential will be rejected, and a route per cell. */
async function furnish(ohm: RunningOhm, name: string, cells: Cell[], baseUrl: string) {
  const { managementKey } = await ohm.bootstrap(name);
  const api = managementClient(ohm.url, managementKey);
  await api.connection('shared', baseUrl);
  const left = [...cells];
  const worker = async () => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) await routeOf(api, cell, baseUrl);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return { api, key: await api.key(cells[0]!.id) };
}

async function routeOf(api: ReturnType<typeof managementClient>, cell: Cell, baseUrl: string): Promise<void> {
  const { verdict } = cell.fault;
  const benched = 'class' in verdict && verdict.class === 'auth';
  if (benched) await api.connection(cell.id, baseUrl);
  const tiers = tiersOf(cell).map(({ model, role }) => {
    const { firstContentTimeoutMs, idleTimeoutMs, responseTimeoutMs } = { firstContentTimeoutMs: null, idleTimeoutMs: null, responseTimeoutMs: null, ...clocksOf(cell, role) };
    return { connection: benched && role === 'faulty' ? cell.id : 'shared', model, first_content_timeout_ms: firstContentTimeoutMs, idle_timeout_ms: idleTimeoutMs, response_timeout_ms: responseTimeoutMs };
  });
  await api.route(cell.id, tiers);
}
