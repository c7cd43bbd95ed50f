import { formatMoney } from '@/app/_ui/figures';
import type { CallRow, UsageRow } from '@/lib/metering/call-row';
import { addsUp } from '@/lib/metering/rates';

/** What a row's figures mean in words. Nothing that is not known is ever said as 0. Pure. */

export function costWords(call: Pick<CallRow, 'cost_nano_usd' | 'usage' | 'tier' | 'state'>): string {
  if (call.cost_nano_usd !== null) return formatMoney(call.cost_nano_usd);
  if (call.state === 'lost') return 'not known';
  if (call.tier === null) return 'none';
  return call.usage === null ? 'not reported' : 'unpriced';
}

/** The same with its reason, for the page of one call. */
export function costReason(call: Pick<CallRow, 'cost_nano_usd' | 'usage' | 'usage_source' | 'tier' | 'state' | 'price_version' | 'model' | 'replay' | 'budget_nano_usd'>): string {
  if (call.cost_nano_usd !== null) {
    if (call.replay === 'HIT') return 'A replayed answer costs nothing.';
    const basis = call.usage_source === 'estimate' ? 'from estimated tokens, so it is an estimate itself' : 'from the tokens that the provider reported';
    return `At the price of ${call.model ?? 'the served model'} in price table ${call.price_version ?? 'of no name'}, ${basis}.`;
  }
  if (call.state === 'lost') return 'The process ended before the call did; what it used is not known.';
  if (call.tier === null) return 'No tier served this call.';
  if (call.usage === null) return 'Neither the provider nor an estimate gave a token count.';
  if (call.budget_nano_usd != null) return `The figures contradict each other, or are too large to be added up, so they give no cost. Hard budgets were charged ${formatMoney(call.budget_nano_usd)} for it.`;
  if (!addsUp(call.usage)) return 'The figures contradict each other, so they give no cost.';
  return `No price is known for ${call.model ?? 'the served model'}. The tokens are on record; the cost is left open rather than called 0.`;
}

export const USAGE_NAMES = {
  prompt_tokens: 'Prompt',
  completion_tokens: 'Completion',
  total_tokens: 'Total',
  cached_tokens: 'of the prompt, cached',
  cache_write_tokens: 'of the prompt, written to the cache',
  reasoning_tokens: 'of the completion, reasoning',
} as const satisfies Record<keyof UsageRow, string>;

export function usageSourceWords(call: Pick<CallRow, 'usage' | 'usage_source' | 'usage_estimated' | 'state'>): string {
  if (call.usage === null || call.usage_source === null) return call.state === 'lost' ? 'Not known: the process ended first.' : 'Not reported.';
  if (call.usage_source === 'provider') return 'As the provider reported it.';
  const members = call.usage_estimated.map((member) => USAGE_NAMES[member].toLowerCase());
  const what = members.length === 0 ? 'The counts are' : `${listed(members)} ${members.length === 1 ? 'is' : 'are'}`;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} estimated as characters / 4 of what was sent and flushed, an attachment as 1,000 tokens.${
    members.length > 0 && members.length < knownMembers(call.usage) ? ' The rest is as the provider reported it.' : ''
  }`;
}

/** A failure and its moment, from the alert class, with what the client saw of it: that is the state's to say. */
export function alertWords({ alert_class: alertClass, state, status }: Pick<CallRow, 'alert_class' | 'state' | 'status'>): string | null {
  if (alertClass === null) return null;
  const [cls = '', moment] = alertClass.split('.');
  return `${cls.replaceAll('_', ' ')}, ${moment === 'after_content' ? 'after content: the client was cut off' : `before content: ${seenBefore(state, status)}`}`;
}

function seenBefore(state: CallRow['state'], status: number | null): string {
  if (state === 'rejected') return status === null ? 'no answer was begun and the call was rejected' : `no part of an answer was sent, and the client got the error ${status}`;
  if (state === 'aborted') return 'nothing of that attempt was sent; the client left later';
  if (state === 'lost') return 'what the client saw is not known';
  return 'the client saw nothing of it, another attempt answered';
}

function knownMembers(usage: UsageRow): number {
  return Object.values(usage).filter((count) => count !== null).length;
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
