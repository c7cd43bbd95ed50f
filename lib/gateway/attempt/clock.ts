import type { Clock } from '../../std';
import type { Bounds } from './bounds';
import { isEnding, type Phase } from './machine';

export type Due = 'silence' | 'deadline' | 'bridge';

/** Whose clocks they are: the attempt itself, which is cheaper than an object and two closures for each. */
export interface Timed {
  /** Monotonic ms. */
  readonly startedAt: number;
  readonly phase: Phase;
  readonly plan: { readonly budgetMs: number; readonly idleMs: number; readonly deadlineAt: number };
  onDue(due: Due): void;
}

/**
 * The clocks of one attempt on one timer: it is moved only when something is due earlier, so a busy stream costs
 * no timer calls. A class, as every call and every held stream has one.
 */
export class AttemptClock {
  /** The client takes nothing: the idle clock stands still. How long that may last is the sink's to say. */
  paused = false;
  private timer: NodeJS.Timeout | null = null;
  private timerAt = Number.POSITIVE_INFINITY;
  private lastByteAt: number;
  private lastHeldAt: number;
  private lastSentAt: number;
  private phaseAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly bounds: Bounds,
    private readonly of: Timed,
  ) {
    this.lastByteAt = this.lastHeldAt = this.lastSentAt = this.phaseAt = of.startedAt;
  }

  start(): void {
    this.arm();
  }

  /** An event was held back by the commit policy `complete`: its idle clock runs between events, whatever else comes. */
  heldOne(): void {
    this.lastHeldAt = this.clock.monotonic();
  }

  /** A byte came from the upstream. */
  touch(): void {
    this.lastByteAt = this.clock.monotonic();
  }

  /** Bytes went to the client. */
  sent(): void {
    this.lastSentAt = this.clock.monotonic();
  }

  phaseChanged(): void {
    this.phaseAt = this.clock.monotonic();
    this.arm();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.lastByteAt = this.lastSentAt = this.clock.monotonic();
    this.arm();
  }

  /** The attempt is over; `then` runs after the closing time unless `stop` comes first. */
  linger(then: () => void): void {
    this.stop();
    this.timer = setTimeout(then, this.bounds.closingMs);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** What is due first in this phase, and when (monotonic ms); nothing while a slow client holds the answer back. */
  private next(): { due: Due; at: number } | null {
    const { bounds } = this;
    const { startedAt, phase: now } = this.of;
    const { budgetMs, idleMs, deadlineAt } = this.of.plan;
    if (now === 'committed' || now === 'closing') {
      if (this.paused) return null;
      if (now === 'closing') return { due: 'silence', at: this.phaseAt + bounds.closingMs };
      const idle = this.lastByteAt + idleMs;
      const bridge = Math.max(this.lastSentAt, this.phaseAt) + bounds.bridgeMs;
      return idle <= bridge ? { due: 'silence', at: idle } : { due: 'bridge', at: bridge };
    }
    const silence = now === 'holding' ? this.lastHeldAt + idleMs : now === 'sealed' ? this.phaseAt + bounds.closingMs : startedAt + budgetMs;
    return silence <= deadlineAt ? { due: 'silence', at: silence } : { due: 'deadline', at: deadlineAt };
  }

  private arm(): void {
    const due = this.next();
    if (due === null) return;
    const { at } = due;
    if (this.timer !== null && this.timerAt <= at) return; // fires early, finds nothing due, and is armed again
    if (this.timer !== null) clearTimeout(this.timer);
    this.timerAt = at;
    this.timer = setTimeout(fire, Math.max(1, Math.ceil(at - this.clock.monotonic())), this);
  }

  fire(): void {
    this.timer = null;
    this.timerAt = Number.POSITIVE_INFINITY;
    const due = this.next();
    if (due === null || this.clock.monotonic() < due.at) return this.arm();
    this.of.onDue(due.due);
    if (this.timer === null && !isEnding(this.of.phase)) this.arm();
  }
}

const fire = (clock: AttemptClock): void => clock.fire();
