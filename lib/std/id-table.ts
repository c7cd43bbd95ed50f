/**
 * Values by id, for ids that come and go thousands of times a second. It does what a Map does, without a Map's price
 * for that: V8 makes a new table whenever removed entries have filled the old one, and the old one points to the new
 * one. As soon as one table of that chain has grown old, all that was ever put in survives, and is copied about, until
 * the next full collection.
 */
export class IdTable<T> {
  private ids: (string | null)[];
  private values: (T | null)[];
  size = 0;

  constructor(private capacity = 256) {
    this.ids = new Array<string | null>(capacity).fill(null);
    this.values = new Array<T | null>(capacity).fill(null);
  }

  get(id: string): T | undefined {
    const at = this.find(id);
    return this.ids[at] === null ? undefined : this.values[at]!;
  }

  set(id: string, value: T): void {
    const at = this.find(id);
    this.values[at] = value;
    if (this.ids[at] !== null) return;
    this.ids[at] = id;
    if (++this.size * 2 > this.capacity) this.grow();
  }

  /** What was there. */
  take(id: string): T | undefined {
    let hole = this.find(id);
    if (this.ids[hole] === null) return undefined;
    const taken = this.values[hole]!;
    this.size--;
    // Entries behind the hole that were put past it move up, so that every search may stop at the first free place.
    for (let at = this.next(hole); this.ids[at] !== null; at = this.next(at)) {
      const home = hashOf(this.ids[at]!) & (this.capacity - 1);
      if (((at - home) & (this.capacity - 1)) < ((at - hole) & (this.capacity - 1))) continue;
      this.ids[hole] = this.ids[at]!;
      this.values[hole] = this.values[at]!;
      hole = at;
    }
    this.ids[hole] = null;
    this.values[hole] = null;
    return taken;
  }

  /** Where the id is, or the free place where it would be. */
  private find(id: string): number {
    let at = hashOf(id) & (this.capacity - 1);
    while (this.ids[at] !== null && this.ids[at] !== id) at = this.next(at);
    return at;
  }

  private next(at: number): number {
    return (at + 1) & (this.capacity - 1);
  }

  private grow(): void {
    const bigger = new IdTable<T>(this.capacity * 2);
    for (const [at, id] of this.ids.entries()) if (id !== null) bigger.set(id, this.values[at]!);
    this.ids = bigger.ids;
    this.values = bigger.values;
    this.capacity = bigger.capacity;
  }
}

/** Ids end in what is random about them; twelve characters of it are more than enough. */
const TAIL = 12;

/** FNV-1a. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = Math.max(0, id.length - TAIL); at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
