import { signed } from '@/app/_savers/saver-words';
import { formatCount, formatMoney } from '@/app/_ui';
import type { SavingsView } from '@/lib/management/schemas';

export type Sums = SavingsView['total'];
export type Row = SavingsView['data'][number];
export type Comparison = Sums['comparison'];
export type Amount = NonNullable<Comparison['tokens']>;

export const tokensText = (value: number): string => signed(Math.round(value));
export const moneyText = (value: number): string => formatMoney(Math.round(value));

/** A share with its sign, to a tenth of a percent: a loss begins with a minus. */
export function shareText(share: number): string {
  const percent = Math.round(Math.abs(share) * 1_000) / 10;
  return `${share < 0 && percent !== 0 ? '−' : ''}${percent}%`;
}

/** What came of it, in words: a loss is called one. */
export const outcomeText = (share: number): string => `${share < 0 ? 'lost' : 'saved'} ${shareText(Math.abs(share))}`;

export const intervalText = ({ low, high }: { low: number; high: number }, text: (value: number) => string): string => `${text(low)} to ${text(high)}`;

/** One sentence for the bars. */
export function barsSummary(savers: Sums['savers']): string {
  const counted = savers.filter((saver) => saver.tokens_saved !== null);
  if (counted.length === 0) return savers.length === 0 ? 'No saver changed anything in this time.' : 'What the savers changed was not counted in tokens.';
  const losses = counted.filter((saver) => saver.tokens_saved! < 0).length;
  return `${counted.length} ${counted.length === 1 ? 'saver' : 'savers'} changed something; ${losses === 0 ? 'none of them made requests longer' : `${losses} made requests longer: a loss, drawn to the left`}.`;
}

/** Where a bar lies between the largest loss and the largest gain, in percent of the width. */
export function barOf(value: number, most: number): { left: number; width: number } {
  const half = most === 0 ? 0 : (Math.abs(value) / most) * 50;
  return { left: value < 0 ? 50 - half : 50, width: half };
}

/** `1 call`, `2,000 calls`. */
export const callsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'call' : 'calls'}`;
