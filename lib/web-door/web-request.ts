import type { CallRequest } from '../gateway/ports';
import { type BodyBudget, BodyShare, type Room } from '../server/body-budget';
import { announcedBody, BodyRefused, noRoom } from './body-refused';

/** A web Request as the engine reads it. The body is counted while it streams in. Without a budget nothing bounds all of them together. */
export function webRequest(request: Request, budget: BodyBudget | null = null): CallRequest & { release(): void } {
  let release = (): void => {};
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    body(limit, owner) {
      const share = budget === null ? null : new BodyShare(budget, owner);
      if (share !== null) release = () => share.release();
      return readBody(request, limit, share);
    },
    release: () => release(),
  };
}

async function readBody(request: Request, limit: number, share: BodyShare | null): Promise<Buffer | null> {
  const announced = announcedBody(request.headers.get('content-encoding'), request.headers.get('content-length'));
  if (typeof announced !== 'number') throw announced;
  if (announced > limit) return null;
  if (!request.body) return Buffer.alloc(0);

  if (share !== null) requireRoom(share.announces(announced));
  const reader = request.body.getReader();
  try {
    const body = await readAll(reader, limit, share);
    if (body === null) await reader.cancel();
    return body;
  } catch (error) {
    if (!(error instanceof BodyRefused)) throw new BodyRefused('client_left', 'The client left while it sent the body.');
    reader.cancel().catch(() => {}); // of a body that will never end
    throw error;
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number, share: BodyShare | null): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stalled = share === null ? undefined : stallOf(share);
  try {
    for (;;) {
      const read = reader.read();
      const { done, value } = stalled === undefined ? await read : await Promise.race([read, stalled]);
      if (done) return Buffer.concat(chunks, length);
      length += value.byteLength;
      if (length > limit) return null;
      if (share !== null) {
        share.came = length;
        requireRoom(share.reaches(length));
      }
      chunks.push(value);
    }
  } finally {
    share?.arrived();
  }
}

/** Throws BodyRefused. */
function requireRoom(room: Room): void {
  if (room !== 'taken') throw noRoom(room);
}

/** Rejects when the body makes no progress. */
function stallOf(share: BodyShare): Promise<never> {
  const stalled = new Promise<never>((_, reject) => share.awaits(() => reject(new BodyRefused('body_stalled', 'The body came too slowly.'))));
  stalled.catch(() => {}); // the read that is under way hears of it, if there is one
  return stalled;
}
