import type { CallRow, CallState } from '../metering/call-row';
import type { StoredAnswer } from '../replay';
import { type Clock, isoTime } from '../std';
import type { Surface } from '../surfaces';
import type { CallFacts } from './call-facts';

/** What a row says of a call apart from its tiers: also known where there are none. */
export interface RowFacts
  extends Pick<
    CallFacts,
    'id' | 'createdAt' | 'startedAt' | 'routeLabel' | 'requestedModel' | 'stream' | 'complete' | 'requestBytes' | 'tag' | 'attempts' | 'flushedBytes' | 'status' | 'replayed'
  > {
  readonly engine: { readonly clock: Clock };
  readonly caller: { key: { id: string }; workspace: { id: string } };
  readonly surface: Pick<Surface, 'id'>;
}

/** The row of a call that a stored answer was served to: its tokens are shown, and cost nothing again. */
export function storedRow(call: RowFacts, { origin, usage, usageSource, usageEstimated, costNanoUsd, finishReason }: StoredAnswer): CallRow {
  const row = plainRow(call, 'finished', null);
  row.tier = origin.tier;
  row.connection_id = origin.connectionId;
  row.provider = origin.provider;
  row.model = origin.model;
  row.model_reported = origin.modelReported;
  row.finish_reason = finishReason;
  row.usage = usage;
  row.usage_source = usageSource;
  row.usage_estimated = usageEstimated;
  row.cost_nano_usd = 0;
  row.avoided_nano_usd = costNanoUsd ?? null;
  row.first_content_ms = row.duration_ms;
  return row;
}

/** The row of any call that has ended. Spelled out rather than spread together: one is made for every call, and its members are many. */
export function plainRow(call: RowFacts, state: CallState, errorCode: string | null): CallRow {
  return {
    id: call.id,
    workspace_id: call.caller.workspace.id,
    key_id: call.caller.key.id,
    created_at: isoTime(call.createdAt),
    route: call.routeLabel,
    requested_model: call.requestedModel,
    surface: call.surface.id,
    stream: call.requestedModel === null ? null : call.stream,
    commit: call.complete ? 'complete' : 'first_content',
    request_bytes: call.requestBytes,
    tag: call.tag,
    finished_at: isoTime(call.engine.clock.now()),
    state,
    replay: call.replayed,
    status: call.status,
    error_code: errorCode,
    tier: null,
    connection_id: null,
    provider: null,
    model: null,
    model_reported: null,
    flushed_bytes: call.flushedBytes,
    malformed_events: 0,
    finish_reason: null,
    alert_class: alertClass(call),
    attempts: call.attempts,
    eco: null,
    usage: null,
    usage_source: null,
    usage_estimated: [],
    cost_nano_usd: null,
    price_version: null,
    first_content_ms: null,
    duration_ms: rounded(call.engine.clock.monotonic() - call.startedAt),
  };
}

/** Bytes. How much a client had taken of a last write longer than this matters, and only the kernel knew. */
const SMALL_WRITE_BYTES = 64 * 1024;

/**
 * What has to be said of an ended call whose client left during the last write. A small write is left out of the
 * count, all of it; a large one may have been taken in part, so the count is null.
 */
export function cutInLastWrite(flushedBytes: number, lastWriteBytes: number): Pick<CallRow, 'state' | 'flushed_bytes'> {
  return { state: 'aborted', flushed_bytes: lastWriteBytes > SMALL_WRITE_BYTES ? null : flushedBytes - lastWriteBytes };
}

/** Class and moment of the last failure; the two moments are never one. */
function alertClass(call: RowFacts): string | null {
  const last = call.attempts.findLast((attempt) => attempt.class !== null);
  if (!last) return null;
  return `${last.class}.${last.state === 'truncated' ? 'after_content' : 'before_content'}`;
}

/** Ms, to a microsecond. */
export const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
