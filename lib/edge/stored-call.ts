import type { RowFacts } from '../gateway/plain-row';
import type { Disclosed } from '../gateway/respond';
import type { Clock } from '../std';
import type { Surface } from '../surfaces';
import type { EdgeRequest } from './edge-request';
import type { Grant, GrantedModel } from './grant';
import type { PreparedCall } from './prepared-calls';

/** One call that the edge answers itself: what its row and its headers are made from. A class because every hit has one. */
export class StoredCall implements RowFacts, Disclosed {
  readonly id: string;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly caller: Grant;
  readonly surface: Surface;
  readonly routeLabel: string;
  readonly resolvedBy: GrantedModel['resolvedBy'];
  readonly requestedModel: string;
  readonly requestBytes: number;
  readonly tag: string | null;
  readonly stream = false;
  readonly complete = false;
  readonly attempts = [];
  readonly upstreamRequests = 0;
  replayed: 'HIT' | 'MISS' = 'MISS';
  status: number | null = null;
  flushedBytes = 0;
  limitHeaders: Record<string, string> | null = null;

  constructor(
    readonly engine: { readonly clock: Clock },
    request: EdgeRequest,
    grant: Grant,
    { model, read }: Pick<PreparedCall, 'model' | 'read'>,
    tag: string | null,
  ) {
    this.id = request.callId!;
    this.createdAt = request.createdAt;
    this.startedAt = request.startedAt;
    this.caller = grant;
    this.surface = request.surface!;
    this.routeLabel = model.label;
    this.resolvedBy = model.resolvedBy;
    this.requestedModel = read.model;
    this.requestBytes = request.body.length;
    this.tag = tag;
  }
}
