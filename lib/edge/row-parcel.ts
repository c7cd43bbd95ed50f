import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Entry, pageOf } from '../metering/entry';
import { deriveKey } from '../tenancy/secret';

/** Where a control plane takes an edge's ledger rows, and in what header the proof stands that they are an edge's. */
export const ROWS_PATH = '/api/edge/rows';
export const SIGNATURE_HEADER = 'x-ohm-edge-signature';
/** Larger parcels are not taken. The drain makes them of about half of this. */
export const MAX_PARCEL_BYTES = 8 * 1024 * 1024;

/** An old parcel does nothing that it has not done before; it is refused all the same. */
const TOLERANCE_MS = 5 * 60_000;

/** Ledger rows and corrections on their way from an edge to a control plane: one line each, its kind and its JSON. */
export interface Parcels {
  pack(entries: readonly Entry[], nowMs: number): { body: Buffer; signature: string };
  /** Null: not an edge's, altered, too old, or not to be read. */
  open(body: Buffer, signature: string | null, nowMs: number): Entry[] | null;
}

export function parcels(secret: string): Parcels {
  const key = deriveKey(secret, 'edge/rows');
  const proof = (body: Buffer, at: string): Buffer => createHmac('sha256', key).update(`${at}\n`).update(body).digest();

  return {
    pack(entries, nowMs) {
      const body = linesOf(entries);
      return { body, signature: `${nowMs}.${proof(body, String(nowMs)).toString('base64url')}` };
    },
    open(body, signature, nowMs) {
      const [at = '', told = ''] = (signature ?? '').split('.');
      if (!/^\d{1,16}$/.test(at) || Math.abs(nowMs - Number(at)) > TOLERANCE_MS) return null;
      const bytes = Buffer.from(told, 'base64url');
      const right = proof(body, at);
      if (bytes.length !== right.length || !timingSafeEqual(bytes, right)) return null;
      return entriesIn(body);
    },
  };
}

function linesOf(entries: readonly Entry[]): Buffer {
  let room = 0;
  for (const { start, end } of entries) room += end - start + 2;
  const body = Buffer.allocUnsafe(room);
  let at = 0;
  for (const { kind, page, start, end } of entries) {
    body[at++] = kind.charCodeAt(0);
    at += page.bytes.copy(body, at, start, end);
    body[at++] = LINE_FEED;
  }
  return body;
}

/** JSON has no line feed of its own. The entries lie where they came in. */
function entriesIn(body: Buffer): Entry[] | null {
  const entries: Entry[] = [];
  const page = pageOf(body);
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(LINE_FEED, start);
    if (end === -1) return null;
    const kind = String.fromCharCode(body[start]!);
    const id = BEGINNING.exec(body.toString('latin1', start + 1, Math.min(end, start + 1 + BEGINNING_LENGTH)))?.[1];
    if ((kind !== 'S' && kind !== 'C') || id === undefined) return null;
    entries.push({ kind, id, page, start: start + 1, end, segment: null });
    start = end + 1;
  }
  return entries;
}

const BEGINNING = /^\{"id":"(call_[0-9a-z]{26})"/;
const BEGINNING_LENGTH = 39;
const LINE_FEED = 10;
