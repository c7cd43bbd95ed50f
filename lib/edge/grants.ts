import { hash as digest } from 'node:crypto';
import type { Clock } from '../std';
import type { Later, Store } from '../stores';
import { isWellFormedToken } from '../tenancy/token';
import type { Grant, GrantBook } from './grant';

/** Grants as the edge sees them. */
export interface Grants {
  /** What the bearer of this token may have from here now; null: nothing, a control plane decides. Never rejects. */
  find(token: string): Later<Grant | null>;
  /** Should this one of its calls go to a control plane, so that the grant does not run out? Now and then true. */
  renews(grant: Grant): boolean;
}

/** How long an entry is used without a look at the store. What it adds to the promise of revocation. */
const KEPT_MS = 500;
/** The same where there was none. */
const ABSENT_MS = 100;
/** A grant that ends within this is worth a call to a control plane, at most so often. */
const RENEW_MS = 1_500;
const RENEW_EVERY_MS = 250;
const MAX_KEPT = 10_000;

interface Kept {
  grant: Grant | null;
  /** The entry that it was read from: the same again is the same grant, with all that was found out under it. */
  text: string | null;
  /** Monotonic. */
  until: number;
  reading: Promise<Grant | null> | null;
}

export function createGrants({ store, book, clock }: { store: Store; book: GrantBook; clock: Clock }): Grants {
  const kept = new Map<string, Kept>();
  const renewed = new WeakMap<Grant, number>();

  const read = (token: string, hash: string, entry: Kept | undefined): Promise<Grant | null> => {
    const name = book.nameOf(token);
    const reading = Promise.resolve(store.get(name)).then(
      (text) => {
        const grant = text !== null && text === entry?.text ? entry.grant : book.open(name, text, clock.now());
        keep(hash, { grant, text, until: clock.monotonic() + (grant === null ? ABSENT_MS : KEPT_MS), reading: null });
        return grant !== null && grant.untilMs > clock.now() ? grant : null;
      },
      () => {
        keep(hash, { grant: null, text: null, until: clock.monotonic() + ABSENT_MS, reading: null });
        return null; // a store that does not answer grants nothing
      },
    );
    if (entry === undefined) keep(hash, { grant: null, text: null, until: -Infinity, reading });
    else entry.reading = reading;
    return reading;
  };

  const keep = (hash: string, entry: Kept): void => {
    kept.set(hash, entry);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  };

  return {
    find(token) {
      const hash = digest('sha256', token, 'hex');
      const entry = kept.get(hash);
      if (entry !== undefined && clock.monotonic() < entry.until) return entry.grant !== null && entry.grant.untilMs > clock.now() ? entry.grant : null;
      if (entry?.reading) return entry.reading;
      if (!isWellFormedToken(token, 'sk')) return null;
      return read(token, hash, entry);
    },
    renews(grant) {
      if (grant.untilMs - clock.now() > RENEW_MS) return false;
      const now = clock.monotonic();
      if (now - (renewed.get(grant) ?? -Infinity) < RENEW_EVERY_MS) return false;
      renewed.set(grant, now);
      return true;
    },
  };
}
