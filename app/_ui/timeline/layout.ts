import type { AttemptRow, AttemptState, CallRow, CallState, SkipReason } from '../../../lib/metering/call-row';

/**
 * Where everything of a call's picture stands. Pure: a ledger row in, fractions out.
 * Every `x` and `width` is a fraction (0 to 1) of the time axis, every `y` a fraction of the
 * byte axis, so that the drawing scales with its container without any measuring in the browser.
 */
export interface TimelineLayout {
  /** Length of the time axis, ms; at least 1. */
  totalMs: number;
  ticks: { ms: number; x: number }[];
  lanes: Lane[];
  /** The moment from which the client received bytes of an answer; null when nothing committed. */
  commit: { ms: number; x: number; lane: number } | null;
  /** Null where nobody knows what was flushed: a lost call. */
  flushed: FlushedCurve | null;
  /** `ms` is when the call ended for the client; of a lost call, the last moment on record. */
  ending: { state: CallState | 'replayed'; ms: number; x: number };
}

export interface Lane {
  /** 1-based place in the route; several lanes share it when the tier was asked again, or has several candidates. */
  tier: number;
  /** True for the one retry of a model: the same one on the same connection, in the same tier. */
  retry: boolean;
  connection: string;
  model: string;
  state: AttemptState;
  skipReason: SkipReason | null;
  segments: Segment[];
  start: { ms: number; x: number };
  end: { ms: number; x: number };
}

export interface Segment {
  /** `held`: headers are there, what has been read is kept back. */
  kind: 'connecting' | 'held' | 'committed';
  fromMs: number;
  toMs: number;
  x: number;
  width: number;
}

export interface FlushedCurve {
  points: { ms: number; x: number; bytes: number; y: number }[];
  /** Bytes at the end: the ledger's own figure. */
  totalBytes: number;
  /**
   * False when only the beginning and the total are on record: the part between the commit and
   * the end is then not known and is drawn dashed, never invented.
   */
  sampled: boolean;
}

/** Bytes that had been handed to the client's socket at a moment, from a measured call. */
export interface FlushSample {
  ms: number;
  bytes: number;
}

export type TimelineCall = Pick<
  CallRow,
  'state' | 'stream' | 'commit' | 'replay' | 'tier' | 'flushed_bytes' | 'duration_ms' | 'attempts'
>;

export function layoutCall(call: TimelineCall, samples: readonly FlushSample[] = []): TimelineLayout {
  const totalMs = axisLength(call, samples);
  const at = (ms: number) => clamp(ms / totalMs);
  const committing = committingLane(call);
  const commitMs = committing === null ? null : commitMoment(call, call.attempts[committing]!);
  const endMs = call.duration_ms ?? totalMs;

  return {
    totalMs,
    ticks: ticksFor(totalMs).map((ms) => ({ ms, x: at(ms) })),
    lanes: call.attempts.map((attempt, index) => laneFor(call.attempts, index, index === committing ? commitMs : null, at)),
    commit: committing === null || commitMs === null ? null : { ms: commitMs, x: at(commitMs), lane: committing },
    flushed: call.flushed_bytes === null ? null : flushedCurve(call.flushed_bytes, isLive(call), endMs, commitMs, samples, at),
    ending: { state: endingOf(call), ms: endMs, x: at(endMs) },
  };
}

/** What the call's own icon says: a replayed answer is one, whatever else it was. */
export function endingOf(call: Pick<CallRow, 'state' | 'replay'>): CallState | 'replayed' {
  return call.replay === 'HIT' && call.state === 'finished' ? 'replayed' : call.state;
}

/**
 * The lane that reached the client, or null. A finished or truncated attempt always did; an aborted
 * one only if bytes of it were flushed: a client may leave while the answer is still held.
 */
function committingLane(call: TimelineCall): number | null {
  const index = call.attempts.findLastIndex(
    (attempt) => attempt.state === 'finished' || attempt.state === 'truncated' || (attempt.state === 'aborted' && attempt.bytes > 0),
  );
  return index === -1 ? null : index;
}

/**
 * A stream commits with its first content. A JSON answer, and a stream under `complete`, commits
 * when the whole answer has been read.
 */
function commitMoment(call: TimelineCall, attempt: AttemptRow): number {
  const end = attempt.started_ms + attempt.duration_ms;
  if (!isLive(call) || attempt.first_content_ms === null) return end;
  return Math.min(end, attempt.started_ms + attempt.first_content_ms);
}

/** Does content leave while the provider still writes? */
const isLive = (call: Pick<TimelineCall, 'stream' | 'commit'>): boolean => call.stream === true && call.commit === 'first_content';

function laneFor(attempts: readonly AttemptRow[], index: number, commitMs: number | null, at: (ms: number) => number): Lane {
  const attempt = attempts[index]!;
  const startMs = attempt.started_ms;
  const endMs = startMs + attempt.duration_ms;
  return {
    tier: attempt.tier,
    retry: attempts.slice(0, index).some((earlier) => isSameTarget(earlier, attempt) && earlier.state !== 'skipped'),
    connection: attempt.connection,
    model: attempt.model,
    state: attempt.state,
    skipReason: attempt.skip_reason,
    segments: attempt.state === 'skipped' ? [] : segmentsOf(attempt, endMs, commitMs, at),
    start: { ms: startMs, x: at(startMs) },
    end: { ms: endMs, x: at(endMs) },
  };
}

/** An eco tier has several candidates: its number alone does not tell who was asked. */
export function isSameTarget(a: Target, b: Target): boolean {
  return a.tier === b.tier && a.connection === b.connection && a.model === b.model;
}

type Target = Pick<AttemptRow, 'tier' | 'connection' | 'model'>;

function segmentsOf(attempt: AttemptRow, endMs: number, commitMs: number | null, at: (ms: number) => number): Segment[] {
  const startMs = attempt.started_ms;
  const headersMs = attempt.headers_ms === null ? (commitMs ?? endMs) : clamp(startMs + attempt.headers_ms, startMs, endMs);
  const heldUntilMs = attempt.headers_ms === null ? headersMs : clamp(commitMs ?? endMs, headersMs, endMs);
  const spans: Span[] = [
    ['connecting', startMs, headersMs],
    ...(refused(attempt) ? [] : ([['held', headersMs, heldUntilMs]] satisfies Span[])),
    ['committed', heldUntilMs, endMs],
  ];
  return spans
    .filter(([kind, from, to]) => to > from || (kind === 'committed' && commitMs !== null))
    .map(([kind, fromMs, toMs]) => ({ kind, fromMs, toMs, x: at(fromMs), width: at(toMs) - at(fromMs) }));
}

type Span = [kind: Segment['kind'], fromMs: number, toMs: number];

/**
 * Only what follows 2xx headers is held. A row does not tell a refused request from an error inside a stream
 * before its content: both are drawn up to their headers, and no more is claimed.
 */
const refused = (attempt: AttemptRow): boolean => attempt.state === 'failed' && attempt.upstream_status !== null && (attempt.upstream_status < 200 || attempt.upstream_status > 299);

function flushedCurve(
  totalBytes: number,
  live: boolean,
  endMs: number,
  commitMs: number | null,
  samples: readonly FlushSample[],
  at: (ms: number) => number,
): FlushedCurve {
  const point = (ms: number, bytes: number) => ({ ms, x: at(ms), bytes, y: totalBytes === 0 ? 0 : clamp(bytes / totalBytes) });
  if (samples.length > 0) {
    const steps = samples.flatMap((sample, index) => [point(sample.ms, samples[index - 1]?.bytes ?? 0), point(sample.ms, sample.bytes)]);
    return { points: [point(0, 0), ...steps, point(endMs, totalBytes)], totalBytes, sampled: true };
  }
  const streamed = live && commitMs !== null && commitMs < endMs;
  // Without a stream in the open, everything leaves in one write at the end: that step is known.
  if (!streamed) return { points: [point(0, 0), point(endMs, 0), point(endMs, totalBytes)], totalBytes, sampled: true };
  return { points: [point(0, 0), point(commitMs, 0), point(endMs, totalBytes)], totalBytes, sampled: false };
}

function axisLength(call: TimelineCall, samples: readonly FlushSample[]): number {
  const ends = call.attempts.map((attempt) => attempt.started_ms + attempt.duration_ms);
  return Math.max(1, call.duration_ms ?? 0, ...ends, ...samples.map((sample) => sample.ms));
}

/** Round moments, three to six of them, the first 0, none so near the end that labels would touch. */
export function ticksFor(totalMs: number): number[] {
  const rough = totalMs / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= rough) ?? rough;
  const ticks: number[] = [];
  for (let index = 0; index * step <= totalMs * 0.94; index++) ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
}

function clamp(value: number, from = 0, to = 1): number {
  return Math.min(to, Math.max(from, value));
}
