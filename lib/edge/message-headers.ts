import type { IncomingMessage } from 'node:http';
import { CALL_HEADER } from './call-ids';

/** A list of names and values in turn, as node and undici both take it. */
export type HeaderList = string[];

/** RFC 9110, section 7.6.1, and what came before it: of one hop, never passed on. */
const HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/** Of a request besides: what is made anew for the next hop, and what no client may say. */
const MADE_ANEW = new Set(['content-length', 'expect', 'via', 'x-forwarded-for', CALL_HEADER]);

/**
 * A client's headers as a control plane gets them: in order and as they were spelled, without those of the one hop.
 * `Via` names the edge, and X-Forwarded-For ends with the address of the edge's own client: a control plane that counts
 * the edge among its OHM_TRUSTED_PROXIES believes that entry and nothing further from the end.
 */
export function requestHeaders(message: IncomingMessage, via: string): HeaderList {
  const { rawHeaders, headers, socket } = message;
  const named = namedByConnection(headers.connection);
  const list: HeaderList = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (HOP.has(name) || MADE_ANEW.has(name) || named?.includes(name)) continue;
    list.push(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  list.push('via', appended(headers.via, via), 'x-forwarded-for', appended(headers['x-forwarded-for']?.toString(), socket.remoteAddress ?? 'unknown'));
  return list;
}

/** What a control plane answered, as its client gets it. `named` are the values of single headers that the edge goes by. */
export interface ResponseHead {
  list: HeaderList;
  contentType: string;
  /** `X-Ohm-Attempts`: upstream requests that were made; 0 where it does not say. */
  attempts: number;
  hasLength: boolean;
}

export function responseHead(raw: readonly (Buffer | string)[]): ResponseHead {
  const head: ResponseHead = { list: [], contentType: '', attempts: 0, hasLength: false };
  let named: string[] | null = null;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const spelled = textOf(raw[at]!);
    const name = spelled.toLowerCase();
    const value = textOf(raw[at + 1]!);
    if (name === 'connection') named = namedByConnection(value);
    if (HOP.has(name)) continue;
    if (name === 'content-type') head.contentType = value;
    else if (name === 'content-length') head.hasLength = true;
    else if (name === 'x-ohm-attempts') head.attempts = Number(value) || 0;
    head.list.push(spelled, value);
  }
  if (named !== null) head.list = without(head.list, named);
  return head;
}

/** `keep-alive` and `close` say nothing of other headers, and are nearly all that ever stands there. */
function namedByConnection(value: string | undefined): string[] | null {
  if (value === undefined || value === 'keep-alive' || value === 'close') return null;
  return value.toLowerCase().split(',').map((name) => name.trim());
}

function without(list: HeaderList, names: readonly string[]): HeaderList {
  return list.filter((_, at) => !names.includes(list[at - (at % 2)]!.toLowerCase()));
}

const appended = (before: string | undefined, last: string): string => (before === undefined || before.trim() === '' ? last : `${before}, ${last}`);

/** Node's own client reads headers as latin1 too. */
const textOf = (raw: Buffer | string): string => (typeof raw === 'string' ? raw : raw.toString('latin1'));
