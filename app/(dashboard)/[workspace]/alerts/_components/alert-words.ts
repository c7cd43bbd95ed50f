import type { Tone } from '@/app/_ui';
import { kindOf, spanWords } from '@/lib/alerts/kinds';
import type { AlertEventView, AlertView, DeliveryView } from '@/lib/management/schemas';

/** "at least 3 calls in 5 min", "at least 20% of 10 calls or more in 15 min". */
export function firesWords({ kind, threshold, window_s: windowS, min_calls: minCalls }: Pick<AlertView, 'kind' | 'threshold' | 'window_s' | 'min_calls'>): string {
  const { unit, fires, steps } = kindOf(kind);
  if (steps !== undefined) return `at ${steps.filter((step) => step >= threshold).map((step) => `${step}%`).join(', ')}`;
  const calls = threshold === 1 ? 'call' : 'calls';
  if (fires === 'below') return threshold === 1 ? `no call in ${spanWords(windowS)}` : `fewer than ${threshold} calls in ${spanWords(windowS)}`;
  return unit === 'calls' ? `at least ${threshold} ${calls} in ${spanWords(windowS)}` : `at least ${threshold}%, of ${minCalls} ${minCalls === 1 ? 'call' : 'calls'} or more in ${spanWords(windowS)}`;
}

export function scopeWords({ type, name }: AlertView['scope']): string {
  if (type === 'all') return 'all calls';
  return name === null ? `a ${type} that is gone` : `${type} ${name}`;
}

export const isMuted = (alert: Pick<AlertView, 'muted_until'>, nowMs: number): boolean => alert.muted_until !== null && Date.parse(alert.muted_until) > nowMs;

export const STATE_LOOK: Record<AlertView['state'], { tone: Tone; word: string }> = {
  ok: { tone: 'good', word: 'clear' },
  firing: { tone: 'danger', word: 'firing' },
  disabled: { tone: 'off', word: 'off' },
  not_evaluated: { tone: 'neutral', word: 'not looked at yet' },
};

export const EVENT_LOOK: Record<AlertEventView['type'], { tone: Tone; word: string }> = {
  fired: { tone: 'danger', word: 'fired' },
  recovered: { tone: 'good', word: 'recovered' },
  test: { tone: 'neutral', word: 'test' },
};

export const DELIVERY_LOOK: Record<DeliveryView['state'], { tone: Tone; word: string }> = {
  queued: { tone: 'neutral', word: 'waiting' },
  delivered: { tone: 'good', word: 'delivered' },
  failed: { tone: 'danger', word: 'failed' },
  not_configured: { tone: 'warning', word: 'kept here' },
  dropped: { tone: 'off', word: 'dropped' },
};
