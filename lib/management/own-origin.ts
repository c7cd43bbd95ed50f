import { isIP } from 'node:net';

export interface Listening {
  /** Origin under which people reach the product. */
  publicUrl: string;
  host: string;
  port: number;
}

/**
 * The one rule for forms and for the REST door: whether a page at `origin` is one of this installation's. Nothing that a sender may write decides: what counts is
 * OHM_PUBLIC_URL. Where that is not set it names this machine's own port, and then every name of this machine is as
 * good: localhost, the loopback addresses, the address listened on. A server that listens on every address is also
 * reached by addresses that it cannot know (a container's): an address, or localhost, that Host names as well. No
 * foreign page has such an origin; one with a host *name* could (DNS rebinding).
 */
export function isOwnOrigin(origin: string | null, host: string | null, { publicUrl, ...listening }: Listening): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  const own = new URL(publicUrl);
  if (from.origin === own.origin) return true;
  const names = ['localhost', '127.0.0.1', '[::1]', bracketed(listening.host).toLowerCase()];
  const isMachine = (url: URL) => url.protocol === 'http:' && portOf(url) === listening.port && names.includes(url.hostname);
  if (!isMachine(own)) return false;
  if (isMachine(from)) return true;
  const everywhere = listening.host === '0.0.0.0' || listening.host === '::';
  const isAddress = isIP(from.hostname.replace(/^\[|\]$/g, '')) !== 0;
  return everywhere && from.protocol === 'http:' && (isAddress || from.hostname === 'localhost') && from.host === host?.toLowerCase();
}

const bracketed = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);
const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
