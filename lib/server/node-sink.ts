import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CLIENT_STALL_MS, type Sink } from '../gateway/ports';

/**
 * A Sink straight over node's response. Node sends the head with the first write, in one packet, so `head`
 * only hands it over. `closing`: the server drains, so the connection is not kept for another request.
 *
 * A client that takes nothing for `stallMs` while bytes wait for it is cut off. Node's own socket time-out would give
 * most of them twice as long: at its first end it only notes how much is waiting.
 *
 * A class because a thousand of them stand open at once. Whoever made it calls `responseClosed` at the response's
 * 'close', which has one listener for everything that ends with it.
 */
export class NodeSink implements Sink {
  closed = false;
  private finished = false;
  private drains = false;
  private lookout: NodeJS.Timeout | null = null;
  /** How much the client had taken when it last took something, and when that was. */
  private taken = { bytes: 0, waiting: 0, at: 0 };
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
    this.unwatch();
    if (this.finished && !this.socket?.errored) return;
    this.closed = true;
    this.closeListener?.();
  }

  /** Bytes wait for the client. */
  private watchClient(): void {
    if (!this.drains) {
      this.drains = true;
      this.response.on('drain', () => {
        this.unwatch();
        this.drainListener?.();
      });
    }
    if (this.lookout !== null || this.socket === null) return;
    this.taken = this.takenNow(this.socket);
    this.lookout = setInterval(() => this.look(this.socket!), Math.ceil(this.stallMs / 4));
  }

  private look(socket: Socket): void {
    if (socket.writableLength === 0) return this.unwatch();
    const now = this.takenNow(socket);
    if (now.bytes !== this.taken.bytes || now.waiting !== this.taken.waiting) this.taken = now;
    else if (now.at - this.taken.at >= this.stallMs) {
      this.unwatch();
      // With an error, or it would look like an end of the client's own choice after everything was sent.
      socket.destroy(new Error('the client takes nothing'));
    }
  }

  private unwatch(): void {
    if (this.lookout !== null) clearInterval(this.lookout);
    this.lookout = null;
  }

  /** Of the write that is under way only libuv knows how much is left; node's own time-out reads it there too. */
  private takenNow(socket: Socket): { bytes: number; waiting: number; at: number } {
    const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } };
    return { bytes: socket.bytesWritten - socket.writableLength, waiting: handle?.writeQueueSize ?? 0, at: performance.now() };
  }
}

/** A client that is gone shows as 'close'; the error says nothing more. */
function ignore(): void {}
