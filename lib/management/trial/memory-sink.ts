import type { Sink } from '../../gateway/ports';

export interface MemorySink extends Sink {
  status(): number | null;
  /** Everything that was written, at most `limit` bytes of it. */
  text(): string;
  /** The client is gone, as the engine sees it. */
  leave(): void;
}

/** A client that lives in this process: takes an answer as fast as it comes and keeps its beginning. */
export function memorySink(limit: number): MemorySink {
  const chunks: Buffer[] = [];
  let kept = 0;
  let status: number | null = null;
  let closed = false;
  let ended = false;
  let onClose: () => void = () => undefined;
  const keep = (chunk: string | Buffer): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (kept < limit) chunks.push(bytes.subarray(0, limit - kept));
    kept = Math.min(limit, kept + bytes.length);
  };
  return {
    head(given) {
      status = given;
    },
    write(chunk) {
      keep(chunk);
      return true;
    },
    end(last) {
      if (last !== undefined) keep(last);
      ended = true;
    },
    onDrain: () => undefined,
    onClose(listener) {
      onClose = listener;
    },
    get closed() {
      return closed;
    },
    owner: '',
    status: () => status,
    text: () => Buffer.concat(chunks).toString('utf8'),
    leave() {
      if (ended || closed) return;
      closed = true;
      onClose();
    },
  };
}
