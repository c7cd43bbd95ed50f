import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallRequest } from '../gateway/ports';
import { announcedBody, BodyRefused } from '../web-door';

/** Bytes of request bodies that are in memory now, against one cap for the process. */
export interface BodyBudget {
  take(bytes: number): boolean;
  release(bytes: number): void;
}

export function bodyBudget(capBytes: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > capBytes) return false;
      held += bytes;
      return true;
    },
    release(bytes) {
      held -= bytes;
    },
  };
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

/** What is discarded after a refusal so that the client gets to read it, before the connection is cut. */
const LINGER_BYTES = 128 * 1024 * 1024;

/**
 * The request as the engine reads it. The body is counted while it streams in: past the limit it is null and
 * the rest is discarded unread. Its bytes stay on the budget until the response is done.
 */
export function nodeRequest(message: IncomingMessage, response: ServerResponse, path: string, budget: BodyBudget): CallRequest {
  return {
    method: message.method ?? 'GET',
    path,
    query: queryOf(message.url ?? ''),
    headers: message.headers,
    body: (limit) => readBody(message, response, limit, budget),
  };
}

function readBody(message: IncomingMessage, response: ServerResponse, limit: number, budget: BodyBudget): Promise<Buffer | null> {
  const announced = announcedBody(message.headers['content-encoding'], message.headers['content-length']);
  if (typeof announced !== 'number') {
    discard(message);
    return Promise.reject(announced);
  }
  if (announced > limit) {
    discard(message);
    return Promise.resolve(null);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      message.off('data', onData);
      discard(message);
    };
    const onData = (chunk: Buffer) => {
      if (length + chunk.length > limit) {
        stop();
        resolve(null);
      } else if (!budget.take(chunk.length)) {
        stop();
        reject(new BodyRefused('body_budget_exceeded', 'The server holds too many request bodies right now.'));
      } else {
        length += chunk.length;
        chunks.push(chunk);
      }
    };
    message.on('data', onData);
    message.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
    message.once('error', ignore);
    message.once('close', () => {
      if (!message.complete) reject(new BodyRefused('client_left', 'The client left while it sent the body.'));
    });
    response.once('close', () => budget.release(length));
  });
}

function discard(message: IncomingMessage): void {
  let length = 0;
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > LINGER_BYTES) message.destroy();
  });
  message.resume();
}

/** The 'close' that follows tells it. */
function ignore(): void {}
