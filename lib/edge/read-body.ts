import type { IncomingMessage } from 'node:http';
import type { BodyBudget, ComingBody } from '../server/body-budget';
import { discard } from '../server/discard';

/** Why there is no body: it is too large, too many are held already (of this owner's), or it stopped coming. */
export type BodyFault = 'too_large' | 'full' | 'owner_full' | 'stalled';

/** What a request has of the budget: its owner's to give back when the response is over, however it ends. */
export interface HeldBody {
  bytes: number;
  readonly owner: string;
}

/**
 * Reads a request's whole body and calls back once, not at all when the client leaves while it sends it. It is held
 * because it may have to be sent twice. What its headers announce is taken off the budget at once.
 */
export function readBody(message: IncomingMessage, limit: number, budget: BodyBudget, held: HeldBody, done: (body: Buffer | BodyFault) => void): void {
  const { headers } = message;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return done(EMPTY);
  const chunks: Buffer[] = [];
  const coming: ComingBody = { place: -1, came: 0, seen: 0, quietS: 0, ageS: 0, stalled: () => refuse('stalled') };
  const take = (bytes: number): BodyFault | null => {
    if (bytes <= 0) return null;
    const room = budget.take(bytes, held.owner);
    if (room !== 'taken') return room;
    held.bytes += bytes;
    return null;
  };
  const refuse = (why: BodyFault): void => {
    budget.arrived(coming);
    message.off('data', onData).off('end', onEnd);
    chunks.length = 0;
    budget.release(held.bytes, held.owner);
    held.bytes = 0;
    discard(message);
    done(why);
  };
  const onData = (chunk: Buffer) => {
    coming.came += chunk.length;
    const why = coming.came > limit ? 'too_large' : take(coming.came - held.bytes);
    if (why !== null) return refuse(why);
    chunks.push(chunk);
  };
  const onEnd = () => {
    budget.arrived(coming);
    done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  };
  const announced = Number(headers['content-length'] ?? 0);
  const why = announced > limit ? 'too_large' : take(announced);
  if (why !== null) return refuse(why);
  budget.awaits(coming);
  message.on('data', onData).on('end', onEnd).on('close', () => budget.arrived(coming));
}

const EMPTY = Buffer.alloc(0);
