import { createHmac } from 'node:crypto';
import type { Log } from '../metering/log';
import { bodyBudget } from '../server/body-budget';
import { CALL_HEADER, callIds } from './call-ids';
import { createEdgeServer, type EdgeServer } from './edge-server';
import type { EdgeEnv } from './env';
import { openPlanes } from './plane';
import { edgeReadiness } from './ready';

/** A running edge, not yet listening. */
export interface RunningEdge {
  server: EdgeServer;
  /** Not ready from now on; new calls are refused. */
  beginDrain(): void;
  close(): Promise<void>;
}

export async function openEdge(env: EdgeEnv, log: Log): Promise<RunningEdge> {
  let drains = false;
  const draining = () => drains;
  const planes = openPlanes(env.primary, env.fallback);
  const edge = { planes, callIds: callIds(env.secret), callHeader: CALL_HEADER, via: viaName(env.secret), budget: bodyBudget(env.heldBytes), maxBodyBytes: env.maxBodyBytes };
  const server = createEdgeServer({
    edge,
    answerStored: null,
    ready: edgeReadiness({ planes: planes.all, store: null, ledger: null, draining }),
    draining,
    onError: (error) => log.error({ err: error }, 'a stored answer could not be served; the control plane was asked'),
  });
  return {
    server,
    beginDrain: () => void (drains = true),
    close: async () => {
      await planes.close();
    },
  };
}

/** The edge's pseudonym in `Via`: another one than its control planes', who would take their own for a loop. */
const viaName = (secret: string): string => `1.1 ohm-edge-${createHmac('sha256', secret).update('via/edge').digest('hex').slice(0, 12)}`;
