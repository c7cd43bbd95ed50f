/** What can be watched: plain data, also for the form in a browser. */

export type AlertUnit = 'calls' | 'percent';

export interface Kind {
  label: string;
  /** What its figure counts, for the form: "fires at so many …". */
  figure: string;
  /** When it fires, in a sentence. */
  meaning: string;
  unit: AlertUnit;
  threshold: number;
  windowS: number;
  /** Longest window: rows are counted for the short ones, and only looked for in the others. */
  maxWindowS: number;
  scopes: readonly Scope['type'][];
  /** `below`: it fires when the figure is under the threshold. */
  fires: 'at' | 'below';
  /** Thresholds, where only some make sense: each that is reached from the chosen one on is told. */
  steps?: readonly number[];
}

export type Scope = { type: 'all' } | { type: 'key' | 'route'; id: string };

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const ANY = ['all', 'key', 'route'] as const;

const counted = (label: string, meaning: string): Kind => ({ label, meaning, figure: 'calls in the window', unit: 'calls', threshold: 1, windowS: 300, maxWindowS: HOUR_S, scopes: ANY, fires: 'at' });
const share = (label: string, meaning: string, threshold: number): Kind => ({ label, meaning, figure: '% of calls in the window', unit: 'percent', threshold, windowS: 900, maxWindowS: HOUR_S, scopes: ANY, fires: 'at' });

/**
 * Failures are told apart by the state of the attempt and the bytes that had reached the client. The same 429 before
 * content was rerouted and nobody saw it; after content it has cut an answer: two kinds, never one.
 */
export const KINDS = {
  'rate_limited.before_content': counted('429 after 0 bytes', 'A provider refused for its rate limit before content: the next tier was asked, and no answer was cut.'),
  'rate_limited.after_content': counted('429 after N bytes', 'A provider hit its rate limit in the middle of an answer: the client has a truncated one.'),
  'stalled.before_content': counted('Stall before content', 'A provider fell silent, or did not answer in time, before content: the next tier was asked, and no answer was cut.'),
  'stalled.after_content': counted('Stall after content', 'A provider fell silent in the middle of an answer: the client has a truncated one.'),
  auth: counted('Credential rejected', 'A provider refused a connection’s key. Told for each connection.'),
  budget: {
    label: 'Budget used up', meaning: 'A key’s or the workspace’s budget of a day or a month reaches 50, 80 or 100%. Told once for each step from the threshold on; over when the share falls below it, at the latest with the next period.',
    figure: '% of the budget', unit: 'percent', threshold: 80, windowS: 60, maxWindowS: 60, scopes: ['all', 'key'], fires: 'at', steps: [50, 80, 100],
  },
  no_traffic: {
    label: 'No traffic', meaning: 'Fewer calls than the threshold came in a whole window. The window begins anew when the rule is made or switched on.',
    figure: 'calls in the window', unit: 'calls', threshold: 1, windowS: HOUR_S, maxWindowS: 7 * DAY_S, scopes: ANY, fires: 'below',
  },
  unpriced_model: counted('Unpriced model', 'Calls used tokens at a price that is not known: their cost is missing everywhere. Told for each model.'),
  failover_rate: share('Failover rate', 'Share of the answered calls that a tier answered after another one had failed.', 20),
  truncation_rate: share('Truncation rate', 'Share of the calls that had committed and were cut.', 2),
  error_rate: share('Error rate', 'Share of the calls with an attempt that ended rejected or truncated.', 5),
} as const satisfies Record<string, Kind>;

export type AlertKind = keyof typeof KINDS;
export const ALERT_KINDS = Object.keys(KINDS) as [AlertKind, ...AlertKind[]];

export const kindOf = (kind: AlertKind): Kind => KINDS[kind];

/** Shortest window. Every window is looked at twice in its length or more often. */
export const MIN_WINDOW_S = 10;
/** Longest pause between two looks at a workspace. */
export const MAX_PAUSE_S = 30;
export const DEFAULT_MIN_CALLS = 10;

/** How often a workspace with these windows is looked at, s. */
export const pauseFor = (windowsS: number[]): number => Math.max(1, Math.min(MAX_PAUSE_S, ...windowsS.map((windowS) => Math.floor(windowS / 2))));

/** An episode is over when its figure has been clear for so long without a break, s: a window, at most 15 minutes. */
export function clearForS(kind: AlertKind, windowS: number): number {
  // A silence has lasted a window by itself, and what a budget has spent does not flap.
  if (kind === 'no_traffic' || kind === 'budget') return 0;
  return Math.min(windowS, 900);
}

/** 90 -> "90 s", 300 -> "5 min", 3600 -> "1 h". */
export function spanWords(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
