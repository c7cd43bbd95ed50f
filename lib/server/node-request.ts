import type { IncomingMessage } from 'node:http';
import type { CallRequest } from '../gateway/ports';
import { announcedBody, BodyRefused } from '../web-door';
import type { BodyBudget } from './body-budget';
import { discard } from './discard';

/**
 * The request as the engine reads it. The body is counted while it streams in: past the limit it is null and
 * the rest is discarded unread. Its bytes stay on the budget until `release`.
 */
export class NodeRequest implements CallRequest {
  readonly method: string;
  readonly query: string;
  readonly headers: CallRequest['headers'];
  /** Bytes on the budget. */
  private taken = 0;

  constructor(
    private readonly message: IncomingMessage,
    readonly path: string,
    private readonly budget: BodyBudget,
  ) {
    this.method = message.method ?? 'GET';
    this.query = queryOf(message.url ?? '');
    this.headers = message.headers;
  }

  body(limit: number): Promise<Buffer | null> {
    const { message } = this;
    const announced = announcedBody(message.headers['content-encoding'], message.headers['content-length']);
    if (typeof announced !== 'number') {
      discard(message);
      return Promise.reject(announced);
    }
    if (announced > limit) {
      discard(message);
      return Promise.resolve(null);
    }
    return new Promise((resolve, reject) => this.read(limit, resolve, reject));
  }

  /** The response is done. */
  release(): void {
    this.budget.release(this.taken);
    this.taken = 0;
  }

  private read(limit: number, resolve: (body: Buffer | null) => void, reject: (why: BodyRefused) => void): void {
    const { message } = this;
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer) => {
      const fits = this.taken + chunk.length <= limit;
      if (fits && this.budget.take(chunk.length)) {
        this.taken += chunk.length;
        chunks.push(chunk);
        return;
      }
      message.off('data', onData);
      discard(message);
      if (fits) reject(new BodyRefused('body_budget_exceeded', 'The server holds too many request bodies right now.'));
      else resolve(null);
    };
    message.on('data', onData);
    message.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Of a client that leaves; without a listener for it, node makes no 'error' of that.
    message.on('close', () => {
      if (!message.complete) reject(new BodyRefused('client_left', 'The client left while it sent the body.'));
    });
  }
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}
