import type { CallRow } from '../metering/call-row';
import type { AttemptPlan, AttemptResult } from './attempt/run-attempt';
import type { CallFacts } from './call-facts';
import { leftBeforeLast, type OpenCall } from './open-call';
import type { Sink } from './ports';
import type { StoredAnswer } from '../replay';
import { keepAnswer } from './keep-answer';
import { rejectWalk } from './reject';
import { REFUSALS, type Rejection } from './rejection';
import { refusalOf, sendRejection, truncationCode, truncationError } from './respond';
import { storedRow } from './plain-row';
import { noteSaving } from './save-tokens';
import { leftRow, rejectedRow, servedRow, unreadRow } from './settle';
import type { WalkEnd } from './walk';

/** Ends a call: its one row first, then the last bytes. A promise only where the ledger has to be waited for. */
export function conclude(call: OpenCall, end: WalkEnd): Promise<void> | void {
  if (end.type === 'left') return settle(call, leftRow(call, end.abandoned ?? null), noBytes);
  if (end.type === 'rejected') return reject(call, call.sink, rejectWalk(end, call.attempts), call);
  const { plan, result } = end;
  switch (result.ending) {
    case 'aborted':
      return settle(call, servedRow(call, 'aborted', result, null), noBytes);
    case 'truncated':
      return finish(call, truncated(call, plan, result), servedRow(call, 'truncated', result, truncationCode(result)));
    default:
      return whole(call, plan, result);
  }
}

/** An answer that is kept is there before its client sees the end, if the store is quick enough. */
function whole(call: OpenCall, plan: AttemptPlan, result: AttemptResult): Promise<void> | void {
  const last = count(call, result);
  const row = servedRow(call, 'finished', result, null);
  const kept = call.replay === null ? undefined : keepAnswer(call, call.replay, plan, result, row);
  if (!(kept instanceof Promise)) return finish(call, last, row);
  return kept.then(() => {
    if (!call.sink.closed) return finish(call, last, row);
    // It left during that wait: it was never handed the end.
    const unsent = Buffer.byteLength(last);
    call.flushedBytes -= unsent;
    result.row.bytes -= unsent;
    return settle(call, servedRow(call, 'aborted', result, null), noBytes);
  });
}

/** Serves an answer again: one row, one write, and nobody else is asked. */
export function serveStored(call: OpenCall, stored: StoredAnswer): Promise<void> | void {
  const body = call.commitStored(stored);
  call.count(body);
  return finish(call, body, storedRow(call, stored));
}

/** The client left while it still sent its body. */
export function leftUnread(facts: CallFacts): Promise<void> | void {
  return settle(facts, unreadRow(facts), noBytes);
}

/** A refusal of an authenticated call: it has a row too. */
export function reject(facts: CallFacts, sink: Sink, refused: Rejection, call: OpenCall | null = null): Promise<void> | void {
  const { status, body } = refusalOf(facts.surface, refused, facts.id);
  facts.status = status;
  facts.flushedBytes = Buffer.byteLength(body);
  return settle(facts, rejectedRow(facts, refused), () => sendRejection(sink, facts.surface, facts.id, refused, call));
}

/** Adds the unsent rest to the count, so that the row holds every byte, `[DONE]` included. */
function count(call: OpenCall, result: AttemptResult): string | Buffer {
  result.row.bytes += call.count(result.tail);
  return result.tail;
}

function truncated(call: OpenCall, plan: AttemptPlan, result: AttemptResult): string {
  const rest = count(call, result) as string;
  const frame = call.writer!.truncated(truncationError(call, plan, result, call.flushedBytes));
  call.count(frame);
  return rest + frame;
}

function finish(call: OpenCall, last: string | Buffer, row: CallRow): Promise<void> | void {
  return settle(call, row, (durable) => {
    if (!durable) return abandon(call);
    if (call.sink.closed) return leftBeforeLast(call, last);
    call.lastWriteBytes = Buffer.byteLength(last);
    call.end(last);
  });
}

/** Writes the row, then does the rest: at once where there is a journal, later where the database must answer first. */
function settle(facts: CallFacts, row: CallRow, rest: (durable: boolean) => void): Promise<void> | void {
  facts.endLimits?.(row.usage?.total_tokens ?? null);
  const later = noteSaving(facts, row);
  let written: void | Promise<void>;
  try {
    written = facts.engine.ledger.settle(row);
  } catch {
    return rest(false); // the ledger reports its own fault; how the call ends depends on it
  }
  if (facts.coveredNanoUsd !== null && (row.cost_nano_usd ?? row.budget_nano_usd ?? 0) > facts.coveredNanoUsd) written = charged(facts, written);
  if (!(written instanceof Promise)) {
    rest(true);
    return later?.();
  }
  return written.then(
    () => {
      rest(true);
      later?.();
    },
    () => rest(false),
  );
}

/** A budget learns only from the row what a call cost beyond its hold: until then its client's next call would be covered by money that is spent. */
async function charged({ engine, id }: CallFacts, written: void | Promise<void>): Promise<void> {
  await written;
  await engine.ledger.charged(id, CHARGED_MS);
}

/** The row is durable: a database that takes longer costs the budget a call too many, not the client its answer. */
const CHARGED_MS = 1_000;

/** Nobody is there to send the rest to. */
function noBytes(): void {}

/** The row could not be written: an answer without a row is never delivered as whole. */
function abandon(call: OpenCall): void {
  const refused = REFUSALS.unbooked();
  if (!call.headSent) return sendRejection(call.sink, call.surface, call.id, refused, call);
  call.write(call.writer!.truncated(refused.error));
  call.sink.end();
}
