import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * The path of a request without its query, or null when the target is not one that this server answers:
 * absolute-form (a proxy's), `//` (which URL parsers read as a host), backslashes, control characters, and percent
 * signs that encode no text or a NUL.
 */
export function requestPath(url: string | undefined): string | null {
  if (!url || url[0] !== '/' || url[1] === '/') return null;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return /[\x00-\x20\x7f\\#]/.test(path) || !isDecodable(path) ? null : path;
}

/** The same target without slashes at the end of its path: `/v1/models/?x=1` is `/v1/models?x=1`. */
export function withoutEndSlash(url: string, path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--; // a pattern would look again from each of them
  return path.slice(0, end) + url.slice(path.length);
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false; // not UTF-8, or a percent sign on its own
  }
}

/** Host is used to build links: anything but a name or an address with a port is refused. */
export function isPlainHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host);
}

/**
 * Headers that Next believes when they come from its own parts (GHSA-f82v-jwr5-mffw, GHSA-3g8h-86w9-wvmq and
 * their kin). A client has no business sending them.
 */
const INTERNAL = /^(?:x-middleware-|x-invoke-|x-nextjs-data$|x-next-|x-now-route-|x-matched-path$|x-prerender-|next-resume$)/;

export function stripInternalHeaders(message: IncomingMessage): void {
  const { headers } = message as { headers: IncomingHttpHeaders };
  for (const name of Object.keys(headers)) {
    if (INTERNAL.test(name)) delete headers[name];
  }
}

/** Carries the target of a request to the pages: Next tells a layout its parameters, not the address that was asked for. */
export const TARGET_HEADER = 'x-ohm-target';

/** Whatever a client wrote there itself is overwritten. */
export function noteTarget(message: IncomingMessage): void {
  message.headers[TARGET_HEADER] = message.url ?? '/';
}

/**
 * The client's address in X-Forwarded-For, and nothing else: the entry that the outermost trusted proxy added,
 * or the socket's address when no proxy is trusted. What a client wrote there itself is never believed.
 */
export function setClientAddress(message: IncomingMessage, trustedProxies: number): void {
  const chain = String(message.headers['x-forwarded-for'] ?? '').split(',').map((entry) => entry.trim()).filter(Boolean);
  const address = trustedProxies > 0 ? chain.at(-trustedProxies) ?? chain[0] : undefined;
  message.headers['x-forwarded-for'] = address ?? message.socket.remoteAddress ?? '';
}
