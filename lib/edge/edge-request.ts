import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../server/body-budget';
import type { NodeSink } from '../server/node-sink';
import type { Surface } from '../surfaces';
import type { CallIds } from './call-ids';
import type { Planes } from './plane';

/** What all requests of an edge share. */
export interface Edge {
  planes: Planes;
  callIds: CallIds;
  callHeader: string;
  /** This edge's name in `Via`. */
  via: string;
  /** Bodies held now, of requests and answers. */
  budget: BodyBudget;
  maxBodyBytes: number;
}

/** One request as the edge handles it. Its body has been read. */
export interface EdgeRequest {
  readonly edge: Edge;
  readonly message: IncomingMessage;
  readonly sink: NodeSink;
  /** Without the query. */
  readonly path: string;
  /** The API that is called; null for everything that is no call. */
  readonly surface: Surface | null;
  /** The id of a call; null for everything else. */
  readonly callId: string | null;
  /** When it came: wall time, ms since the epoch, and monotonic ms. */
  readonly createdAt: number;
  readonly startedAt: number;
  readonly body: Buffer;
  /** Whose bytes are held: the edge knows no workspaces, only the credential that came. */
  readonly owner: string;
  /** May be sent to a second plane although the first may have got it. */
  readonly repeatable: boolean;
}
