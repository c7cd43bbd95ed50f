import { isIP } from 'node:net';
import type { Client } from '@/lib/tenancy';

/** Set by lib/server: this process's X-Forwarded-For holds one address that the server itself put there. */
const SERVER_SETS_ADDRESS = Symbol.for('ohm.server-sets-client-address');

interface Headers {
  get(name: string): string | null;
}

/**
 * Who is at the other end. The product's own server has already replaced X-Forwarded-For by the one address that
 * counts. Under plain `next start` the header is what the client and the proxies wrote: then the entry counts that
 * the outermost trusted proxy added, and with no trusted proxy there is no address to go by.
 */
export function clientOf(headers: Headers, trustedProxies: number): Client {
  const chain = (headers.get('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim()).filter(Boolean);
  const serverSets = (globalThis as Record<symbol, unknown>)[SERVER_SETS_ADDRESS] === true;
  const address = serverSets ? chain[0] : trustedProxies > 0 ? (chain.at(-trustedProxies) ?? chain[0]) : undefined;
  return { address: address && isIP(address.split('%')[0]!) ? address : null, userAgent: headers.get('user-agent') };
}
