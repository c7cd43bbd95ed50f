import { textOf } from '@/app/_shell/form';
import { numberOf } from '@/app/_shell/form-number';
import { ALERT_KINDS, kindOf, type AlertKind, type Scope } from '@/lib/alerts/kinds';
import { WINDOW_UNITS, type WindowUnit } from './window-parts';

/** What the form holds, as the API takes it. What is no number is left for the schema to name. */
export function ruleOf(form: FormData): Record<string, unknown> {
  const scope = textOf(form, 'scope') ?? 'all';
  const [type, ...id] = scope.split(':');
  const amount = numberOf(form, 'window');
  const unit = textOf(form, 'window_unit') ?? 's';
  const minCalls = numberOf(form, 'min_calls');
  return {
    name: textOf(form, 'name') ?? '',
    kind: textOf(form, 'kind'),
    threshold: numberOf(form, 'threshold') ?? Number.NaN,
    ...(amount === undefined ? {} : { window_s: amount * (unit in WINDOW_UNITS ? WINDOW_UNITS[unit as WindowUnit] : 1) }),
    ...(minCalls === undefined ? {} : { min_calls: minCalls }),
    scope: type === 'all' ? { type } : { type, id: id.join(':') },
    channels: form.getAll('channels').map(String),
  };
}

/** What a kind can judge of the form, with the kind's own figure for what is empty or no number: the schema names those. Null without a kind. */
export function partsOf(form: FormData): { kind: AlertKind; threshold: number; windowS: number; scopeType: Scope['type'] } | null {
  const { kind: named, threshold, window_s: windowS, scope } = ruleOf(form) as { kind?: string; threshold: number; window_s?: number; scope: { type: string } };
  const kind = ALERT_KINDS.find((each) => each === named);
  if (kind === undefined) return null;
  const usual = kindOf(kind);
  const scopeType = scope.type === 'key' || scope.type === 'route' ? scope.type : 'all';
  return { kind, threshold: Number.isFinite(threshold) ? threshold : usual.threshold, windowS: Number.isFinite(windowS) ? windowS! : usual.windowS, scopeType };
}

/** "1h", "8h", "1d", "7d" from now, as a moment; null takes the mute away. */
export function mutedUntil(choice: string | undefined, nowMs: number): string | null {
  const found = /^(\d{1,3})(h|d)$/.exec(choice ?? '');
  return found === null ? null : new Date(nowMs + Number(found[1]) * WINDOW_UNITS[found[2] as 'h' | 'd'] * 1000).toISOString();
}
