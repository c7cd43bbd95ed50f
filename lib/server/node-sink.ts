import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CLIENT_BYTES_A_S, CLIENT_MUCH_BYTES, CLIENT_STALL_MS, type Sink } from '../gateway/ports';
import type { HeldBytes, Holder } from '../gateway';

/** How a server treats its clients. */
export interface ClientBounds {
  /** One that takes nothing for this long while bytes wait for it is cut off, ms. */
  stallMs: number;
  /** One that takes less than this a second, over `stallMs` in which much waits for it, is cut off as well. */
  bytesAS: number;
  /** What clients have not taken yet counts here; beyond that bound one of the owner for whom most waits is cut off. */
  held: HeldBytes | null;
}

export const CLIENT_BOUNDS: ClientBounds = { stallMs: CLIENT_STALL_MS, bytesAS: CLIENT_BYTES_A_S, held: null };

/** So much waits for a client without being counted. */
const UNCOUNTED_BYTES = 64 * 1024;

/**
 * A Sink straight over node's response. Node sends the head with the first write, in one packet, so `head`
 * only hands it over. `closing`: the server drains, so the connection is not kept for another request.
 *
 * A client that takes nothing, or next to nothing, while bytes wait for it is cut off. Node's own socket time-out would
 * give most of them twice as long: at its first end it only notes how much is waiting.
 *
 * A class because a thousand of them stand open at once. Whoever made it calls `responseClosed` at the response's
 * 'close', which has one listener for everything that ends with it.
 */
export class NodeSink implements Sink, Holder {
  closed = false;
  /** Bytes that are counted as held. */
  bytes = 0;
  owner = '';
  place = -1;
  private finished = false;
  private drains = false;
  private lookout: NodeJS.Timeout | null = null;
  /** How much the client had taken when it last took something, and when that was. */
  private taken: Taken = { bytes: 0, at: 0 };
  /** The same when much began to wait, or a time-out ago. */
  private takenBefore: Taken | null = null;
  private readonly socket: Socket | null; // the response lets go of it when it finishes
  private closeListener: (() => void) | null = null;
  private drainListener: (() => void) | null = null;

  constructor(
    private readonly response: ServerResponse,
    private readonly closing: () => boolean,
    private readonly client: ClientBounds = CLIENT_BOUNDS,
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
    this.clientIsSlow();
    return false;
  }

  end(last?: string | Buffer): void {
    if (this.closed) return;
    this.response.end(last, () => (this.finished = true));
    if (this.response.writableLength > 0) this.clientIsSlow();
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
    this.letGo();
    if (this.finished && !this.socket?.errored) return;
    this.closed = true;
    this.closeListener?.();
  }

  /** The process holds too much, most of it for this owner, and of that most for this client. */
  overflow(): void {
    this.cut('more waits for clients than the process may hold, and most of it for those of this one’s owner');
  }

  /** Bytes wait for the client. */
  private clientIsSlow(): void {
    this.watchClient();
    const waiting = this.response.writableLength;
    if (waiting > UNCOUNTED_BYTES) this.client.held?.set(this, waiting);
  }

  private letGo(): void {
    if (this.bytes > 0) this.client.held?.release(this);
  }

  private watchClient(): void {
    if (!this.drains) {
      this.drains = true;
      this.response.on('drain', () => {
        this.unwatch();
        this.letGo();
        this.drainListener?.();
      });
    }
    if (this.lookout !== null || this.socket === null) return;
    this.taken = takenNow(this.socket);
    this.takenBefore = null;
    this.lookout = setInterval(() => this.look(this.socket!), Math.ceil(this.client.stallMs / 12));
  }

  private look(socket: Socket): void {
    if (socket.writableLength === 0) return this.unwatch();
    const now = takenNow(socket);
    if (now.bytes !== this.taken.bytes) this.taken = now;
    else if (now.at - this.taken.at >= this.client.stallMs) return this.cut('the client takes nothing');
    if (socket.bytesWritten - now.bytes <= CLIENT_MUCH_BYTES) this.takenBefore = null;
    else if (this.takenBefore === null) this.takenBefore = now;
    else this.judge(now, this.takenBefore);
  }

  /** Every read stops the clock of a client that takes nothing: what it takes has to amount to something. */
  private judge(now: Taken, before: Taken): void {
    const forMs = now.at - before.at;
    if (forMs < this.client.stallMs) return;
    if ((now.bytes - before.bytes) * 1_000 < this.client.bytesAS * forMs) return this.cut('the client takes next to nothing');
    this.takenBefore = now;
  }

  private cut(why: string): void {
    this.unwatch();
    // With an error, or it would look like an end of the client's own choice after everything was sent.
    this.socket?.destroy(new Error(why));
  }

  private unwatch(): void {
    if (this.lookout !== null) clearInterval(this.lookout);
    this.lookout = null;
  }
}

/** How much a client had taken, and when. */
interface Taken {
  bytes: number;
  at: number;
}

/** Of the write that is under way only libuv knows how much is left; node's own time-out reads it there too. */
function takenNow(socket: Socket): Taken {
  const { _handle: handle } = socket as { _handle?: { bytesWritten?: number; writeQueueSize?: number } };
  return { bytes: (handle?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0), at: performance.now() };
}

/** A client that is gone shows as 'close'; the error says nothing more. */
function ignore(): void {}
