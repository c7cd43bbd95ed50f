import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../server/body-budget';
import { discard } from '../server/discard';

/** Why there is no body: it is too large, too many are held already, or the client left while it sent it. */
export type BodyFault = 'too_large' | 'busy' | 'left';

/**
 * Reads a request's whole body and calls back once. It is held because it may have to be sent twice. `taken` says how
 * much of the budget it has, which is the caller's to give back.
 */
export function readBody(message: IncomingMessage, limit: number, budget: BodyBudget, done: (body: Buffer | BodyFault, taken: number) => void): void {
  const { headers } = message;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return done(EMPTY, 0);
  if (Number(headers['content-length'] ?? 0) > limit) {
    discard(message);
    return done('too_large', 0);
  }
  let chunks: Buffer[] = [];
  let taken = 0;
  let over = false;
  const finish = (body: Buffer | BodyFault) => {
    if (over) return;
    over = true;
    chunks = [];
    done(body, taken);
  };
  const onData = (chunk: Buffer) => {
    const fits = taken + chunk.length <= limit;
    if (fits && budget.take(chunk.length)) {
      taken += chunk.length;
      chunks.push(chunk);
      return;
    }
    message.off('data', onData);
    discard(message);
    finish(fits ? 'busy' : 'too_large');
  };
  message.on('data', onData);
  message.on('end', () => finish(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  message.on('close', () => finish('left')); // also behind 'end', when it says nothing any more
}

const EMPTY = Buffer.alloc(0);
