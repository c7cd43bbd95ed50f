import type { Clock } from '../std';
import type { Cells, Store } from './store';

interface Text {
  value: string;
  untilMs: number;
  bytes: number;
}

/** About what a map entry and an object around a text take. */
const OVERHEAD_BYTES = 150;
/** Cells whose time is over are looked for once in so many new ones. */
const SWEEP_EVERY = 4_096;

/**
 * The store of one process: the embedded default. Answers at once. Texts are bounded in bytes, the longest unused
 * go first; cells have a time to live as their only bound, since a counter that was pushed out would let calls through.
 */
export function memoryStore(clock: Clock, maxBytes: number): Store {
  const texts = new Map<string, Text>();
  let bytes = 0;
  const { cells, sweep } = createCells(clock);

  const drop = (key: string, text: Text): void => {
    texts.delete(key);
    bytes -= text.bytes;
  };

  return {
    kind: 'memory',
    up: true,
    get(key) {
      const text = texts.get(key);
      if (text === undefined) return null;
      texts.delete(key); // and in again at the end: the first of the map is the longest unused
      if (clock.monotonic() >= text.untilMs) {
        bytes -= text.bytes;
        return null;
      }
      texts.set(key, text);
      return text.value;
    },
    set(key, value, ttlMs) {
      const old = texts.get(key);
      if (old !== undefined) drop(key, old);
      // Texts are ASCII in practice, one byte a character; counting two would halve what fits.
      const text = { value, untilMs: clock.monotonic() + ttlMs, bytes: key.length + value.length + OVERHEAD_BYTES };
      if (text.bytes > maxBytes) return;
      texts.set(key, text);
      bytes += text.bytes;
      for (const [oldest, other] of texts) {
        if (bytes <= maxBytes) return;
        drop(oldest, other);
      }
    },
    delete(keys) {
      for (const key of keys) {
        const text = texts.get(key);
        if (text !== undefined) drop(key, text);
      }
    },
    run(script, keys, args) {
      sweep();
      return script.local(cells, keys, args.map(Number), clock.monotonic());
    },
    ping: () => undefined,
    close: async () => {
      texts.clear();
      bytes = 0;
    },
  };
}

function createCells(clock: Clock): { cells: Cells; sweep(): void } {
  const kept = new Map<string, { value: number; untilMs: number }>();
  let sinceSweep = 0;

  const alive = (key: string) => {
    const cell = kept.get(key);
    return cell !== undefined && cell.untilMs > clock.monotonic() ? cell : null;
  };

  return {
    cells: {
      get: (key) => alive(key)?.value ?? null,
      ttlMs: (key) => {
        const cell = alive(key);
        return cell === null ? 0 : cell.untilMs - clock.monotonic();
      },
      set: (key, value, ttlMs) => {
        if (!kept.has(key)) sinceSweep++;
        kept.set(key, { value, untilMs: clock.monotonic() + ttlMs });
      },
    },
    sweep() {
      if (sinceSweep < SWEEP_EVERY) return;
      sinceSweep = 0;
      const now = clock.monotonic();
      for (const [key, { untilMs }] of kept) if (untilMs <= now) kept.delete(key);
    },
  };
}
