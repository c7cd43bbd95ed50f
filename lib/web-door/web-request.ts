import type { CallRequest } from '../gateway/ports';
import { announcedBody, BodyRefused } from './body-refused';

/** A web Request as the engine reads it. The body is counted while it streams in. */
export function webRequest(request: Request): CallRequest {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: (limit) => readBody(request, limit),
  };
}

async function readBody(request: Request, limit: number): Promise<Buffer | null> {
  const announced = announcedBody(request.headers.get('content-encoding'), request.headers.get('content-length'));
  if (typeof announced !== 'number') throw announced;
  if (announced > limit) return null;
  if (!request.body) return Buffer.alloc(0);

  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks, length);
      length += value.byteLength;
      if (length > limit) {
        await reader.cancel();
        return null;
      }
      chunks.push(value);
    }
  } catch {
    throw new BodyRefused('client_left', 'The client left while it sent the body.');
  }
}
