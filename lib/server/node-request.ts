import type { IncomingMessage } from 'node:http';
import type { CallRequest } from '../gateway/ports';
import { announcedBody, BodyRefused, noRoom } from '../web-door';
import { type BodyBudget, BodyShare, type Room } from './body-budget';
import { discard } from './discard';

/**
 * The request as the engine reads it. What its headers announce of a large body is taken off the budget at once, so that
 * who came first goes through; of any other as it comes. Past the limit it is null and the rest is discarded
 * unread. Its bytes stay on the budget until `release`.
 */
export class NodeRequest implements CallRequest {
  readonly method: string;
  readonly query: string;
  readonly headers: CallRequest['headers'];
  private share: BodyShare | null = null;

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
    const share = (this.share = new BodyShare(this.budget, owner));
    const refused = typeof announced !== 'number' ? announced : announced > limit ? null : refusalOf(share.announces(announced));
    if (refused === undefined) return new Promise((resolve, reject) => this.read(share, limit, resolve, reject));
    discard(message);
    return refused === null ? Promise.resolve(null) : Promise.reject(refused);
  }

  /** The response is done. */
  release(): void {
    this.share?.release();
  }

  private read(share: BodyShare, limit: number, resolve: (body: Buffer | null) => void, reject: (why: BodyRefused) => void): void {
    const { message } = this;
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer) => {
      share.came += chunk.length;
      const refused = share.came > limit ? null : refusalOf(share.reaches(share.came));
      if (refused === undefined) chunks.push(chunk);
      else give(refused);
    };
    /** There will be no body: nothing of it is kept. */
    const give = (why: BodyRefused | null) => {
      share.arrived();
      message.off('data', onData);
      chunks.length = 0;
      share.release();
      discard(message);
      if (why === null) resolve(null);
      else reject(why);
    };
    share.awaits(() => give(new BodyRefused('body_stalled', 'The body came too slowly.')));
    message.on('data', onData);
    message.on('end', () => {
      share.arrived();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    // Of a client that leaves; without a listener for it, node makes no 'error' of that.
    message.on('close', () => {
      if (message.complete) return;
      share.arrived();
      reject(new BodyRefused('client_left', 'The client left while it sent the body.'));
    });
  }
}

/** Undefined: there is room. */
const refusalOf = (room: Room): BodyRefused | undefined => (room === 'taken' ? undefined : noRoom(room));

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}
