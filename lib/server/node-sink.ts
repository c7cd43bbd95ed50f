import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CLIENT_STALL_MS, type Sink } from '../gateway/ports';

/**
 * A Sink straight over node's response. Node sends the head with the first write, in one packet, so `head`
 * only hands it over. `closing`: the server drains, so the connection is not kept for another request.
 *
 * A client that takes nothing for `stallMs` while bytes wait for it is cut off: node's own socket time-out, which a
 * write in progress renews, destroys the socket.
 *
 * A class because a thousand of them stand open at once. Whoever made it calls `responseClosed` at the response's
 * 'close', which has one listener for everything that ends with it.
 */
export class NodeSink implements Sink {
  closed = false;
  private finished = false;
  private watching = false;
  private readonly socket: Socket | null; // the response lets go of it when it finishes
  private closeListener: (() => void) | null = null;
  private drainListener: (() => void) | null = null;

  constructor(
    private readonly response: ServerResponse,
    private readonly closing: () => boolean,
    private readonly stallMs: number = CLIENT_STALL_MS,
  ) {
    this.socket = response.socket;
    response.on('error', ignore);
  }

  /** Headers by name, or as a list of names and values in turn. */
  head(status: number, headers: Record<string, string> | string[]): void {
    if (this.closed) return;
    if (this.closing()) this.response.shouldKeepAlive = false;
    this.response.writeHead(status, headers);
  }

  write(chunk: string | Buffer): boolean {
    if (this.closed || this.response.write(chunk)) return true;
    this.watchClient();
    return false;
  }

  end(last?: string | Buffer): void {
    if (this.closed) return;
    this.response.end(last, () => (this.finished = true));
    if (this.response.writableLength > 0) this.watchClient();
  }

  onDrain(listener: () => void): void {
    this.drainListener = listener;
  }

  onClose(listener: () => void): void {
    this.closeListener = listener;
    if (this.closed) listener();
  }

  /** 'close' also ends a response whose last byte has left. 'finish' alone cannot tell: node says it as well once a broken socket has thrown away what it still held. */
  responseClosed(): void {
    if (this.finished && !this.socket?.errored) return;
    this.closed = true;
    this.closeListener?.();
  }

  /** Bytes wait for the client. */
  private watchClient(): void {
    this.socket?.setTimeout(this.stallMs);
    if (this.watching) return;
    this.watching = true;
    // With an error, or it would look like an end of the client's own choice after everything was sent.
    this.response.on('timeout', () => this.socket?.destroy(new Error('the client takes nothing')));
    this.response.on('drain', () => {
      this.socket?.setTimeout(0);
      this.drainListener?.();
    });
  }
}

/** A client that is gone shows as 'close'; the error says nothing more. */
function ignore(): void {}
