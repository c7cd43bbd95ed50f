import { Roster, type Rostered } from '../std';

/** A small body takes room only as it comes, and finds some where large ones have none: most calls are small. */
const SMALL_BYTES = 256 * 1024;
/** This part of the cap is for small bodies alone. */
const SMALL_PART = 1 / 8;

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

/** What one body has of the budget, and in which part. */
export interface Taken {
  readonly owner: string;
  bytes: number;
  part: Part | null;
}

/** Bytes of bodies that are in memory now or were promised, against one cap for the process. */
export interface BodyBudget {
  /** Room for so many bytes in all, in place of what the body has; where there is none, it keeps what it has. */
  take(body: Taken, bytes: number): Room;
  release(body: Taken): void;
  /** Ends this body when it makes no progress, until `arrived`. */
  awaits(body: ComingBody): void;
  /** It is whole, refused or cut off. */
  arrived(body: ComingBody): void;
}

/** What one body has of the budget, for whoever reads it. Its owner gives it back when the response is over, however it ends. */
export class BodyShare implements ComingBody, Taken {
  place = -1;
  came = 0;
  seen = 0;
  quietS = 0;
  ageS = 0;
  stalled = (): void => {};
  bytes = 0;
  part: Part | null = null;

  constructor(
    private readonly budget: BodyBudget,
    readonly owner: string,
  ) {}

  /** So many bytes are announced. Of a large body they are taken at once, so that who came first goes through. */
  announces(bytes: number): Room {
    return bytes > SMALL_BYTES ? this.reaches(bytes) : 'taken';
  }

  /** So many bytes in all are here. */
  reaches(bytes: number): Room {
    return bytes <= this.bytes ? 'taken' : this.budget.take(this, bytes);
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
    this.budget.release(this);
  }
}

export function bodyBudget(capBytes: number, tickMs = 1_000): BodyBudget {
  const small = part(capBytes * SMALL_PART);
  const large = part(capBytes - small.cap);
  const coming = new Roster<ComingBody>();
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
    take(body, bytes) {
      const { part: before, bytes: had } = body;
      giveBack(body);
      if (bytes <= SMALL_BYTES && small.room(body.owner, bytes) === 'taken') return takeFrom(small, body, bytes);
      // One body may be larger than a part, where it is alone.
      const room = small.held + large.held === 0 && bytes <= capBytes ? 'taken' : large.room(body.owner, bytes);
      if (room === 'taken') return takeFrom(large, body, bytes);
      if (before !== null) takeFrom(before, body, had);
      return room;
    },
    release: giveBack,
    awaits(body) {
      coming.add(body);
      if (clock !== null) return;
      clock = setInterval(tick, tickMs);
      clock.unref();
    },
    arrived: (body) => coming.delete(body),
  };
}

/** A part of the room, and who has how much of it. */
interface Part {
  readonly cap: number;
  held: number;
  readonly shares: Map<string, number>;
  /** Is there room for so many bytes more of this owner? */
  room(owner: string, bytes: number): Room;
}

/**
 * An owner (a workspace) holds no more than is left for all others: one alone has half, two have a third each, and so
 * on, so that there is always some for the next. (Dynamic thresholds: Choudhury and Hahne, 1998.) One body of everybody
 * goes beyond that.
 */
function part(cap: number): Part {
  const shares = new Map<string, number>();
  const self: Part = {
    cap,
    held: 0,
    shares,
    room(owner, bytes) {
      const own = shares.get(owner) ?? 0;
      if (self.held + bytes > cap) return 'full';
      return own > 0 && own + bytes > cap - self.held ? 'owner_full' : 'taken';
    },
  };
  return self;
}

function takeFrom(from: Part, body: Taken, bytes: number): 'taken' {
  from.held += bytes;
  from.shares.set(body.owner, (from.shares.get(body.owner) ?? 0) + bytes);
  body.part = from;
  body.bytes = bytes;
  return 'taken';
}

/** Does nothing the second time. */
function giveBack(body: Taken): void {
  const { part: from, owner, bytes } = body;
  if (from === null) return;
  from.held -= bytes;
  const own = from.shares.get(owner)! - bytes;
  if (own === 0) from.shares.delete(owner);
  else from.shares.set(owner, own);
  body.part = null;
  body.bytes = 0;
}
