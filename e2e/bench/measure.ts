import { setTimeout as delay } from 'node:timers/promises';
import type { Ask } from './http-client';
import type { Load, LoadGenerator, LoadOptions } from './load';
import { coreBusySeconds, type Cores, processFigures, treeCpuSeconds } from './machine';
import type { Server } from './servers';

/** One load on one target, and what it cost the process. */
export interface Cost extends Load {
  cpuSecondsPerThousand: number;
  postgresCpuSecondsPerThousand: number | null;
  /** Share of the time in which the server itself used its core. */
  serverBusy: number;
  /** Share of the server's core that others used meanwhile; null when nothing is pinned. */
  foreignBusy: number | null;
}

/** After a load: the ledger drains, garbage is collected. All of it belongs to the calls just made. */
const SETTLE_MS = 600;

const WARM_UP_CALLS = 12_000;
const WARM_UP_RUNS = 6;

/** Until the optimising compiler has seen enough calls, counted: on a busy machine time says nothing. */
export async function warmUp(server: Server, generator: LoadGenerator, ask: Ask, most = WARM_UP_CALLS): Promise<void> {
  let calls = 0;
  for (let runs = 0; runs < WARM_UP_RUNS && calls < most; runs++) calls += (await generator.run(server, ask, { connections: 32, seconds: 3 })).requests;
}

export async function measure(server: Server, generator: LoadGenerator, ask: Ask, options: LoadOptions, cores: Cores | null): Promise<Cost> {
  const read = () => ({
    server: processFigures(server.pid)?.cpuSeconds ?? NaN,
    postgres: server.postgresPid === null ? null : treeCpuSeconds(server.postgresPid),
    core: cores ? coreBusySeconds(cores.server) : null,
  });
  const before = read();
  const load = await generator.run(server, ask, options);
  const busy = read();
  await delay(SETTLE_MS);
  const after = read();
  const own = server.name === 'direct' ? 0 : busy.server - before.server;
  return {
    ...load,
    cpuSecondsPerThousand: ((after.server - before.server) / load.requests) * 1000,
    postgresCpuSecondsPerThousand: before.postgres === null ? null : ((after.postgres! - before.postgres) / load.requests) * 1000,
    serverBusy: (busy.server - before.server) / load.seconds,
    foreignBusy: before.core === null ? null : Math.max(0, busy.core! - before.core - own) / load.seconds,
  };
}
