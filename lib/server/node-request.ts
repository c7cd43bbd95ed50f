import type { IncomingMessage } from 'node:http';
import type { CallRequest } from '../gateway/ports';
import { announcedBody, BodyRefused, noRoom } from '../web-door';
import type { BodyBudget, ComingBody } from './body-budget';
import { discard } from './discard';

/**
 * The request as the engine reads it. What its headers announce is taken off the budget at once, so that who came
 * first goes through; of a body that announces nothing, as it comes. Past the limit it is null and the rest is discarded
 * unread. Its bytes stay on the budget until `release`.
 */
export class NodeRequest implements CallRequest, ComingBody {
  readonly method: string;
  readonly query: string;
  readonly headers: CallRequest['headers'];
  /** Bytes on the budget, and whose. */
  private taken = 0;
  private owner = '';
  place = -1;
  came = 0;
  seen = 0;
  quietS = 0;
  ageS = 0;
  private refuse: ((why: BodyRefused) => void) | null = null;

  constructor(
    private readonly message: IncomingMessage,
    readonly path: string,
    private readonly budget: BodyBudget,
  ) {
    this.method = message.method ?? 'GET';
    this.query = queryOf(message.url ?? '');
    this.headers = message.headers;
  }

  body(limit: number, owner: string): Promise<Buffer | null> {
    const { message } = this;
    const announced = announcedBody(message.headers['content-encoding'], message.headers['content-length']);
    this.owner = owner;
    const refused = typeof announced !== 'number' ? announced : announced > limit ? null : this.take(announced);
    if (refused === undefined) return new Promise((resolve, reject) => this.read(limit, resolve, reject));
    discard(message);
    return refused === null ? Promise.resolve(null) : Promise.reject(refused);
  }

  /** The response is done. */
  release(): void {
    this.budget.release(this.taken, this.owner);
    this.taken = 0;
  }

  stalled(): void {
    this.refuse?.(new BodyRefused('body_stalled', 'The body came too slowly.'));
  }

  private read(limit: number, resolve: (body: Buffer | null) => void, reject: (why: BodyRefused) => void): void {
    const { message, budget } = this;
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer) => {
      this.came += chunk.length;
      const refused = this.came > limit ? null : this.take(this.came - this.taken);
      if (refused === undefined) chunks.push(chunk);
      else give(refused);
    };
    /** There will be no body: nothing of it is kept. */
    const give = (why: BodyRefused | null) => {
      budget.arrived(this);
      message.off('data', onData);
      chunks.length = 0;
      this.release();
      discard(message);
      if (why === null) resolve(null);
      else reject(why);
    };
    this.refuse = give;
    budget.awaits(this);
    message.on('data', onData);
    message.on('end', () => {
      budget.arrived(this);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    // Of a client that leaves; without a listener for it, node makes no 'error' of that.
    message.on('close', () => {
      if (message.complete) return;
      budget.arrived(this);
      reject(new BodyRefused('client_left', 'The client left while it sent the body.'));
    });
  }

  /** Undefined: there is room. */
  private take(bytes: number): BodyRefused | undefined {
    if (bytes <= 0) return undefined;
    const room = this.budget.take(bytes, this.owner);
    if (room !== 'taken') return noRoom(room);
    this.taken += bytes;
    return undefined;
  }
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}
