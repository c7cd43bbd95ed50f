import { clearForS, kindOf, type AlertKind } from './kinds';

/** A rule, as far as its evaluation goes. */
export interface Watched {
  kind: AlertKind;
  threshold: number;
  windowS: number;
  minCalls: number;
  /** Ms since the epoch. */
  watchedSinceMs: number;
}

/** One figure, read now. */
export interface Sample<F = unknown> {
  /** What of several it is about; empty where the rule is about one thing. */
  subject: string;
  /** Calls, or percent. */
  value: number;
  /** Of how many calls a share is; null for counts. */
  of: number | null;
  facts: F;
}

/** What is firing. */
export interface Episode {
  subject: string;
  level: number;
  clearSinceMs: number | null;
}

export type Transition<F = unknown> =
  | { type: 'fire'; sample: Sample<F>; level: number }
  /** It goes on, one step further: told as well. */
  | { type: 'rise'; sample: Sample<F>; level: number }
  /** It goes on. `sample` is null where there is nothing to read any more. */
  | { type: 'stay'; subject: string; sample: Sample<F> | null; level: number; clearSinceMs: number | null }
  | { type: 'recover'; subject: string; sample: Sample<F> | null };

/**
 * What follows from the figures of one rule at one moment. An episode begins at once, at most one for each subject,
 * and ends when it has been clear for `clearForS` without a break: a figure that swings about its threshold is one
 * episode. Pure.
 */
export function evaluate<F>(rule: Watched, samples: Sample<F>[], episodes: Episode[], nowMs: number): Transition<F>[] {
  const open = new Map(episodes.map((episode) => [episode.subject, episode]));
  const transitions: Transition<F>[] = [];
  for (const sample of samples) {
    const episode = open.get(sample.subject);
    open.delete(sample.subject);
    const level = levelOf(rule, sample, nowMs);
    if (episode === undefined) {
      if (level > 0) transitions.push({ type: 'fire', sample, level });
    } else transitions.push(goesOn(rule, episode, sample, level, nowMs));
  }
  for (const episode of open.values()) transitions.push(clearing(rule, episode, null, nowMs));
  return transitions;
}

/** The step that the figure has reached; 0 while it is clear. */
export function levelOf(rule: Watched, { value, of }: Sample, nowMs: number): number {
  const { fires, steps } = kindOf(rule.kind);
  if (fires === 'below') return value < rule.threshold && nowMs - rule.watchedSinceMs >= rule.windowS * 1000 ? 1 : 0;
  if (of !== null && of < rule.minCalls) return 0;
  if (steps === undefined) return value >= rule.threshold ? 1 : 0;
  return steps.findLast((step) => step >= rule.threshold && value >= step) ?? 0;
}

function goesOn<F>(rule: Watched, episode: Episode, sample: Sample<F>, level: number, nowMs: number): Transition<F> {
  if (level > episode.level) return { type: 'rise', sample, level };
  if (level > 0) return { type: 'stay', subject: episode.subject, sample, level, clearSinceMs: null };
  return clearing(rule, episode, sample, nowMs);
}

function clearing<F>(rule: Watched, { subject, level, clearSinceMs }: Episode, sample: Sample<F> | null, nowMs: number): Transition<F> {
  const since = clearSinceMs ?? nowMs;
  if (nowMs - since >= clearForS(rule.kind, rule.windowS) * 1000) return { type: 'recover', subject, sample };
  return { type: 'stay', subject, sample, level, clearSinceMs: since };
}
