import type { Dispatcher } from 'undici';
import { BodyShare } from '../server/body-budget';
import type { AnswerContext, ClientError } from '../surfaces';
import type { Forwarding } from './forward';
import { responseHead, type ResponseHead } from './message-headers';

/** A plane's refusal is a short JSON error; a longer answer is passed on as it is. */
const MAX_REFUSAL_BYTES = 1024 * 1024;
/** Larger JSON bodies are passed on as they come. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/**
 * One request to one plane, and what becomes of its answer: a stream and everything large is piped from its first byte
 * on; a JSON body is held until it is whole, so that one that breaks off was never begun; a refusal that another plane
 * may do better than is read to its end and handed over.
 *
 * A class over undici's raw handler, for the same reasons as the outbound client's.
 */
export class PlaneAttempt implements Dispatcher.DispatchHandler {
  /** The client has got something of this answer. */
  begun = false;
  /** Bytes of the body that were handed to the client. */
  bytes = 0;
  private aborted = false;
  private sent = false;
  private status = 0;
  private head: ResponseHead | null = null;
  private use: 'pipe' | 'hold' | 'refusal' = 'pipe';
  private held: Buffer[] = [];
  /** What is held of the body, counted with request bodies. */
  private readonly room: BodyShare;
  private first: Buffer | null = null;
  private last: Buffer | null = null;
  /** The event that ends a response has begun. */
  private responseEnds = false;
  private abortRequest: ((why?: Error) => void) | null = null;
  private resumeSocket: (() => void) | null = null;

  constructor(private readonly of: Forwarding) {
    const { edge, owner } = of.request;
    this.room = new BodyShare(edge.budget, owner);
  }

  resume(): void {
    if (!this.aborted) this.resumeSocket?.();
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.letGo();
    this.abortRequest?.(ABORTED);
  }

  /** The end of an answer that was begun. `error` is said in-band where that is possible. */
  breakOff(error: ClientError): void {
    const { sink, surface, message, callId } = this.of.request;
    if (surface !== null && this.isStream() && this.endsWholeFrames()) {
      if (this.isComplete()) return sink.end();
      const context: AnswerContext = { own: true, callId: callId!, createdS: 0, model: '', usageWish: 'silent', request: {} };
      const seen = { first: this.first?.toString('utf8') ?? '', last: this.last!.toString('utf8') };
      return sink.end(surface.cutOff?.(context, seen, error) ?? surface.writer(context).truncated(error));
    }
    message.socket.destroySoon(); // half a frame, or half of a body whose length was promised: nothing can be said behind it
  }

  // --- what undici reports ---

  onConnect(abort: (why?: Error) => void): void {
    if (this.aborted) return abort(ABORTED);
    this.abortRequest = abort;
    this.sent = true;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    if (status < 200 || this.aborted) return true;
    const head = responseHead(raw);
    this.status = status;
    this.head = head;
    this.resumeSocket = resume;
    if (status >= 500 && head.attempts === 0 && this.of.mayGoOn()) this.use = 'refusal';
    else if (this.of.request.surface !== null && !this.isStream()) this.use = 'hold';
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.aborted) return true;
    if (this.use === 'pipe') return this.pipe(chunk);
    const limit = this.use === 'hold' ? MAX_HELD_BYTES : MAX_REFUSAL_BYTES;
    const bytes = this.room.bytes + chunk.length;
    if (bytes <= limit && this.room.reaches(bytes) === 'taken') {
      this.held.push(chunk);
      return true;
    }
    const before = this.take();
    this.use = 'pipe';
    if (before.length > 0) this.pipe(before);
    return this.pipe(chunk);
  }

  onComplete(): void {
    if (this.aborted) return;
    const head = this.head!;
    const body = this.take();
    if (this.use === 'refusal') return this.of.refused({ status: this.status, head, body });
    this.of.finish();
    const { sink, message } = this.of.request;
    if (!this.begun) {
      if (!head.hasLength && body.length > 0) head.list.push('content-length', String(body.length));
      sink.head(this.status, head.list);
    }
    if (body.length > 0 && message.method !== 'HEAD') sink.end(body);
    else sink.end();
  }

  onError(error: Error): void {
    if (this.aborted) return;
    this.letGo();
    // undici reports what it finds wrong with a request at once, before the caller of `dispatch` has its turn.
    queueMicrotask(() => {
      if (!this.aborted) this.of.failed(this, error, this.sent);
    });
  }

  // --- the rest ---

  private pipe(chunk: Buffer): boolean {
    const { sink, surface } = this.of.request;
    if (!this.begun) sink.head(this.status, this.head!.list);
    this.begun = true;
    this.bytes += chunk.length;
    this.last = chunk;
    if (surface?.id === 'responses') this.noteResponse(chunk);
    return sink.write(chunk);
  }

  /** A response names itself in its first chunk, and the event that ends it may be longer than one. */
  private noteResponse(chunk: Buffer): void {
    this.first ??= chunk;
    if (RESPONSE_ENDS.some((mark) => chunk.includes(mark))) this.responseEnds = true;
  }

  /** What is held, joined, and held no more. */
  private take(): Buffer {
    const body = this.held.length === 1 ? this.held[0]! : Buffer.concat(this.held);
    this.letGo();
    return body;
  }

  private letGo(): void {
    this.room.release();
    this.held = [];
  }

  private isStream(): boolean {
    return /^text\/event-stream\b/i.test(this.head?.contentType ?? '');
  }

  private endsWholeFrames(): boolean {
    return this.last !== null && this.last.subarray(-2).toString('latin1') === '\n\n';
  }

  /** Everything was said; only the end of the body is missing. */
  private isComplete(): boolean {
    return this.responseEnds || /data: (\[DONE\]|\{"type":"message_stop"\})\n\n$/.test(this.last!.subarray(-64).toString('latin1'));
  }
}

const RESPONSE_ENDS = ['event: response.completed\n', 'event: response.incomplete\n', 'event: response.failed\n'];
const ABORTED = new Error('the client left');
