import type { IncomingMessage } from 'node:http';
import type { BodyShare, Room } from '../server/body-budget';
import { discard } from '../server/discard';

/** Why there is no body: it is too large, too many are held already (of this owner's), or it stopped coming. */
export type BodyFault = 'too_large' | 'full' | 'owner_full' | 'stalled';

/**
 * Reads a request's whole body and calls back once, not at all when the client leaves while it sends it. It is held
 * because it may have to be sent twice. What its headers announce of a large one is taken off the budget at once.
 */
export function readBody(message: IncomingMessage, limit: number, share: BodyShare, done: (body: Buffer | BodyFault) => void): void {
  const { headers } = message;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return done(EMPTY);
  const chunks: Buffer[] = [];
  const refuse = (why: BodyFault): void => {
    share.arrived();
    message.off('data', onData).off('end', onEnd);
    chunks.length = 0;
    share.release();
    discard(message);
    done(why);
  };
  const onData = (chunk: Buffer) => {
    share.came += chunk.length;
    const why = share.came > limit ? 'too_large' : faultOf(share.reaches(share.came));
    if (why !== null) return refuse(why);
    chunks.push(chunk);
  };
  const onEnd = () => {
    share.arrived();
    done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  };
  const announced = Number(headers['content-length'] ?? 0);
  const why = announced > limit ? 'too_large' : faultOf(share.announces(announced));
  if (why !== null) return refuse(why);
  share.awaits(() => refuse('stalled'));
  message.on('data', onData).on('end', onEnd).on('close', () => share.arrived());
}

const faultOf = (room: Room): BodyFault | null => (room === 'taken' ? null : room);

const EMPTY = Buffer.alloc(0);
