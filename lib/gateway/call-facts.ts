import type { AttemptRow, EcoRow } from '../metering/call-row';
import type { Engine } from './engine';
import type { Surface } from '../surfaces';
import type { Caller } from './ports';
import type { Saving } from './saving';

/** What is known of every authenticated call, also of one that is refused before it was read. */
export interface CallFacts {
  readonly engine: Engine;
  readonly id: string;
  /** Wall time, ms since the epoch. */
  readonly createdAt: number;
  /** Monotonic ms. */
  readonly startedAt: number;
  readonly caller: Caller;
  readonly surface: Surface;
  /** Route name, `direct` or `private`; null until a route was found. */
  routeLabel: string | null;
  /** Null until the body was read. */
  requestedModel: string | null;
  stream: boolean;
  /** Commit policy `complete`; turned off when a held answer outgrows its bound. */
  complete: boolean;
  requestBytes: number;
  /** From `X-Ohm-Tag`. */
  tag: string | null;
  readonly attempts: AttemptRow[];
  /** What each eco tier compared; null while there was none. */
  eco: EcoRow[] | null;
  /** Upstream requests made. */
  upstreamRequests: number;
  /** Body bytes handed to the client's socket. */
  flushedBytes: number;
  /** HTTP status that the client got. */
  status: number | null;
  resolvedBy: 'name' | 'fallback_model';
  /** Whether a stored answer was served, looked for in vain, or not looked for. Null: it was there, and the call was refused. */
  replayed: 'HIT' | 'MISS' | 'BYPASS' | null;
  /** What savers did, and what is counted of it; null where the key has none, and until they were asked. */
  saving: Saving | null;
  /** What is left of the caller's rates, for the headers; null where none applies. */
  limitHeaders: Record<string, string> | null;
  /** Frees what the call holds of its limits; null where it holds nothing. */
  endLimits: ((totalTokens: number | null) => void) | null;
  /** Money that was set aside for this call, integer nano-USD: a tier that may cost more is skipped. Null: no budget applies. */
  coveredNanoUsd: number | null;
}

export function callFacts(engine: Engine, id: string, createdAt: number, startedAt: number, caller: Caller, surface: Surface): CallFacts {
  return {
    engine,
    id,
    createdAt,
    startedAt,
    caller,
    surface,
    routeLabel: null,
    requestedModel: null,
    stream: false,
    complete: false,
    requestBytes: 0,
    tag: null,
    attempts: [],
    eco: null,
    upstreamRequests: 0,
    flushedBytes: 0,
    status: null,
    resolvedBy: 'name',
    replayed: 'BYPASS',
    saving: null,
    limitHeaders: null,
    endLimits: null,
    coveredNanoUsd: null,
  };
}
