import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../server/body-budget';
import { discard } from '../server/discard';

/** Why there is no body: it is too large, or too many are held already. */
export type BodyFault = 'too_large' | 'busy';

/** What a request has of the budget: its owner's to give back when the response is over, however it ends. */
export interface HeldBody {
  bytes: number;
}

/**
 * Reads a request's whole body and calls back once, not at all when the client leaves while it sends it. It is held
 * because it may have to be sent twice.
 */
export function readBody(message: IncomingMessage, limit: number, budget: BodyBudget, held: HeldBody, done: (body: Buffer | BodyFault) => void): void {
  const { headers } = message;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return done(EMPTY);
  if (Number(headers['content-length'] ?? 0) > limit) {
    discard(message);
    return done('too_large');
  }
  const chunks: Buffer[] = [];
  const onData = (chunk: Buffer) => {
    const fits = held.bytes + chunk.length <= limit;
    if (fits && budget.take(chunk.length)) {
      held.bytes += chunk.length;
      chunks.push(chunk);
      return;
    }
    message.off('data', onData).off('end', onEnd);
    chunks.length = 0;
    discard(message);
    done(fits ? 'busy' : 'too_large');
  };
  const onEnd = () => done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  message.on('data', onData).on('end', onEnd);
}

const EMPTY = Buffer.alloc(0);
