import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallRequest } from '../gateway/ports';
import { deriveKey } from '../tenancy/secret';

/** In which an edge tells a control plane the id of a call. Taken off what a client sends. */
export const CALL_HEADER = 'x-ohm-edge-call';

type Headers = CallRequest['headers'];

export interface CallIds {
  /** The header's value for one call: the id, and proof that somebody with the secret gave it to this credential. */
  write(id: string, headers: Headers): string;
  /** The id in it; null where there is none, or no proof. */
  read(headers: Headers): string | null;
}

/**
 * An edge gives each call its id, so that two control planes that are asked for the same call write one row. Bound to
 * the caller's credential: whoever got hold of the header could name nobody else's call by it.
 */
export function callIds(secret: string): CallIds {
  const key = deriveKey(secret, 'edge/call-id');
  const proof = (id: string, { authorization, 'x-api-key': apiKey }: Headers): Buffer =>
    createHmac('sha256', key).update(JSON.stringify([id, authorization ?? null, apiKey ?? null])).digest();

  return {
    write: (id, headers) => `${id}.${proof(id, headers).toString('base64url')}`,
    read(headers) {
      const given = headers[CALL_HEADER];
      if (typeof given !== 'string') return null;
      const [id = '', told = ''] = given.split('.');
      if (!ID.test(id)) return null;
      const bytes = Buffer.from(told, 'base64url');
      const right = proof(id, headers);
      return bytes.length === right.length && timingSafeEqual(bytes, right) ? id : null;
    },
  };
}

const ID = /^call_[0-9a-hjkmnp-tv-z]{26}$/;
