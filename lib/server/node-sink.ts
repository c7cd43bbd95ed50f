import type { ServerResponse } from 'node:http';
import { CLIENT_STALL_MS, type Sink } from '../gateway/ports';

/**
 * A Sink straight over node's response. Node sends the head with the first write, in one packet, so `head`
 * only hands it over. `closing`: the server drains, so the connection is not kept for another request.
 *
 * A client that takes nothing for `stallMs` while bytes wait for it is cut off: node's own socket time-out, which a
 * write in progress renews, destroys the socket.
 */
export function nodeSink(response: ServerResponse, closing: () => boolean, stallMs: number = CLIENT_STALL_MS): Sink {
  let finished = false;
  const { socket } = response; // the response lets go of it when it finishes
  let onClose: (() => void) | null = null;
  let onDrain: (() => void) | null = null;

  response.once('close', () => {
    // 'close' also ends a response whose last byte has left. 'finish' alone cannot tell: node says it as well
    // once a broken socket has thrown away what it still held.
    if (finished && !socket?.errored) return;
    sink.closed = true;
    onClose?.();
  });
  response.on('drain', () => {
    socket?.setTimeout(0);
    onDrain?.();
  });
  response.on('error', ignore);

  let watching = false;
  const watchClient = () => {
    socket?.setTimeout(stallMs);
    if (watching) return;
    watching = true;
    // With an error, or it would look like an end of the client's own choice after everything was sent.
    response.on('timeout', () => socket?.destroy(new Error('the client takes nothing')));
  };

  const sink = {
    // Not a getter: an object literal with an accessor gets a hidden class of its own each time, in the old
    // generation, which keeps all that the accessor sees until the next full collection.
    closed: false,
    head(status: number, headers: Record<string, string>) {
      if (sink.closed) return;
      if (closing()) response.shouldKeepAlive = false;
      response.writeHead(status, headers);
    },
    write(chunk: string | Buffer) {
      if (sink.closed || response.write(chunk)) return true;
      watchClient();
      return false;
    },
    end() {
      if (sink.closed) return;
      response.end(() => (finished = true));
      if (response.writableLength > 0) watchClient();
    },
    onDrain(listener: () => void) {
      onDrain = listener;
    },
    onClose(listener: () => void) {
      onClose = listener;
      if (sink.closed) listener();
    },
  };
  return sink;
}

/** A client that is gone shows as 'close'; the error says nothing more. */
function ignore(): void {}
