import type { ServerResponse } from 'node:http';
import type { Sink } from '../gateway/ports';

/**
 * A Sink straight over node's response. Node sends the head with the first write, in one packet, so `head`
 * only hands it over. `closing`: the server drains, so the connection is not kept for another request.
 */
export function nodeSink(response: ServerResponse, closing: () => boolean): Sink {
  let gone = false;
  let finished = false;
  const { socket } = response; // the response lets go of it when it finishes
  let onClose: (() => void) | null = null;
  let onDrain: (() => void) | null = null;

  response.once('close', () => {
    // 'close' also ends a response whose last byte has left. 'finish' alone cannot tell: node says it as well
    // once a broken socket has thrown away what it still held.
    if (finished && !socket?.errored) return;
    gone = true;
    onClose?.();
  });
  response.on('drain', () => onDrain?.());
  response.on('error', ignore);

  return {
    head(status, headers) {
      if (gone) return;
      if (closing()) response.shouldKeepAlive = false;
      response.writeHead(status, headers);
    },
    write(chunk) {
      return gone || response.write(chunk);
    },
    end() {
      if (!gone) response.end(() => (finished = true));
    },
    onDrain(listener) {
      onDrain = listener;
    },
    onClose(listener) {
      onClose = listener;
      if (gone) listener();
    },
    get closed() {
      return gone;
    },
  };
}

/** A client that is gone shows as 'close'; the error says nothing more. */
function ignore(): void {}
