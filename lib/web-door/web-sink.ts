import { CLIENT_STALL_MS, type Sink } from '../gateway/ports';

/** What a slow client may leave unread before `write` says so, bytes. */
const HIGH_WATER_BYTES = 64 * 1024;

/**
 * A Sink over a web Response. `response` resolves with the first write or the end, never before: nothing is sent
 * until the engine commits. What ends in the same turn as it began (a JSON body, an error) becomes a plain body.
 *
 * "Flushed" means here: taken by whoever reads the Response. The socket behind it is the host's.
 */
export function webSink(signal: AbortSignal, stallMs: number = CLIENT_STALL_MS): { sink: Sink; response: Promise<Response> } {
  let answer!: (response: Response) => void;
  const response = new Promise<Response>((resolve) => (answer = resolve));

  let head: ResponseInit = { status: 500 };
  let pending: Uint8Array[] | null = []; // until the Response exists
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let ended = false;
  let onDrain: (() => void) | null = null;
  let onClose: (() => void) | null = null;

  let stalled: NodeJS.Timeout | undefined;

  const leave = () => {
    clearTimeout(stalled);
    if (sink.closed || (ended && !isHolding(controller))) return;
    sink.closed = true;
    onClose?.();
    if (pending) answer(new Response(null, { status: 499 })); // nobody reads it, but the host awaits it
  };
  const begin = () => {
    const parts = pending ?? [];
    pending = null;
    if (sink.closed) return;
    if (ended) return answer(new Response(Buffer.concat(parts), head));
    const body = new ReadableStream<Uint8Array>(
      {
        start(own) {
          controller = own;
          for (const part of parts) own.enqueue(part);
        },
        pull: () => {
          clearTimeout(stalled);
          onDrain?.();
        },
        cancel: leave,
      },
      { highWaterMark: HIGH_WATER_BYTES, size: (part) => part?.byteLength ?? 0 },
    );
    answer(new Response(body, head));
  };

  const sink: Sink & { closed: boolean } = {
    owner: '', // what its host holds is not counted
    closed: signal.aborted, // no getter: an object literal with one gets a hidden class of its own each time
    head(status, headers) {
      head = { status, headers: new Headers(headers) }; // throws here for what no header can carry, where somebody can mend it
    },
    write(chunk) {
      if (sink.closed) return true;
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      if (pending) {
        if (pending.push(bytes) === 1) queueMicrotask(begin);
        return true;
      }
      controller!.enqueue(bytes);
      if (controller!.desiredSize! > 0) return true;
      clearTimeout(stalled);
      stalled = setTimeout(leave, stallMs);
      return false;
    },
    end(last) {
      if (sink.closed || ended) return;
      if (last !== undefined && last.length > 0) sink.write(last);
      ended = true;
      clearTimeout(stalled);
      if (pending) {
        if (pending.length === 0) queueMicrotask(begin);
      } else controller!.close();
    },
    onDrain(listener) {
      onDrain = listener;
    },
    onClose(listener) {
      onClose = listener;
      if (sink.closed) listener();
    },
  };
  if (!sink.closed) signal.addEventListener('abort', leave, { once: true });
  return { sink, response };
}

/** Is something still unread? A closed and emptied stream has no room left to ask for. */
function isHolding(controller: ReadableStreamDefaultController<Uint8Array> | null): boolean {
  return controller !== null && controller.desiredSize !== null && controller.desiredSize !== 0;
}
