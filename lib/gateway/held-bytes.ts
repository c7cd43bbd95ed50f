import { Roster, type Rostered } from '../std';

/** One holder of unsent bytes: an attempt with a preamble, a held answer, a whole body or a long line. */
export interface Holder extends Rostered {
  bytes: number;
  /** The process holds too much and this is the largest holder: let go. */
  overflow(): void;
}

/**
 * The process-wide bound on everything that is held and not yet sent (OHM_HELD_BYTES).
 * When it is exceeded the largest holder's attempt fails; the others go on.
 */
export interface HeldBytes {
  readonly total: number;
  /** Sets what `holder` holds now. May call `overflow` on the largest holder, also on this one, before it returns. */
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
      const largest = largestOf(holders.all());
      if (!largest) return;
      set(largest, 0);
      largest.overflow();
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

function largestOf(holders: readonly Holder[]): Holder | null {
  let largest: Holder | null = null;
  for (const holder of holders) if (largest === null || holder.bytes > largest.bytes) largest = holder;
  return largest;
}
