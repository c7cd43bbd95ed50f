import type { Cells, Script } from '../stores';
import { adjust, take } from './gcra';

/**
 * The atomic steps of rates. A bucket's cell holds the moment at which it is full again (see gcra.ts), a place's the
 * calls that are in it: in Redis a set of leases, in one process their number. The server's clock is the one that
 * counts. Keys: the buckets, then the places.
 */

/**
 * ARGV: number of buckets, member, lease ms; limit, window ms, units of each bucket; limit of each place. Replies the
 * position of what refused (0: nothing, and everything was taken), the moment, and when each bucket is full again.
 */
export const ADMIT: Script = {
  name: 'ohmAdmit',
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local n, member, lease = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local refused = 0
local before, after = {}, {}
for i = 1, n do
  local limit, window, units = tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2]), tonumber(ARGV[3 * i + 3])
  local per = window / limit
  local from = math.max(tonumber(redis.call('GET', KEYS[i]) or '0'), now)
  before[i], after[i] = from, from + units * per
  if refused == 0 and from + math.min(units, limit) * per - (now + window) > 1e-3 then refused = i end
end
for i = n + 1, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  if refused == 0 and redis.call('ZCARD', KEYS[i]) >= tonumber(ARGV[3 + 3 * n + i - n]) then refused = i end
end
local out = { string.format('%d', refused), string.format('%.3f', now) }
for i = 1, n do
  local full = before[i]
  if refused == 0 then
    full = after[i]
    redis.call('SET', KEYS[i], string.format('%.6f', full), 'PX', math.max(1, math.ceil(full - now)))
  end
  out[i + 2] = string.format('%.6f', full)
end
if refused == 0 then
  for i = n + 1, #KEYS do
    redis.call('ZADD', KEYS[i], now + lease, member)
    redis.call('PEXPIRE', KEYS[i], lease)
  end
end
return out`,
  local(cells, keys, args, nowMs) {
    const [n, , leaseMs] = args as [number, number, number];
    const takes = keys.slice(0, n).map((key, i) => take({ limit: args[3 * i + 3]!, windowMs: args[3 * i + 4]! }, cells.get(key) ?? 0, nowMs, args[3 * i + 5]!));
    let refused = takes.findIndex((each) => !each.allowed) + 1;
    for (let i = n; i < keys.length && refused === 0; i++) if ((cells.get(keys[i]!) ?? 0) >= args[3 + 2 * n + i]!) refused = i + 1;
    if (refused === 0) {
      for (const [i, { fullAtMs }] of takes.entries()) cells.set(keys[i]!, fullAtMs, Math.max(1, Math.ceil(fullAtMs - nowMs)));
      for (const key of keys.slice(n)) cells.set(key, (cells.get(key) ?? 0) + 1, leaseMs);
    }
    return [refused, nowMs, ...keys.slice(0, n).map((key, i) => (refused === 0 ? takes[i]!.fullAtMs : Math.max(cells.get(key) ?? 0, nowMs)))];
  },
};

/** ARGV: number of buckets, member; limit, window ms, units of each bucket (negative gives back). Replies nothing. */
export const RELEASE: Script = {
  name: 'ohmRelease',
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local n, member = tonumber(ARGV[1]), ARGV[2]
for i = 1, n do
  local limit, window, units = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2])
  local full = math.max(tonumber(redis.call('GET', KEYS[i]) or '0'), now) + units * window / limit
  if full > now then redis.call('SET', KEYS[i], string.format('%.6f', full), 'PX', math.ceil(full - now)) else redis.call('DEL', KEYS[i]) end
end
for i = n + 1, #KEYS do redis.call('ZREM', KEYS[i], member) end
return {}`,
  local(cells, keys, args, nowMs) {
    const n = args[0]!;
    for (const [i, key] of keys.slice(0, n).entries()) {
      const fullAtMs = adjust({ limit: args[3 * i + 2]!, windowMs: args[3 * i + 3]! }, cells.get(key) ?? 0, nowMs, args[3 * i + 4]!);
      cells.set(key, fullAtMs, Math.max(1, Math.ceil(fullAtMs - nowMs)));
    }
    for (const key of keys.slice(n)) giveBack(cells, key);
    return [];
  },
};

/** ARGV: member, lease ms. Prolongs the member's places; one that was given up stays so. */
export const RENEW: Script = {
  name: 'ohmRenew',
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, 'XX', now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', key, ARGV[2])
end
return {}`,
  local(cells, keys, args) {
    for (const key of keys) cells.set(key, cells.get(key) ?? 0, args[1]!);
    return [];
  },
};

/** ARGV: number of buckets. Takes nothing. Replies the moment, when each bucket is full again, and how many are in each place. */
export const LOOK: Script = {
  name: 'ohmLook',
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local n = tonumber(ARGV[1])
local out = { string.format('%.3f', now) }
for i = 1, #KEYS do
  if i <= n then out[i + 1] = string.format('%.6f', math.max(tonumber(redis.call('GET', KEYS[i]) or '0'), now))
  else out[i + 1] = string.format('%d', redis.call('ZCOUNT', KEYS[i], string.format('(%.3f', now), '+inf')) end
end
return out`,
  local(cells, keys, args, nowMs) {
    return [nowMs, ...keys.map((key, at) => (at < args[0]! ? Math.max(cells.get(key) ?? 0, nowMs) : (cells.get(key) ?? 0)))];
  },
};

function giveBack(cells: Cells, key: string): void {
  cells.set(key, Math.max(0, (cells.get(key) ?? 0) - 1), Math.max(1, cells.ttlMs(key)));
}
