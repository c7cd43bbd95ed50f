/**
 * Bytes of an unfinished line, copied together: views would keep whole reads alive. A line of the usual length
 * fits the one small block that each reader keeps; a long one goes on in blocks that all readers share.
 */
export class Pieces {
  /** Held now. */
  bytes = 0;
  private small: Buffer | null = null;
  private large: Buffer[] = NONE;
  private filled = 0; // of the last block

  add(piece: Buffer): void {
    this.bytes += piece.length;
    let at = 0;
    while (at < piece.length) {
      const copied = piece.copy(this.blockWithRoom(), this.filled, at);
      this.filled += copied;
      at += copied;
    }
  }

  /** Everything held and `last`, as one; nothing is held afterwards. */
  take(last: Buffer): Buffer {
    const { bytes, small, large } = this;
    const joined = Buffer.allocUnsafe(bytes + last.length);
    let at = 0;
    for (const block of small === null ? large : [small, ...large]) at += block.copy(joined, at, 0, Math.min(block.length, bytes - at));
    last.copy(joined, bytes);
    this.clear();
    return joined;
  }

  clear(): void {
    spare.push(...this.large);
    this.large = NONE;
    this.filled = 0;
    this.bytes = 0;
  }

  private blockWithRoom(): Buffer {
    const last = this.large.at(-1) ?? (this.small ??= Buffer.allocUnsafeSlow(SMALL_BYTES));
    if (this.filled < last.length) return last;
    this.filled = 0;
    const next = largeBlock();
    this.large = [...this.large, next];
    return next;
  }
}

const NONE: Buffer[] = [];
const SMALL_BYTES = 4 * 1024;
const LARGE_BYTES = 64 * 1024;
const SLAB_BYTES = 1024 * 1024;

/**
 * Blocks for long lines, cut from slabs and used again by whoever comes next. Left to the collector they would be
 * given back late and in pieces: a flood of long lines would cost the process twice what it holds.
 */
const spare: Buffer[] = [];

function largeBlock(): Buffer {
  if (spare.length === 0) {
    const slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    for (let at = 0; at < SLAB_BYTES; at += LARGE_BYTES) spare.push(slab.subarray(at, at + LARGE_BYTES));
  }
  return spare.pop()!;
}
