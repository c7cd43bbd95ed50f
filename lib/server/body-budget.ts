import { Roster, type Rostered } from '../std';

/** One owner (a workspace) may hold this part of the cap: nobody locks the others out. */
const OWNERS_PART = 1 / 2;

/** A body of which nothing comes for so many seconds is ended. */
const QUIET_S = 20;
/** What must come a second, on average since its beginning, of one that has been on its way for longer than that: 8 KiB. */
const LEAST_BYTES_A_S = 8 * 1024;

/** `owner_full`: the owner holds as much as one may, though there is room for others. */
export type Room = 'taken' | 'owner_full' | 'full';

/** A body on its way in. The budget keeps everything but `came`. */
export interface ComingBody extends Rostered {
  /** Bytes that are here. */
  came: number;
  /** The same when the budget last looked. */
  seen: number;
  quietS: number;
  ageS: number;
  /** It makes no progress. Called once; the body is not on the roster any more. */
  stalled(): void;
}

/** Bytes of bodies that are in memory now or were promised, against one cap for the process. */
export interface BodyBudget {
  take(bytes: number, owner: string): Room;
  /** What was taken, by whom it was taken. */
  release(bytes: number, owner: string): void;
  /** Ends this body when it makes no progress, until `arrived`. */
  awaits(body: ComingBody): void;
  /** It is whole, refused or cut off. */
  arrived(body: ComingBody): void;
}

/** What one body has of the budget, for whoever reads it. Its owner gives it back when the response is over, however it ends. */
export class BodyShare implements ComingBody {
  place = -1;
  came = 0;
  seen = 0;
  quietS = 0;
  ageS = 0;
  stalled = (): void => {};
  private taken = 0;

  constructor(
    private readonly budget: BodyBudget,
    readonly owner: string,
  ) {}

  /** So many bytes in all are announced, or are here. */
  reaches(bytes: number): Room {
    if (bytes <= this.taken) return 'taken';
    const room = this.budget.take(bytes - this.taken, this.owner);
    if (room === 'taken') this.taken = bytes;
    return room;
  }

  /** From now on it has to make progress; `stalled` is called once when it makes none. */
  awaits(stalled: () => void): void {
    this.stalled = stalled;
    this.budget.awaits(this);
  }

  arrived(): void {
    this.budget.arrived(this);
  }

  /** Does nothing the second time. */
  release(): void {
    this.budget.release(this.taken, this.owner);
    this.taken = 0;
  }
}

export function bodyBudget(capBytes: number, tickMs = 1_000): BodyBudget {
  const shares = new Map<string, number>();
  const coming = new Roster<ComingBody>();
  let held = 0;
  let clock: NodeJS.Timeout | null = null;

  /** Counts ticks and not time: where the process itself stood still, nobody was slow. */
  function tick(): void {
    for (const body of [...coming.all()]) {
      body.ageS++;
      body.quietS = body.came === body.seen ? body.quietS + 1 : 0;
      body.seen = body.came;
      if (body.quietS < QUIET_S && (body.ageS <= QUIET_S || body.came >= body.ageS * LEAST_BYTES_A_S)) continue;
      coming.delete(body);
      body.stalled();
    }
    if (coming.size > 0 || clock === null) return;
    clearInterval(clock);
    clock = null;
  }

  return {
    take(bytes, owner) {
      if (held + bytes > capBytes) return 'full';
      const own = shares.get(owner) ?? 0;
      // One body alone may be larger than the part.
      if (own > 0 && own + bytes > capBytes * OWNERS_PART) return 'owner_full';
      held += bytes;
      shares.set(owner, own + bytes);
      return 'taken';
    },
    release(bytes, owner) {
      if (bytes === 0) return;
      held -= bytes;
      const own = shares.get(owner)! - bytes;
      if (own === 0) shares.delete(owner);
      else shares.set(owner, own);
    },
    awaits(body) {
      coming.add(body);
      if (clock !== null) return;
      clock = setInterval(tick, tickMs);
      clock.unref();
    },
    arrived: (body) => coming.delete(body),
  };
}
