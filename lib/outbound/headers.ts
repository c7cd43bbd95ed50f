import type { UpstreamHeaders } from '../gateway/upstream';

type Headers = Record<string, string | string[] | undefined>;

/** Why these request headers must not be sent, or null. The client sets host, length and framing itself. */
export function badRequestHeader(headers: Record<string, string>): string | null {
  for (const name in headers) {
    if (!COMMON.has(name) && (!TOKEN.test(name) || OWNED.has(name.toLowerCase()))) return 'a header name that is not allowed';
    if (!VALUE.test(headers[name]!)) return `a character that is not allowed in the header ${name.toLowerCase()}`;
  }
  return null;
}

/** Raw response headers as undici gives them: name, value, name, value, … */
export type RawHeaders = readonly (Buffer | string)[];

/**
 * Response headers as the rest of the product may see them: without those of the one hop, without cookies and
 * redirects (an upstream has no say in either), and without any value that repeats our own credential.
 */
export class ResponseHeaders implements UpstreamHeaders {
  readonly contentType: string;

  constructor(
    private readonly raw: RawHeaders,
    private readonly request: Record<string, string>,
    private readonly decoded: boolean,
  ) {
    const contentType = valuesOf(raw, 'content-type')[0] ?? '';
    this.contentType = this.repeatsCredential(contentType) ? '' : contentType;
  }

  all(): Headers {
    const { raw } = this;
    const hop = valuesOf(raw, 'connection').flatMap((value) => value.toLowerCase().split(/\s*,\s*/));
    const clean: Headers = {};
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = textOf(raw[at]!).toLowerCase();
      if (DROPPED.has(name) || hop.includes(name)) continue;
      if (this.decoded && (name === 'content-encoding' || name === 'content-length')) continue;
      const value = textOf(raw[at + 1]!);
      if (this.repeatsCredential(value)) continue;
      const before = Object.hasOwn(clean, name) ? clean[name] : undefined;
      clean[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
    }
    return clean;
  }

  private repeatsCredential(value: string): boolean {
    const credential = value.length < SHORTEST_SECRET ? null : credentialOf(this.request);
    return credential !== null && value.includes(credential);
  }
}

/** Every value of a header, in order. `name` in lower case. */
export function valuesOf(raw: RawHeaders, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const found = raw[at]!;
    if (found.length === name.length && textOf(found).toLowerCase() === name) values.push(textOf(raw[at + 1]!));
  }
  return values;
}

/** Node's own client reads headers as latin1 too. */
const textOf = (raw: Buffer | string): string => (typeof raw === 'string' ? raw : raw.toString('latin1'));

/** The secret part of the request's credentials, to be looked for in what comes back. */
export function credentialOf(headers: Record<string, string>): string | null {
  const value = headers.authorization ?? headers['x-api-key'] ?? headers['api-key'] ?? headers['x-goog-api-key'];
  if (value === undefined) return null;
  const secret = value.slice(value.indexOf(' ') + 1);
  return secret.length >= SHORTEST_SECRET ? secret : null;
}

const SHORTEST_SECRET = 8;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;
/** Checked once, here: the names that nearly every request has. */
const COMMON = new Set(['authorization', 'content-type', 'accept', 'accept-encoding', 'user-agent', 'via']);
const OWNED = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'proxy-authorization', 'proxy-connection']);
const DROPPED = new Set(['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'set-cookie', 'set-cookie2', 'location', 'refresh', 'alt-svc']);
