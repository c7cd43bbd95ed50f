/** What a page holds: about a hundred rows. */
export const PAGE_BYTES = 128 * 1024;

/** Pages that wait to be written again: four megabytes of them at the most. */
const SPARE_PAGES = 32;

/**
 * Memory outside of the heap in which lines lie until PostgreSQL has them, so that thousands of them can wait without
 * the garbage collector carrying each from place to place. Pages are written again and again: new ones all the time
 * would make it look through the whole heap every few seconds.
 */
export class Page {
  private lines = 0;
  private full = false;

  constructor(
    readonly bytes: Buffer,
    private readonly spare: Page[] | null,
  ) {}

  /** Somebody needs one more line of it. */
  hold(): void {
    this.lines++;
  }

  /** And does not any more. */
  letGo(): void {
    this.lines--;
    this.reuse();
  }

  /** Nothing is written behind its last line. */
  close(): void {
    this.full = true;
    this.reuse();
  }

  private reuse(): void {
    if (!this.full || this.lines > 0 || this.spare === null || this.spare.length >= SPARE_PAGES) return;
    this.full = false;
    this.spare.push(this);
  }
}

/** Pages for one writer. */
export class Pages {
  private readonly spare: Page[] = [];

  /** A clean page for a line of this many bytes. One for a longer line is not kept. */
  next(bytes: number): Page {
    if (bytes > PAGE_BYTES) return new Page(Buffer.allocUnsafeSlow(bytes), null);
    return this.spare.pop() ?? new Page(Buffer.allocUnsafeSlow(PAGE_BYTES), this.spare);
  }
}
