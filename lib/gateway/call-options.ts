import type { CallRequest } from './ports';
import { REFUSALS, type Rejection } from './rejection';

/** What a request's own headers ask of the gateway. */
export interface CallOptions {
  commit: 'first_content' | 'complete' | null;
  firstTierOnly: boolean;
  traceparent: string | null;
  /** Neither look for a stored answer nor store this one. */
  bypassReplay: boolean;
  /** Messages go out as they came. */
  saversOff: boolean;
  tag: string | null;
}

export function callOptions(headers: CallRequest['headers']): CallOptions | Rejection {
  const commit = one(headers['x-ohm-commit']);
  if (commit !== null && commit !== 'first_content' && commit !== 'complete') return REFUSALS.badHeader('X-Ohm-Commit', '`first_content` or `complete`');
  const fallback = one(headers['x-ohm-fallback']);
  if (fallback !== null && fallback !== 'off') return REFUSALS.badHeader('X-Ohm-Fallback', '`off`, or left out');
  const traceparent = one(headers.traceparent);
  const tag = one(headers['x-ohm-tag']) || null;
  if (tag !== null && !TAG.test(tag)) return REFUSALS.badHeader('X-Ohm-Tag', 'at most 64 printable ASCII characters');
  const cache = one(headers['x-ohm-cache']);
  if (cache !== null && cache !== 'bypass') return REFUSALS.badHeader('X-Ohm-Cache', '`bypass`, or left out');
  const savers = one(headers['x-ohm-savers']);
  if (savers !== null && savers !== 'off') return REFUSALS.badHeader('X-Ohm-Savers', '`off`, or left out');
  return {
    commit,
    firstTierOnly: fallback === 'off',
    traceparent: traceparent !== null && TRACEPARENT.test(traceparent) ? traceparent : null,
    bypassReplay: cache !== null || saysNoStore(headers['cache-control']),
    saversOff: savers !== null,
    tag,
  };
}

/** `no-store` alone: `no-cache` and `max-age=0` are what browsers and tools send by themselves. */
function saysNoStore(value: string | string[] | undefined): boolean {
  return value !== undefined && /(^|,)\s*no-store\s*(,|$)/i.test(String(value));
}

/** W3C Trace Context, section 3.2. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const TAG = /^[\x20-\x7e]{1,64}$/;

/** A header's value, trimmed; repeated headers count as their first. */
export function one(value: string | string[] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined ? null : first.trim();
}

/** The key that a request came with, by either of the headers that clients send one in. */
export function bearer(headers: CallRequest['headers']): string | null {
  const authorization = one(headers.authorization);
  if (authorization !== null) return /^bearer /i.test(authorization) ? authorization.slice(7).trim() : null;
  return one(headers['x-api-key']);
}
