import { Refusal } from '../std';

/** The change was made on what is there now; null: whoever makes it does not mind. Throws Refusal('stale'). */
export function requireRevision(current: number, read: number | null): void {
  if (read === null || current === read) return;
  throw new Refusal('stale', `Somebody edited this in the meantime: it is at revision ${current}, the edit was made on ${read}. Read it again.`);
}
