import { Refusal } from '../std';

/** The edit was made on what is there now. Throws Refusal('stale'). */
export function requireRevision(current: number, read: number): void {
  if (current === read) return;
  throw new Refusal('stale', `Somebody edited this in the meantime: it is at revision ${current}, the edit was made on ${read}. Read it again.`);
}
