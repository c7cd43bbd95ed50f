import { hkdfSync } from 'node:crypto';

/** A key of 32 bytes for one purpose, from OHM_SECRET (HKDF-SHA-256). Different purposes share nothing. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'ohm', purpose, 32));
}
