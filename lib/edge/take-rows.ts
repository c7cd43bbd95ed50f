import type { Ledger } from '../metering';
import type { Clock } from '../std';
import { MAX_PARCEL_BYTES, parcels, SIGNATURE_HEADER } from './row-parcel';

/** The control plane's end of the way of an edge's ledger rows: answers one parcel. */
export type TakeRows = (request: Request) => Promise<Response>;

export function takeRows({ secret, ledger, clock }: { secret: string; ledger: Pick<Ledger, 'take'>; clock: Clock }): TakeRows {
  const opener = parcels(secret);
  return async (request) => {
    const body = await bounded(request);
    if (body === null) return said(413, 'too large');
    const entries = opener.open(body, request.headers.get(SIGNATURE_HEADER), clock.now());
    if (entries === null) return said(401, 'not from an edge of this installation');
    try {
      await ledger.take(entries);
      return said(200, 'taken');
    } catch {
      return said(503, 'the database does not take rows now'); // the database's own log says why
    }
  };
}

/** Null when there is more than a parcel may have. */
async function bounded(request: Request): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_PARCEL_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const said = (status: number, text: string): Response => new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } });
