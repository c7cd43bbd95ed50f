import { bearer, callOptions } from '../gateway/call-options';
import { cutInLastWrite, plainRow, rounded, storedRow } from '../gateway/plain-row';
import type { LimitGate } from '../gateway/ports';
import { storedHeaders } from '../gateway/respond';
import type { CarriedLedger } from '../metering/carried-ledger';
import { estimateUsage } from '../metering/estimate';
import { type StoredAnswer, storedWhole } from '../replay';
import { type Clock, isoTime } from '../std';
import type { Store } from '../stores';
import type { EdgeRequest } from './edge-request';
import type { Grant } from './grant';
import type { Grants } from './grants';
import type { PreparedCall, preparedCalls } from './prepared-calls';
import { rowText } from './row-text';
import { StoredCall } from './stored-call';

export interface StoredAnswers {
  store: Store;
  grants: Grants;
  prepare: ReturnType<typeof preparedCalls>;
  limits: LimitGate;
  ledger: CarriedLedger;
  clock: Clock;
}

type Answered = boolean | Promise<boolean>;

/**
 * Answers a call from what is stored, with one row, one write and nobody asked; false where that cannot be done here,
 * and a control plane is to have the call. That is every doubt: no grant, a bad request, an option that the edge does
 * not know, a rate that is used up, a journal that cannot be written. Refusals are made in one place, and it is not this one.
 */
export function answerStored(edge: StoredAnswers): (request: EdgeRequest) => Answered {
  return (request) => {
    const { surface, message } = request;
    if (!edge.store.up || (surface!.operation !== 'chat' && surface!.operation !== 'embeddings')) return false;
    for (const name of LEFT_TO_PLANES) if (message.headers[name] !== undefined) return false;
    const token = bearer(message.headers);
    if (token === null) return false;
    const grant = edge.grants.find(token);
    return grant instanceof Promise ? grant.then((found) => withGrant(edge, request, found)) : withGrant(edge, request, grant);
  };
}

/** Which tier an answer may be of, how a request is rewritten, how a body is packed. */
const LEFT_TO_PLANES = ['x-ohm-fallback', 'x-ohm-savers', 'content-encoding'] as const;

function withGrant(edge: StoredAnswers, request: EdgeRequest, grant: Grant | null): Answered {
  if (grant === null || edge.grants.renews(grant)) return false;
  const options = callOptions(request.message.headers);
  if ('rejected' in options || options.bypassReplay) return false;
  const prepared = edge.prepare(request, grant);
  if (prepared === null) return false;
  const found = prepared.place.find();
  const serve = (stored: StoredAnswer | null): Answered => (stored === null ? false : answer(edge, request, prepared, new StoredCall(edge, request, grant, prepared, options.tag), stored));
  return found instanceof Promise ? found.then(serve) : serve(found);
}

function answer(edge: StoredAnswers, request: EdgeRequest, prepared: PreparedCall, call: StoredCall, stored: StoredAnswer): Answered {
  if (request.sink.closed) return edge.ledger.settle(plainRow(call, 'aborted', null)).then(() => true, unwritten);
  const { key, workspace } = call.caller;
  if (key.limits === null && workspace.limits === null) return send(edge, request, prepared, call, stored);
  const rated = edge.limits.admit({ callId: call.id, caller: call.caller, atMs: call.createdAt, estimatedTokens: 0, promptTokens: 0, costs: null });
  return Promise.resolve(rated).then(
    (verdict) => {
      if (!verdict.admitted) return false;
      call.limitHeaders = verdict.headers;
      verdict.end(null);
      return send(edge, request, prepared, call, stored);
    },
    () => false, // they cannot be counted here
  );
}

/** The row first: it is there before the last byte is. */
function send({ ledger, clock }: StoredAnswers, { sink, surface }: EdgeRequest, prepared: PreparedCall, call: StoredCall, stored: StoredAnswer): Promise<boolean> {
  const { read } = prepared;
  const context = { own: false, callId: call.id, createdS: Math.floor(call.createdAt / 1000), model: stored.origin.modelNamed, usageWish: read.usageWish, request: read.parsed };
  const body = storedWhole(surface!, stored, context, () => estimateUsage({ sentCharacters: surface!.characters(read.parsed), flushedCharacters: 0 }));
  call.replayed = 'HIT';
  call.status = 200;
  call.flushedBytes = Buffer.byteLength(body);
  let handed = false;
  sink.onClose(() => ledger.correct(call.id, handed ? cutInLastWrite(call.flushedBytes, call.flushedBytes) : { state: 'aborted', flushed_bytes: 0 }));
  return ledger.settleText(call.id, rowOf(prepared, call, stored, clock)).then(
    () => {
      handed = true;
      sink.head(200, storedHeaders(call, stored, body));
      sink.end(body);
      return true;
    },
    unwritten,
  );
}

/** The row as the control plane would write it: most of it is the same as that of the last such call. */
function rowOf(prepared: PreparedCall, call: StoredCall, stored: StoredAnswer, clock: Clock): string {
  if (prepared.row?.of !== stored || prepared.row.tag !== call.tag) prepared.row = { of: stored, tag: call.tag, text: rowText(storedRow(call, stored)) };
  const durationMs = rounded(clock.monotonic() - call.startedAt);
  return prepared.row.text({ id: call.id, created_at: isoTime(call.createdAt), finished_at: isoTime(clock.now()), flushed_bytes: call.flushedBytes, first_content_ms: durationMs, duration_ms: durationMs });
}

/** The journal has said why. A control plane has one of its own. */
const unwritten = () => false;
