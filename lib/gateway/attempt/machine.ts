/**
 * The life of one attempt, as a pure table: what each input means in each phase.
 * Every attempt runs through it, first tier or last, streamed or not.
 *
 * Everything that decides what a client may see lives here. The shell (run-attempt.ts) reads sockets and
 * clocks, turns them into inputs, and performs the effects in the order given. It decides nothing.
 *
 *   connecting -> preamble -> committed -> closing -> finished
 *       \            \  \          \----------\----> truncated
 *        \            \  \-> holding -> sealed (commit policy `complete`, and an answer that is whole at once)
 *         \------------\--------\---------\--------> failed
 *   any phase -> aborted
 *
 * `closing` and `sealed` wait, at most two seconds, for what comes after the last finish_reason: a terminator,
 * an end, a reset or silence make a whole answer; an error object does not.
 */
export type Phase =
  | 'connecting'
  | 'preamble'
  | 'holding'
  | 'sealed'
  | 'committed'
  | 'closing'
  | Ending;

export type Ending = 'finished' | 'truncated' | 'failed' | 'aborted';

export type Input =
  | 'opened' // 2xx of the right kind
  | 'refused' // an answer that is no stream: an error status, HTML, a JSON error
  | 'preamble' // a frame without content
  | 'content' // a frame with content, some choice still open
  | 'finish' // a frame after which every choice that began has its finish_reason
  | 'whole' // a non-streamed body, read to its end and valid
  | 'malformed' // a frame that is not JSON, or a whole body that is no answer
  | 'error' // an error object in the stream or in a whole body
  | 'terminator' // [DONE]
  | 'end' // the body ended cleanly
  | 'cut' // the connection broke
  | 'silence' // the phase's own clock ran out
  | 'deadline' // the route's deadline; covers everything up to the commit
  | 'overflow' // a bound on size was exceeded
  | 'spill' // a held answer outgrew what may be held
  | 'client_left'
  | 'drain'; // the process must go

export type Effect =
  | 'hold' // keep the frame; nothing reaches the client
  | 'commit' // status, headers and everything held go to the client
  | 'send' // the frame goes to the client
  | 'stash' // keep the frame until the ending is known
  | 'unstash' // what was stashed goes to the client
  | 'drop' // the frame is dropped and counted
  | 'finish' // close the answer: what is stashed, usage, terminator, end
  | 'truncate' // close the answer with an error frame and no terminator
  | 'fail' // report why; nothing reached the client
  | 'hang_up'; // close the upstream socket

export interface Step {
  phase: Phase;
  effects: readonly Effect[];
}

export interface Rules {
  /** Commit policy `complete`: content is held until the answer is whole. */
  complete: boolean;
  /** A malformed frame was dropped before; a second one truncates. */
  malformedBefore: boolean;
}

/** What `input` means in `phase`. Throws for a pair that cannot happen: an error in our own code, never an upstream's fault. */
export function transition(phase: Phase, input: Input, rules: Rules): Step {
  const cell = TABLE[phase][input];
  if (cell === undefined) throw new Error(`attempt machine: ${input} in ${phase}`);
  return 'phase' in cell ? cell : cell(rules);
}

/** Phases in which no byte has reached the client: failover is legal. */
export const isUncommitted = (phase: Phase): boolean =>
  phase === 'connecting' || phase === 'preamble' || phase === 'holding' || phase === 'sealed';

export const isEnding = (phase: Phase): phase is Ending =>
  phase === 'finished' || phase === 'truncated' || phase === 'failed' || phase === 'aborted';

type Cell = Step | ((rules: Rules) => Step);
type Row = Partial<Record<Input, Cell>>;

const step = (phase: Phase, ...effects: Effect[]): Step => ({ phase, effects });

const FAILED = step('failed', 'hang_up', 'fail');
const TRUNCATED = step('truncated', 'hang_up', 'truncate');
const ABORTED = step('aborted', 'hang_up');
const CLOSED = step('finished', 'hang_up', 'finish');
const RELEASED = step('finished', 'hang_up', 'commit', 'finish');

/** Before the commit every fault fails the attempt: the client has received nothing. */
const UNCOMMITTED: Row = {
  cut: FAILED,
  silence: FAILED,
  deadline: FAILED,
  overflow: FAILED,
  drain: FAILED,
  client_left: ABORTED,
};

/** Faults of an opened body before the commit. */
const UNCOMMITTED_BODY: Row = {
  ...UNCOMMITTED,
  malformed: FAILED,
  error: FAILED,
  terminator: FAILED,
  end: FAILED,
};

const byPolicy =
  (firstContent: Step, complete: Step): Cell =>
  (rules) =>
    rules.complete ? complete : firstContent;

const dropOnce =
  (phase: Phase): Cell =>
  (rules) =>
    rules.malformedBefore ? TRUNCATED : DROPPED[phase]!;

const DROPPED: Partial<Record<Phase, Step>> = {
  committed: step('committed', 'drop'),
  closing: step('closing', 'drop'),
};

const NOTHING: Row = {};

const TABLE: Record<Phase, Row> = {
  connecting: {
    ...UNCOMMITTED,
    opened: step('preamble'),
    refused: FAILED,
  },
  preamble: {
    ...UNCOMMITTED_BODY,
    preamble: step('preamble', 'hold'),
    content: byPolicy(step('committed', 'commit', 'send'), step('holding', 'hold')),
    finish: step('sealed', 'hold'), // whole in its first content: nothing is sent before it is known how it ends
    whole: step('finished', 'hang_up', 'commit', 'finish'),
  },
  holding: {
    ...UNCOMMITTED_BODY,
    preamble: step('holding', 'hold'),
    content: step('holding', 'hold'),
    finish: step('sealed', 'hold'),
    spill: step('committed', 'commit'),
  },
  sealed: {
    ...UNCOMMITTED_BODY,
    preamble: step('sealed', 'hold'),
    content: byPolicy(step('committed', 'commit', 'send'), step('holding', 'hold')),
    finish: step('sealed', 'hold'),
    spill: step('sealed'), // the answer is whole: it leaves within two seconds
    terminator: RELEASED,
    end: RELEASED,
    cut: RELEASED,
    silence: RELEASED,
    deadline: RELEASED,
    drain: RELEASED,
  },
  committed: {
    preamble: step('committed', 'send'),
    content: step('committed', 'send'),
    finish: step('closing', 'stash'),
    malformed: dropOnce('committed'),
    error: TRUNCATED,
    terminator: TRUNCATED,
    end: TRUNCATED,
    cut: TRUNCATED,
    silence: TRUNCATED,
    overflow: TRUNCATED,
    drain: TRUNCATED,
    client_left: ABORTED,
  },
  closing: {
    preamble: step('closing', 'stash'),
    content: step('committed', 'unstash', 'send'),
    finish: step('closing', 'stash'),
    malformed: dropOnce('closing'),
    error: TRUNCATED,
    terminator: CLOSED,
    end: CLOSED,
    cut: CLOSED,
    silence: CLOSED,
    overflow: CLOSED,
    drain: CLOSED,
    client_left: ABORTED,
  },
  finished: NOTHING,
  truncated: NOTHING,
  failed: NOTHING,
  aborted: NOTHING,
};
