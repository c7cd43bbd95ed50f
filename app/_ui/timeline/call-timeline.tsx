import { useId } from 'react';
import { describeAttempt, describeCall, inBytes, laneName, skipWords, wordsOfFailure, type DescribedCall } from './describe';
import { formatDuration } from '../figures';
import { STATES } from '../state';
import { IconAt } from './icon-at';
import { layoutCall, type FlushSample, type FlushedCurve, type Lane, type Segment, type TimelineLayout } from './layout';
import styles from './timeline.module.css';

export type DrawnCall = DescribedCall;

const TOP = 22;
const LANE = 36;
/** Height of a lane's words, above its bar. */
const LABEL = 16;
const BAR = 12;
const CURVE = 40;
const AXIS = 22;
/** Fraction of the axis within which a mark right of an attempt's end would reach past the commit or the axis, on a narrow screen. */
const CLOSE = 0.08;
/** Fraction of the axis from which on the count of bytes at its end would reach back over the commit, on a narrow screen. */
const LATE = 0.68;

/**
 * The picture of one call: time to the right, a lane for each attempt, what was held hatched, the
 * commit as a line through everything, the bytes that left below it, the ending's shape at the
 * right. Renders on the server, scales with its container without scripts, and carries its own
 * sentence; `table` adds the same facts as a table for those who would rather read them.
 */
export function CallTimeline({
  call,
  samples,
  caption = true,
  table = false,
}: {
  call: DrawnCall;
  /** Measured bytes over time, when someone watched the call. The ledger keeps the total only. */
  samples?: readonly FlushSample[];
  caption?: boolean;
  table?: boolean;
}) {
  const id = useId();
  const layout = layoutCall(call, samples);
  const lanesEnd = TOP + layout.lanes.length * LANE;
  const curveEnd = layout.flushed === null ? lanesEnd + 8 : lanesEnd + CURVE;
  const sentence = describeCall(call);
  return (
    <figure className={styles.figure}>
      <div className={styles.canvas}>
        <svg className={styles.svg} height={curveEnd + AXIS} role="img" aria-label={`Timeline of a call. ${sentence}`}>
          <defs>
            <HeldPattern id={`${id}held`} />
            <SkippedPattern id={`${id}skipped`} />
          </defs>
          <Axis layout={layout} top={TOP} bottom={curveEnd} />
          {layout.commit === null ? null : <CommitMarker commit={layout.commit} labels={layout.lanes.map((lane, index) => labelWidths(lane, outcomeOf(call, index)))} bottom={curveEnd} trial={call.trial !== undefined} />}
          {layout.lanes.map((lane, index) => (
            <LaneDrawing key={index} lane={lane} top={TOP + index * LANE} id={id} commitX={layout.commit?.x ?? 1} outcome={outcomeOf(call, index)} title={describeAttempt(call, index)} />
          ))}
          {layout.flushed === null ? null : <Curve curve={layout.flushed} top={lanesEnd + 8} bottom={curveEnd} commitX={layout.commit?.x ?? 0} />}
          <IconAt state={layout.ending.state} x={percent(layout.ending.x)} dx={14} y={endingHeight(layout, lanesEnd, curveEnd)} size={16} />
        </svg>
      </div>
      {caption ? <figcaption className={styles.caption}>{sentence}</figcaption> : null}
      {table ? <TimelineTable call={call} layout={layout} /> : null}
    </figure>
  );
}

/** One line high, for rows of a list: the attempts follow each other, as they did. */
export function CompactTimeline({ call }: { call: DrawnCall }) {
  const id = useId();
  const { lanes, commit, ending } = layoutCall(call);
  return (
    <span className={styles.compact}>
      <svg className={styles.svg} height={16} role="img" aria-label={describeCall(call)}>
        <defs>
          <HeldPattern id={`${id}held`} />
        </defs>
        <line className={styles.grid} x1="0%" x2="100%" y1={8} y2={8} />
        {lanes.flatMap((lane, index) => lane.segments.map((segment) => <Bar key={`${index}${segment.kind}`} segment={segment} y={4} height={8} id={id} />))}
        {lanes.map((lane, index) =>
          lane.state === 'failed' || lane.state === 'skipped' ? <IconAt key={index} state={lane.state} x={percent(Math.min(lane.end.x, commit?.x ?? 1))} dx={(commit?.x ?? 2) - lane.end.x < CLOSE ? -6 : 0} y={8} size={9} /> : null,
        )}
        {commit === null ? null : <line x1={percent(commit.x)} x2={percent(commit.x)} y1={0} y2={16} stroke={STATES.committed.color} strokeWidth={2} />}
        <IconAt state={ending.state} x="100%" dx={11} y={8} />
      </svg>
    </span>
  );
}

function LaneDrawing({ lane, top, id, commitX, outcome, title }: { lane: Lane; top: number; id: string; commitX: number; outcome: string; title: string }) {
  const barTop = top + 18;
  return (
    <g>
      <title>{title}</title>
      <text className={styles.label} x={0} y={top + 12}>
        <tspan className={styles.number}>{lane.tier}</tspan>
        <tspan dx={8} className={styles.mono}>{lane.model}</tspan>
        <tspan dx={6} className={styles.note}>{lane.retry ? `${lane.connection}, asked again` : lane.connection}</tspan>
      </text>
      <text className={styles.laneOutcome} x="100%" y={top + 12}>{outcome}</text>
      <line className={styles.grid} x1="0%" x2="100%" y1={barTop + BAR / 2} y2={barTop + BAR / 2} />
      {lane.state === 'skipped' ? (
        <rect x={0} width="100%" y={barTop + 2} height={BAR - 4} fill={`url(#${id}skipped)`} />
      ) : (
        lane.segments.map((segment) => <Bar key={segment.kind} segment={segment} y={barTop} height={BAR} id={id} />)
      )}
      {lane.state === 'failed' || lane.state === 'skipped' ? <IconAt state={lane.state} x={percent(Math.min(lane.end.x, commitX))} dx={commitX - lane.end.x < CLOSE ? -9 : 9} y={barTop + BAR / 2} /> : null}
    </g>
  );
}

function Bar({ segment, y, height, id }: { segment: Segment; y: number; height: number; id: string }) {
  const place = { x: percent(segment.x), width: percent(segment.width), style: { width: `max(2px, ${percent(segment.width)})` }, className: styles.segment };
  if (segment.kind === 'connecting') return <rect {...place} y={y + height / 2 - 2} height={4} fill={STATES.connecting.color} />;
  if (segment.kind === 'held') {
    return (
      <>
        <rect {...place} y={y} height={height} fill={`url(#${id}held)`} />
        <rect {...place} y={y + 0.5} height={height - 1} fill="none" stroke={STATES.preamble.color} />
      </>
    );
  }
  return <rect {...place} y={y} height={height} fill={STATES.committed.color} />;
}

function CommitMarker({ commit, labels, bottom, trial }: { commit: NonNullable<TimelineLayout['commit']>; labels: LabelWidths[]; bottom: number; trial: boolean }) {
  const late = commit.x > 0.6;
  const line = { x1: percent(commit.x), x2: percent(commit.x), stroke: STATES.committed.color, strokeWidth: 2 };
  const lanes = labels.map((widths, index) => ({ top: TOP + index * LANE, beside: besideLabels(commit.x, widths) }));
  return (
    <g>
      <title>{`Commit: ${trial ? 'the first byte of an answer would leave' : 'the first byte of an answer left'} for the client after ${formatDuration(commit.ms)}. From here no other tier is asked.`}</title>
      <line {...line} y1={2} y2={TOP} />
      {/* Where labels may reach this far, the line makes way for them. */}
      {lanes.map(({ top, beside }) => (beside === null ? null : <line key={top} {...line} className={beside} y1={top} y2={top + LABEL} />))}
      {lanes.map(({ top }) => <line key={top} {...line} y1={top + LABEL} y2={top + LANE} />)}
      <line {...line} y1={TOP + lanes.length * LANE} y2={bottom} />
      <text className={styles.commitLabel} x={percent(commit.x)} dx={late ? -6 : 6} y={12} textAnchor={late ? 'end' : 'start'}>
        {`committed ${formatDuration(commit.ms)}`}
      </text>
    </g>
  );
}

function Curve({ curve, top, bottom, commitX }: { curve: FlushedCurve; top: number; bottom: number; commitX: number }) {
  const height = bottom - top - 2;
  const y = (fraction: number) => bottom - 1 - fraction * height;
  return (
    <g>
      <title>
        {curve.sampled
          ? `${inBytes(curve.totalBytes)} flushed to the client.`
          : `${inBytes(curve.totalBytes)} flushed to the client. The record holds the beginning and the total; the dashed part between them was not sampled.`}
      </title>
      <text className={styles.note} x={0} y={top + 14}>
        flushed
      </text>
      {curve.points.slice(1).map((point, index) => {
        const from = curve.points[index]!;
        const guessed = !curve.sampled && point.bytes !== from.bytes;
        return (
          <line
            key={index}
            x1={percent(from.x)}
            x2={percent(point.x)}
            y1={y(from.y)}
            y2={y(point.y)}
            stroke={STATES.committed.color}
            strokeWidth={1.5}
            strokeLinecap="round"
            strokeDasharray={guessed ? '2 4' : undefined}
          />
        );
      })}
      {/* After a late commit there is no room for words: they stand before it. */}
      <text className={styles.number} x={commitX > LATE ? percent(commitX) : '100%'} dx={-8} y={bottom - 6} textAnchor="end">
        {inBytes(curve.totalBytes)}
      </text>
    </g>
  );
}

function Axis({ layout, top, bottom }: { layout: TimelineLayout; top: number; bottom: number }) {
  return (
    <g>
      {layout.ticks.map((tick) => (
        <g key={tick.ms}>
          <line className={styles.grid} x1={percent(tick.x)} x2={percent(tick.x)} y1={top} y2={bottom + 4} strokeDasharray="1 3" />
          <text className={styles.number} x={percent(tick.x)} y={bottom + 17} textAnchor={tick.x === 0 ? 'start' : 'middle'}>
            {tickWords(tick.ms)}
          </text>
        </g>
      ))}
      <line className={styles.grid} x1="0%" x2="100%" y1={bottom} y2={bottom} />
    </g>
  );
}

function TimelineTable({ call, layout }: { call: DrawnCall; layout: TimelineLayout }) {
  return (
    <div className={styles.tableWrap} tabIndex={0} role="group" aria-label="The timeline as a table">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">State</th>
            <th scope="col" className={styles.right}>From (ms)</th>
            <th scope="col" className={styles.right}>To (ms)</th>
            <th scope="col" className={styles.told}>What happened</th>
          </tr>
        </thead>
        <tbody>
          {layout.lanes.map((lane, index) => (
            <tr key={index}>
              <th scope="row">{laneName(lane)}</th>
              <td>{STATES[lane.state].word}</td>
              <td className={styles.right}>{Math.round(lane.start.ms)}</td>
              <td className={styles.right}>{lane.state === 'skipped' ? '' : Math.round(lane.end.ms)}</td>
              <td>{describeAttempt(call, index)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function outcomeOf(call: DrawnCall, index: number): string {
  const attempt = call.attempts[index]!;
  if (attempt.state === 'skipped') return `skipped: ${skipWords[attempt.skip_reason ?? 'degraded']}`;
  if (call.trial && call.trial.failTier === attempt.tier) return `${STATES[attempt.state].word}: made to fail by this test`;
  const status = attempt.upstream_status !== null && attempt.upstream_status >= 400 ? ` (${attempt.upstream_status})` : '';
  return attempt.class === null ? STATES[attempt.state].word : `${STATES[attempt.state].word}: ${wordsOfFailure(attempt.class, attempt.message)}${status}`;
}

interface LabelWidths {
  /** px, of the words at the lane's left and right end. */
  left: number;
  right: number;
}

function labelWidths(lane: Lane, outcome: string): LabelWidths {
  const note = lane.retry ? `${lane.connection}, asked again` : lane.connection;
  return { left: 30 + 7.4 * lane.model.length + 6.4 * note.length, right: 10 + 6.4 * outcome.length };
}

/** The class of the commit's line beside a lane's words: shown from that width on at which it clears them; null where none is sure. */
function besideLabels(x: number, { left, right }: LabelWidths): string | null {
  const clears = (width: number) => x * width > left && (1 - x) * width > right;
  return clears(500) ? styles.besideLabel! : clears(790) ? styles.besideLabelWide! : null;
}

/** Beside the bar that reached the client; else beside the bytes of the one error; else beside the attempt that was the last. */
function endingHeight({ commit, lanes, flushed, ending }: TimelineLayout, lanesEnd: number, curveEnd: number): number {
  if (commit !== null) return barHeight(commit.lane);
  if (flushed !== null && (ending.state === 'rejected' || lanes.length === 0)) return (lanesEnd + 8 + curveEnd) / 2;
  const last = lanes.findLastIndex((lane) => lane.state !== 'skipped');
  return last === -1 ? (TOP + curveEnd) / 2 : barHeight(last);
}

const barHeight = (lane: number): number => TOP + lane * LANE + 18 + BAR / 2;

function tickWords(ms: number): string {
  return ms === 0 ? '0' : ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toPrecision(3))} s`;
}

function HeldPattern({ id }: { id: string }) {
  return (
    <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line x1={0} x2={0} y1={0} y2={5} stroke={STATES.preamble.color} strokeWidth={2.5} />
    </pattern>
  );
}

function SkippedPattern({ id }: { id: string }) {
  return (
    <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line x1={0} x2={0} y1={0} y2={8} stroke={STATES.skipped.color} strokeWidth={1} opacity={0.5} />
    </pattern>
  );
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 1e4) / 100}%`;
}
