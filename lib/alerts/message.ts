import { kindOf, KINDS, spanWords, type AlertKind, type AlertUnit } from './kinds';

/** What stands behind a figure, as events and messages carry it. No prompts, no answers. */
export interface AlertFacts {
  /** Calls that a share is of; null for counts. */
  of: number | null;
  /** The newest call that was counted; null where a figure is about no single one. */
  latest_call: LatestCall | null;
  budget: BudgetFacts | null;
  /** Why an episode is over; null while it is not. */
  ended: 'clear' | 'rule_edited' | 'rule_disabled' | 'rule_deleted' | null;
}

export interface LatestCall {
  id: string;
  at: string;
  provider: string | null;
  model: string | null;
  upstream_status: number | null;
  /** Of that attempt, that reached the client. */
  flushed_bytes: number;
}

export interface BudgetFacts {
  scope: 'key' | 'workspace';
  key_id: string | null;
  name: string;
  period: 'day' | 'month';
  limit_nano_usd: number;
  spent_nano_usd: number;
  resets_at: string;
}

export const NO_FACTS: AlertFacts = { of: null, latest_call: null, budget: null, ended: null };

/** What is sent: ready to read, and ready to be signed. It is kept with its delivery. */
export interface AlertMessage {
  subject: string;
  text: string;
  payload: AlertPayload;
}

/** The body of a webhook, as Standard Webhooks advises: type, timestamp, data. */
export interface AlertPayload {
  type: 'alert.fired' | 'alert.recovered' | 'alert.test';
  timestamp: string;
  data: {
    alert_id: string;
    alert_name: string;
    kind: AlertKind;
    /** The same in `fired` and in the `recovered` that ends it. */
    episode_id: string;
    event_id: string;
    workspace: { id: string; slug: string; name: string };
    scope: { type: 'all' | 'key' | 'route'; id: string | null; name: string | null };
    subject: string;
    value: number | null;
    threshold: number;
    unit: AlertUnit;
    window_s: number;
    summary: string;
    url: string;
  } & AlertFacts;
}

export interface MessageInput {
  event: { id: string; episodeId: string; type: 'fired' | 'recovered' | 'test'; subject: string; value: number | null; threshold: number; summary: string; facts: AlertFacts; at: Date };
  rule: { id: string; name: string; kind: AlertKind; windowS: number; scopeType: 'all' | 'key' | 'route'; scopeId: string | null };
  scopeName: string | null;
  workspace: { id: string; slug: string; name: string };
  /** Origin of the dashboard. */
  publicUrl: string;
}

/** Pure. */
export function alertMessage({ event, rule, scopeName, workspace, publicUrl }: MessageInput): AlertMessage {
  const url = `${publicUrl}/${workspace.slug}/alerts/${rule.id}`;
  const call = event.facts.latest_call;
  const lines = [
    event.summary,
    '',
    `Alert: ${rule.name} (${KINDS[rule.kind].label})`,
    `Workspace: ${workspace.name}`,
    `Watches: ${scopeWords(rule.scopeType, scopeName)}`,
    `Time: ${event.at.toISOString()} (UTC)`,
    ...(call === null ? [] : [`Latest call: ${publicUrl}/${workspace.slug}/calls/${call.id}`]),
    '',
    url,
  ];
  return {
    subject: `[Ohm] ${{ fired: 'Firing', recovered: 'Recovered', test: 'Test' }[event.type]}: ${rule.name} (${workspace.name})`,
    text: lines.join('\n'),
    payload: {
      type: `alert.${event.type}`,
      timestamp: event.at.toISOString(),
      data: {
        alert_id: rule.id,
        alert_name: rule.name,
        kind: rule.kind,
        episode_id: event.episodeId,
        event_id: event.id,
        workspace,
        scope: { type: rule.scopeType, id: rule.scopeId, name: scopeName },
        subject: event.subject,
        value: event.value,
        threshold: event.threshold,
        unit: kindOf(rule.kind).unit,
        window_s: rule.windowS,
        summary: event.summary,
        url,
        ...event.facts,
      },
    },
  };
}

function scopeWords(type: 'all' | 'key' | 'route', name: string | null): string {
  return type === 'all' ? 'all calls of the workspace' : `${type} ${name ?? '(gone)'}`;
}

/** What happened, in a sentence. Pure. */
export function firedSummary(kind: AlertKind, windowS: number, sample: { subject: string; value: number; facts: AlertFacts }): string {
  const { subject, value, facts } = sample;
  const calls = `${count(value)} ${value === 1 ? 'call' : 'calls'} in ${spanWords(windowS)}`;
  switch (kind) {
    case 'rate_limited.before_content':
    case 'rate_limited.after_content':
      return `${facts.latest_call?.upstream_status ?? 'Rate limit'} after ${bytesOf(kind, facts)}: ${calls}${by(facts)}.`;
    case 'stalled.before_content':
    case 'stalled.after_content':
      return `Stalled after ${bytesOf(kind, facts)}: ${calls}${by(facts)}.`;
    case 'auth':
      return `Connection ${subject} had its credential rejected: ${calls}${by(facts)}.`;
    case 'budget':
      return budgetSummary(value, facts.budget);
    case 'no_traffic':
      return value === 0 ? `No calls in ${spanWords(windowS)}.` : `Only ${calls}.`;
    case 'unpriced_model':
      return `No price is known for ${subject}: ${calls} used tokens.`;
    case 'failover_rate':
    case 'truncation_rate':
    case 'error_rate':
      return `${KINDS[kind].label} ${percent(value)} of ${count(facts.of ?? 0)} ${facts.of === 1 ? 'call' : 'calls'} in ${spanWords(windowS)}.`;
  }
}

/** Why it is over, in a sentence. Pure. */
export function recoveredSummary(kind: AlertKind, subject: string, ended: Exclude<AlertFacts['ended'], null>, clearS: number): string {
  const what = `${KINDS[kind].label}${subject === '' || kind === 'budget' ? '' : ` (${subject})`}`;
  switch (ended) {
    case 'clear':
      return `Recovered: ${what}${clearS === 0 ? '' : `, clear for ${spanWords(clearS)}`}.`;
    case 'rule_edited':
      return `Ended: ${what}; the alert now watches something else.`;
    case 'rule_disabled':
      return `Ended: ${what}; the alert was switched off.`;
    case 'rule_deleted':
      return `Ended: ${what}; the alert was deleted.`;
  }
}

const bytesOf = (kind: AlertKind, facts: AlertFacts): string => (kind.endsWith('before_content') ? '0 bytes' : facts.latest_call === null ? 'content' : `${count(facts.latest_call.flushed_bytes)} bytes`);

function by({ latest_call: call }: AlertFacts): string {
  return call?.provider == null ? '' : `, the latest by ${call.provider}${call.model === null ? '' : ` ${call.model}`}`;
}

function budgetSummary(value: number, budget: BudgetFacts | null): string {
  if (budget === null) return `${percent(value)} of a budget is used.`;
  const whose = budget.scope === 'workspace' ? 'the workspace' : `key ${budget.name}`;
  return `${percent(value)} of the ${budget.period === 'day' ? 'daily' : 'monthly'} budget of ${whose} is used: ${usd(budget.spent_nano_usd)} of ${usd(budget.limit_nano_usd)}. It begins anew at ${budget.resets_at} (UTC).`;
}

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const percent = (value: number): string => `${Number(value.toFixed(value < 10 ? 2 : 1))}%`;
const usd = (nanoUsd: number): string => `$${(nanoUsd / 1e9).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 9 })}`;
