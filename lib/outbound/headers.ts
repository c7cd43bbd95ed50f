type Headers = Record<string, string | string[] | undefined>;

/** Why these request headers must not be sent, or null. The client sets host, length and framing itself. */
export function badRequestHeader(headers: Record<string, string>): string | null {
  for (const name in headers) {
    if (!COMMON.has(name) && (!TOKEN.test(name) || OWNED.has(name.toLowerCase()))) return 'a header name that is not allowed';
    if (!VALUE.test(headers[name]!)) return `a character that is not allowed in the header ${name.toLowerCase()}`;
  }
  return null;
}

/**
 * Response headers as the rest of the product may see them: without those of the one hop, without cookies and
 * redirects (an upstream has no say in either), and without any value that repeats our own credential.
 */
export function cleanResponseHeaders(headers: Headers, credential: string | null, decoded: boolean): Headers {
  const connection = headers.connection;
  const named = typeof connection === 'string' && connection !== 'keep-alive' ? connection.toLowerCase().split(/\s*,\s*/) : [];
  const clean: Headers = {};
  for (const name in headers) {
    if (DROPPED.has(name) || named.includes(name)) continue;
    if (decoded && (name === 'content-encoding' || name === 'content-length')) continue;
    const value = headers[name];
    if (credential !== null && value !== undefined && String(value).includes(credential)) continue;
    clean[name] = value;
  }
  return clean;
}

/** The secret part of the request's credentials, to be looked for in what comes back. */
export function credentialOf(headers: Record<string, string>): string | null {
  const value = headers.authorization ?? headers['x-api-key'] ?? headers['api-key'] ?? headers['x-goog-api-key'];
  if (value === undefined) return null;
  const secret = value.slice(value.indexOf(' ') + 1);
  return secret.length >= 8 ? secret : null;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** Checked once, here: the names that nearly every request has. */
const COMMON = new Set(['authorization', 'content-type', 'accept', 'accept-encoding', 'user-agent', 'via']);
const OWNED = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'proxy-authorization', 'proxy-connection']);
const DROPPED = new Set(['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'set-cookie', 'set-cookie2', 'location', 'refresh', 'alt-svc']);
