import type { Later, Script, Store } from './store';

/** A counter's next step. Counters hold whole numbers up to 2^53 and never go below 0. */
export interface Step {
  key: string;
  /** Whole; negative gives back. */
  by: number;
  /** From the counter's first step on: later steps do not prolong it. */
  ttlMs: number;
}

export interface BoundedStep extends Step {
  /** The step is refused when the counter would go beyond it. */
  max: number;
}

export interface Admission {
  admitted: boolean;
  /** Position of the first step that was refused, else null. */
  refused: number | null;
  /** After the steps; where one was refused, as they stood and stand. */
  values: number[];
}

/** Moves every counter. The new values, in the same order. */
export function addMany(store: Store, steps: readonly Step[]): Later<number[]> {
  return store.run(ADD, steps.map(({ key }) => key), steps.flatMap(({ by, ttlMs }) => [by, ttlMs]));
}

/** Moves every counter, or none when one of them would go beyond its bound. */
export function addWithin(store: Store, steps: readonly BoundedStep[]): Later<Admission> {
  const replied = store.run(ADD_WITHIN, steps.map(({ key }) => key), steps.flatMap(({ by, ttlMs, max }) => [by, ttlMs, max]));
  return replied instanceof Promise ? replied.then(admission) : admission(replied);
}

const admission = ([refused, ...values]: number[]): Admission => ({ admitted: refused === 0, refused: refused === 0 ? null : refused! - 1, values });

/** `ARGV[…]` goes to INCRBY as it came: Lua would write a large number with an exponent. */
const STEP_LUA = `
local function step(key, by, ttl)
  local now = redis.call('INCRBY', key, by)
  if now < 0 then
    redis.call('INCRBY', key, -now)
    now = 0
  end
  if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ttl) end
  return now
end`;

const ADD: Script = {
  name: 'ohmAdd',
  lua: `${STEP_LUA}
local out = {}
for i, key in ipairs(KEYS) do out[i] = step(key, ARGV[2 * i - 1], ARGV[2 * i]) end
return out`,
  local: (cells, keys, args) =>
    keys.map((key, at) => {
      const next = Math.max(0, (cells.get(key) ?? 0) + args[2 * at]!);
      cells.set(key, next, cells.ttlMs(key) || args[2 * at + 1]!);
      return next;
    }),
};

const ADD_WITHIN: Script = {
  name: 'ohmAddWithin',
  lua: `${STEP_LUA}
local out = { 0 }
for i, key in ipairs(KEYS) do
  local now = tonumber(redis.call('GET', key) or '0')
  out[i + 1] = now
  if out[1] == 0 and now + tonumber(ARGV[3 * i - 2]) > tonumber(ARGV[3 * i]) then out[1] = i end
end
if out[1] > 0 then return out end
for i, key in ipairs(KEYS) do out[i + 1] = step(key, ARGV[3 * i - 2], ARGV[3 * i - 1]) end
return out`,
  local: (cells, keys, args, nowMs) => {
    const values = keys.map((key) => cells.get(key) ?? 0);
    const refused = values.findIndex((value, at) => value + args[3 * at]! > args[3 * at + 2]!);
    if (refused !== -1) return [refused + 1, ...values];
    return [0, ...ADD.local(cells, keys, keys.flatMap((_, at) => [args[3 * at]!, args[3 * at + 1]!]), nowMs)];
  },
};
