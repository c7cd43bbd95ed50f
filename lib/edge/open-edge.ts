import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { createHeldBytes } from '../gateway/held-bytes';
import { createCounters } from '../limits/counters';
import { createLimitGate } from '../limits/gate';
import { openCarriedLedger } from '../metering/carried-ledger';
import type { Log } from '../metering/log';
import { createReplay } from '../replay';
import { bodyBudget } from '../server/body-budget';
import { systemClock } from '../std';
import { openStore, type Store } from '../stores';
import { createKeyring } from '../tenancy/keyring';
import { answerStored, type StoredAnswers } from './answer-stored';
import { CALL_HEADER, callIds } from './call-ids';
import { rowCarrier } from './carry-rows';
import { createEdgeServer, type EdgeServer } from './edge-server';
import type { EdgeEnv } from './env';
import { grantBook } from './grant';
import { createGrants } from './grants';
import { openPlanes, type Planes } from './plane';
import { preparedCalls } from './prepared-calls';
import { edgeReadiness } from './ready';
import { parcels } from './row-parcel';

/** A running edge, not yet listening. */
export interface RunningEdge {
  server: EdgeServer;
  /** Not ready from now on; new calls are refused. */
  beginDrain(): void;
  /** Carries what is left to a control plane, for a few seconds; the rest waits in the journal. */
  close(): Promise<void>;
}

/** `store` stands in for the one at `env.redisUrl`. */
export async function openEdge(env: EdgeEnv, log: Log, store: Store | null = null): Promise<RunningEdge> {
  let drains = false;
  const draining = () => drains;
  const planes = openPlanes(env.primary, env.fallback);
  const stored = env.redisUrl === null ? null : openStored(env, store ?? (await openRedis(env.redisUrl, log)), planes, log);
  const server = createEdgeServer({
    edge: { planes, callIds: callIds(env.secret), callHeader: CALL_HEADER, via: viaName(env.secret), budget: bodyBudget(env.heldBytes), maxBodyBytes: env.maxBodyBytes },
    answerStored: stored === null ? null : answerStored(stored),
    ready: edgeReadiness({ planes: planes.all, store: stored?.store ?? null, ledger: stored?.ledger ?? null, draining }),
    draining,
    held: createHeldBytes(env.heldBytes),
    onError: (error) => log.error({ err: error }, 'a stored answer could not be served; the control plane was asked'),
  });
  return {
    server,
    beginDrain: () => void (drains = true),
    close: async () => {
      await stored?.close();
      await planes.close();
    },
  };
}

/** What it takes to answer from the store. */
function openStored(env: EdgeEnv, store: Store, planes: Planes, log: Log): StoredAnswers & { close(): Promise<void> } {
  const clock = systemClock;
  const ledger = openCarriedLedger({ root: join(env.dataDir, 'edge'), to: rowCarrier({ planes: planes.all, parcels: parcels(env.secret), clock }), clock, log });
  const counters = createCounters(store, NOWHERE);
  return {
    store,
    ledger,
    clock,
    grants: createGrants({ store, book: grantBook(env.secret), clock }),
    prepare: preparedCalls(createReplay({ store, clock, workspaceKey: createKeyring(env.secret).workspaceKey })),
    limits: createLimitGate({ counters, budgets: { hold: () => Promise.reject(new Error('nothing here costs money')) }, now: () => clock.now() }),
    close: async () => {
      counters.close();
      await ledger.close();
      await store.close();
    },
  };
}

const openRedis = (url: string, log: Log): Promise<Store> =>
  openStore({ kind: 'redis', url }, { clock: systemClock, onChange: (up) => (up ? log.info({}, 'Redis answers') : log.warn({}, 'Redis is away: every call goes to a control plane')) });

/** Counters are those of the control planes or none: what cannot be counted with theirs is left to them. */
const NOWHERE: Pick<Store, 'run'> = { run: () => Promise.reject(new Error('the shared counters are away')) };

/** The edge's pseudonym in `Via`: another one than its control planes', who would take their own for a loop. */
const viaName = (secret: string): string => `1.1 ohm-edge-${createHmac('sha256', secret).update('via/edge').digest('hex').slice(0, 12)}`;
