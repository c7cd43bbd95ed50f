import type { Clock } from '../../std';
import type { Bounds } from './bounds';
import { isEnding, type Phase } from './machine';

export type Due = 'silence' | 'deadline' | 'bridge';

/** The clocks of one attempt on one timer: it is moved only when something is due earlier, so a busy stream costs no timer calls. */
export interface AttemptClock {
  readonly paused: boolean;
  start(): void;
  /** A byte came from the upstream. */
  touch(): void;
  /** Bytes went to the client. */
  sent(): void;
  phaseChanged(): void;
  /** The client takes nothing: the idle clock stands still. How long that may last is the sink's to say. */
  pause(): void;
  resume(): void;
  /** The attempt is over; `then` runs after the closing time unless `stop` comes first. */
  linger(then: () => void): void;
  stop(): void;
}

export interface AttemptClockOptions {
  bounds: Bounds;
  startedAt: number;
  budgetMs: number;
  idleMs: number;
  deadlineAt: number;
  phase(): Phase;
  onDue(due: Due): void;
}

export function createAttemptClock(clock: Clock, options: AttemptClockOptions): AttemptClock {
  const { bounds, startedAt, budgetMs, idleMs, deadlineAt, phase, onDue } = options;
  let timer: NodeJS.Timeout | null = null;
  let timerAt = Number.POSITIVE_INFINITY;
  let lastByteAt = startedAt;
  let lastSentAt = startedAt;
  let phaseAt = startedAt;
  let paused = false;

  /** What is due first in this phase, and when (monotonic ms); nothing while a slow client holds the answer back. */
  const next = (): { due: Due; at: number } | null => {
    const now = phase();
    if (now === 'committed' || now === 'closing') {
      if (paused) return null;
      if (now === 'closing') return { due: 'silence', at: phaseAt + bounds.closingMs };
      const idle = lastByteAt + idleMs;
      const bridge = Math.max(lastSentAt, phaseAt) + bounds.bridgeMs;
      return idle <= bridge ? { due: 'silence', at: idle } : { due: 'bridge', at: bridge };
    }
    const silence = now === 'holding' ? lastByteAt + idleMs : now === 'sealed' ? phaseAt + bounds.closingMs : startedAt + budgetMs;
    return silence <= deadlineAt ? { due: 'silence', at: silence } : { due: 'deadline', at: deadlineAt };
  };

  const arm = (): void => {
    const due = next();
    if (due === null) return;
    const { at } = due;
    if (timer !== null && timerAt <= at) return; // fires early, finds nothing due, and is armed again
    if (timer !== null) clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(fire, Math.max(1, Math.ceil(at - clock.monotonic())));
  };

  const fire = (): void => {
    timer = null;
    timerAt = Number.POSITIVE_INFINITY;
    const due = next();
    if (due === null || clock.monotonic() < due.at) return arm();
    onDue(due.due);
    if (timer === null && !isEnding(phase())) arm();
  };

  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };

  return {
    get paused() {
      return paused;
    },
    start: arm,
    touch: () => {
      lastByteAt = clock.monotonic();
    },
    sent: () => {
      lastSentAt = clock.monotonic();
    },
    phaseChanged: () => {
      phaseAt = clock.monotonic();
      arm();
    },
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      lastByteAt = clock.monotonic();
      lastSentAt = lastByteAt;
      arm();
    },
    linger: (then) => {
      stop();
      timer = setTimeout(then, bounds.closingMs);
      timer.unref();
    },
    stop,
  };
}
