/**
 * Bytes of an unfinished line, copied together: views would keep whole reads alive. A line of the usual length
 * fits the one small block that each reader keeps; a long one goes on in blocks that all readers share.
 */
export function createPieces() {
  const small = { block: null as Buffer | null };
  let large: Buffer[] = [];
  let filled = 0; // of the last block
  const held = { bytes: 0, add, take, clear };

  function add(piece: Buffer): void {
    held.bytes += piece.length;
    let at = 0;
    while (at < piece.length) {
      const copied = piece.copy(blockWithRoom(), filled, at);
      filled += copied;
      at += copied;
    }
  }

  function blockWithRoom(): Buffer {
    const last = large.at(-1) ?? (small.block ??= Buffer.allocUnsafeSlow(SMALL_BYTES));
    if (filled < last.length) return last;
    filled = 0;
    const next = largeBlock();
    large.push(next);
    return next;
  }

  /** Everything held and `last`, as one; nothing is held afterwards. */
  function take(last: Buffer): Buffer {
    const bytes = held.bytes;
    const joined = Buffer.allocUnsafe(bytes + last.length);
    let at = 0;
    for (const block of small.block === null ? large : [small.block, ...large]) at += block.copy(joined, at, 0, Math.min(block.length, bytes - at));
    last.copy(joined, bytes);
    clear();
    return joined;
  }

  function clear(): void {
    spare.push(...large);
    large = [];
    filled = 0;
    held.bytes = 0;
  }

  return held;
}

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
