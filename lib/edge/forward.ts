import { REFUSALS } from '../gateway/rejection';
import type { EdgeRequest } from './edge-request';
import { requestHeaders, type ResponseHead } from './message-headers';
import { PlaneAttempt } from './plane-attempt';
import { isConnectTimeout, type Plane } from './plane';
import { NO_PLANE, refuse, truncation } from './refusals';

/** A plane's refusal that another plane may do better than: kept, in case there is none. */
export interface KeptAnswer {
  status: number;
  head: ResponseHead;
  body: Buffer;
}

/**
 * One request on its way through the planes: the primary, and once the fallback. What decides is what the client has
 * got: as long as that is nothing, a request that can be sent again goes to the next plane after a connection that
 * failed or broke off, or a 5xx of a plane that made no upstream request. A 5xx behind upstream requests is the end of
 * a whole walk: walking again would pay for it twice.
 *
 * A call may be sent again because both planes write it under the one id that the edge gave it. Nothing stands for
 * that in a request of the management API or a page: one that changes something is only sent again if it never left.
 */
export class Forwarding {
  private readonly planes: readonly Plane[];
  private at = 0;
  private attempt: PlaneAttempt | null = null;
  private kept: KeptAnswer | null = null;
  private over = false;
  private readonly headers: string[];

  constructor(
    readonly request: EdgeRequest,
    private readonly onOver: () => void,
  ) {
    const { edge, message, callId } = request;
    this.planes = edge.planes.order();
    this.headers = requestHeaders(message, edge.via);
    if (callId !== null) this.headers.push(edge.callHeader, edge.callIds.write(callId, message.headers));
  }

  start(): void {
    this.request.sink.onClose(() => this.clientLeft());
    this.request.sink.onDrain(() => this.attempt?.resume());
    if (!this.over) this.ask(this.planes[0]!);
  }

  /** The process must go: what has not begun is refused, what has begun ends as a truncated answer does. */
  cut(): void {
    if (this.over) return;
    const { attempt } = this;
    attempt?.abort();
    if (attempt?.begun === true) return this.breakOff(attempt, REFUSALS.draining().error);
    this.finish();
    refuse(this.request, REFUSALS.draining());
  }

  // --- what an attempt reports ---

  /** May a refusal of this plane be answered by asking another one? */
  mayGoOn(): boolean {
    return this.at + 1 < this.planes.length && this.request.repeatable;
  }

  refused(answer: KeptAnswer): void {
    this.kept = answer;
    this.next();
  }

  /** `sent`: the plane may have got the request. */
  failed(attempt: PlaneAttempt, error: Error, sent: boolean): void {
    if (this.over) return;
    if (attempt.begun) return this.breakOff(attempt, truncation(this.request, attempt.bytes));
    if (!sent && isConnectTimeout(error)) this.planes[this.at]!.silent();
    if (this.at + 1 < this.planes.length && (!sent || this.request.repeatable)) return this.next();
    this.finish();
    if (this.kept === null) return refuse(this.request, NO_PLANE());
    const { status, head, body } = this.kept;
    this.request.sink.head(status, head.list);
    this.request.sink.end(body);
  }

  finish(): void {
    if (this.over) return;
    this.over = true;
    this.onOver();
  }

  // --- the rest ---

  private next(): void {
    this.ask(this.planes[++this.at]!);
  }

  private ask(plane: Plane): void {
    const { message, body } = this.request;
    this.attempt = new PlaneAttempt(this);
    plane.pool.dispatch({ path: message.url!, method: message.method as 'POST', headers: this.headers, body: body.length === 0 ? null : body }, this.attempt);
  }

  /** The answer cannot be finished any more, and the client has to see that. */
  private breakOff(attempt: PlaneAttempt, error: Parameters<PlaneAttempt['breakOff']>[0]): void {
    this.finish();
    attempt.breakOff(error);
  }

  private clientLeft(): void {
    if (this.over) return;
    this.finish();
    this.attempt?.abort();
  }
}
