import { Roster, type Rostered } from '../std';

/** One holder of unsent bytes: an attempt with a preamble, a held answer, a whole body or a long line. */
export interface Holder extends Rostered {
  bytes: number;
  /** Who answers for them: a workspace. Empty while nobody is known. */
  readonly owner: string;
  /** The process holds too much, its owner most of it, and this is that owner's largest: let go. */
  overflow(): void;
}

/**
 * The process-wide bound on everything that is held and not yet sent (OHM_HELD_BYTES).
 * When it is exceeded whoever owns most of it loses the largest of theirs; the others go on. Not the largest of all:
 * many unread answers of one workspace would cut the one that another is reading.
 */
export interface HeldBytes {
  readonly total: number;
  /** Sets what `holder` holds now. May call `overflow` on holders, also on this one, before it returns. */
  set(holder: Holder, bytes: number): void;
  release(holder: Holder): void;
}

export function createHeldBytes(limit: number): HeldBytes {
  const holders = new Roster<Holder>();
  let total = 0;

  const set = (holder: Holder, bytes: number): void => {
    if (bytes === holder.bytes) return;
    total += bytes - holder.bytes;
    holder.bytes = bytes;
    if (bytes === 0) holders.delete(holder);
    else holders.add(holder);
    while (total > limit) {
      const next = nextToGo(holders.all());
      if (!next) return;
      set(next, 0);
      next.overflow();
    }
  };

  return {
    get total() {
      return total;
    },
    set,
    release: (holder) => set(holder, 0),
  };
}

/** Sums are made only here: no call pays for them while there is room. */
function nextToGo(holders: readonly Holder[]): Holder | null {
  const sums = new Map<string, number>();
  for (const { owner, bytes } of holders) sums.set(owner, (sums.get(owner) ?? 0) + bytes);
  let next: Holder | null = null;
  for (const holder of holders) if (next === null || goesBefore(holder, next, sums)) next = holder;
  return next;
}

function goesBefore(one: Holder, other: Holder, sums: ReadonlyMap<string, number>): boolean {
  if (one.owner === other.owner) return one.bytes > other.bytes;
  return sums.get(one.owner)! > sums.get(other.owner)!;
}
