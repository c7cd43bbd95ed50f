import type { Later, Store } from '../stores';
import { ADMIT, LOOK, RELEASE, RENEW } from './count-scripts';
import { type Bucket, standing, type Take } from './gcra';

/** Buckets and places of calls in flight. */
export interface Counters {
  /** Takes from every bucket and one of every place, or nothing where one of them refuses. Synchronous where the answer is at hand. */
  admit(asked: Asked): Later<Verdict>;
  /** The call is over: its places are free, and the tokens that it really used stand in place of the estimate. */
  release(asked: Asked, tokenDelta: number): void;
  /** How buckets and places stand, taking nothing. Rejects when the store that processes share does not answer in time. */
  look(asked: Pick<Asked, 'buckets' | 'places'>): Later<{ takes: Take[]; open: number[] }>;
  close(): void;
}

export interface Asked {
  buckets: AskedBucket[];
  places: { key: string; limit: number }[];
  /** Who holds the places: a number that no other call has. */
  member: number;
}

export interface AskedBucket extends Bucket {
  key: string;
  kind: 'requests' | 'tokens';
  units: number;
}

export interface Verdict {
  /** Same order as the buckets asked for. */
  takes: Take[];
  /** What refused: a bucket, or a place. */
  refused: { kind: 'requests' | 'tokens' | 'concurrent'; limit: number; retryMs: number } | null;
}

/** The places of a killed process come free after this long; a living one renews them. */
const LEASE_MS = 30_000;

/**
 * Counters over the store that processes share, and over one of this process's own while that is away: every process
 * then allows the whole of a rate. Rates may be lost with their store; money is elsewhere.
 */
export function createCounters(shared: Store, own: Pick<Store, 'run'>): Counters {
  /** Where each open call is counted. */
  const open = new Map<number, { store: Pick<Store, 'run'>; places: string[] }>();
  const renewal = setInterval(renew, LEASE_MS / 3);
  renewal.unref();

  function ask(store: Pick<Store, 'run'>, asked: Asked): Later<Verdict> {
    const { buckets, places, member } = asked;
    const args = [buckets.length, member, LEASE_MS];
    for (const { limit, windowMs, units } of buckets) args.push(limit, windowMs, units);
    for (const { limit } of places) args.push(limit);
    const replied = store.run(ADMIT, keysOf(asked), args);
    const done = (reply: number[]) => {
      if (reply[0] === 0 && places.length > 0) open.set(member, { store, places: places.map(({ key }) => key) });
      return verdictOf(asked, reply);
    };
    return replied instanceof Promise ? replied.then(done) : done(replied);
  }

  function renew(): void {
    for (const [member, { store, places }] of open) quietly(store.run(RENEW, places, [member, LEASE_MS]));
  }

  return {
    admit(asked) {
      if (!shared.up) return ask(own, asked);
      const answer = ask(shared, asked);
      return answer instanceof Promise ? answer.catch(() => ask(own, asked)) : answer;
    },
    release(asked, tokenDelta) {
      const { buckets, places, member } = asked;
      const store = open.get(member)?.store ?? shared;
      open.delete(member);
      const corrected = tokenDelta === 0 ? [] : buckets.filter(({ kind }) => kind === 'tokens');
      if (places.length + corrected.length === 0) return;
      const args = [corrected.length, member];
      for (const { limit, windowMs } of corrected) args.push(limit, windowMs, tokenDelta);
      quietly(store.run(RELEASE, keysOf({ buckets: corrected, places }), args));
    },
    look(asked) {
      const replied = (shared.up ? shared : own).run(LOOK, keysOf(asked), [asked.buckets.length]);
      const read = ([now, ...rest]: number[]) => ({
        takes: asked.buckets.map((bucket, at) => standing(bucket, rest[at]!, now!, bucket.units)),
        open: rest.slice(asked.buckets.length),
      });
      return replied instanceof Promise ? replied.then(read) : read(replied);
    },
    close: () => clearInterval(renewal),
  };
}

const keysOf = ({ buckets, places }: Pick<Asked, 'buckets' | 'places'>): string[] => [...buckets, ...places].map(({ key }) => key);

function verdictOf({ buckets, places }: Asked, [refused, now, ...fullAt]: number[]): Verdict {
  const takes = buckets.map((bucket, at) => standing(bucket, fullAt[at]!, now!, bucket.units));
  if (refused === 0) return { takes, refused: null };
  const bucket = buckets[refused! - 1];
  if (bucket !== undefined) return { takes, refused: { kind: bucket.kind, limit: bucket.limit, retryMs: takes[refused! - 1]!.retryMs } };
  return { takes, refused: { kind: 'concurrent', limit: places[refused! - 1 - buckets.length]!.limit, retryMs: 1_000 } };
}

/** Nobody waits for it: a lease that was not renewed ends, a token that was not corrected refills. */
function quietly(done: Later<unknown>): void {
  if (done instanceof Promise) done.catch(() => undefined);
}
