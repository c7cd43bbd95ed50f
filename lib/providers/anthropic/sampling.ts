import { isAbsent, type Losses } from '../../wire';
import type { Members } from './json-values';
import type { ModelFamily } from './model-families';

export interface Sampling {
  /** `temperature`, `top_p`, `top_k` as the wire has them: only what differs from the default. */
  members: Members;
  /** A thinking budget cannot go with it. */
  barsBudget: boolean;
}

/** The wire's temperature ends at 1, where the client's ends at 2; newer models take nothing but the default. */
export function samplingOf(body: Members, topK: number | null, family: ModelFamily, losses: Losses): Sampling {
  const members: Members = {};
  const temperature = numberOf(body, 'temperature', losses);
  const topP = numberOf(body, 'top_p', losses);
  if (temperature !== null && temperature !== 1) {
    if (temperature < 0 || temperature > 1) losses.refuseValue('temperature', '`temperature` must be between 0 and 1 for this model.');
    else if (family.sampling === 'default') losses.refuseValue('temperature', 'This model takes only the default `temperature`, 1.');
    else members.temperature = temperature;
  }
  if (topP !== null && topP !== 1) {
    if (topP < 0 || topP > 1) losses.refuseValue('top_p', '`top_p` must be between 0 and 1.');
    else if (family.sampling === 'default' && topP < 0.99) losses.refuseValue('top_p', 'This model takes only the default `top_p`, 1.');
    else if (family.sampling === 'one' && members.temperature !== undefined) losses.refuseValue('top_p', '`temperature` and `top_p` cannot both be set for this model.');
    else members.top_p = topP;
  }
  if (topK !== null) {
    if (family.sampling === 'default') losses.refuse('top_k', 'This model has no `top_k`.');
    else members.top_k = topK;
  }
  return { members, barsBudget: members.temperature !== undefined || members.top_k !== undefined || (topP !== null && topP < 0.95) };
}

function numberOf(body: Members, name: string, losses: Losses): number | null {
  const value = body[name];
  if (typeof value === 'number') return value;
  if (!isAbsent(value)) losses.refuseValue(name, `\`${name}\` must be a number.`);
  return null;
}

/** The client's own limit; null without one. */
export function outputLimit(body: Members, losses: Losses): number | null {
  const name = isAbsent(body.max_completion_tokens) ? 'max_tokens' : 'max_completion_tokens';
  const value = body[name];
  if (isAbsent(value)) return null;
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  losses.refuseValue(name, `\`${name}\` must be a positive integer.`);
  return null;
}

export function stopSequences(stop: unknown, losses: Losses): string[] | null {
  if (isAbsent(stop)) return null;
  const list: unknown[] = Array.isArray(stop) ? stop : [stop];
  for (const each of list) {
    if (typeof each !== 'string') losses.refuseValue('stop', '`stop` must be a string or a list of strings.');
    else if (each.trim() === '') losses.refuseValue('stop', 'A stop sequence must hold more than white space for this model.');
  }
  return list.length === 0 ? null : (list as string[]);
}
