import type { IncomingMessage } from 'node:http';

/** What is discarded after a refusal so that the client gets to read it, before the connection is cut. */
const LINGER_BYTES = 128 * 1024 * 1024;

/** Reads on without keeping anything: an answer to a body that was refused is only read by a client that could send it. */
export function discard(message: IncomingMessage): void {
  let length = 0;
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > LINGER_BYTES) message.destroy();
  });
  message.resume();
}
