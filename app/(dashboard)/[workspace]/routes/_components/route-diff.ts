import type { RouteBody, TierBody } from './route-draft';
import { tierWords } from './tier-words';

export interface Difference {
  what: string;
  from: string;
  to: string;
}

type Comparable = Pick<RouteBody, 'name' | 'commit' | 'deadline_ms' | 'tiers'>;

/** What turns one version of a route into another, member by member and place by place; empty when nothing does. */
export function diffRoutes(from: Comparable, to: Comparable): Difference[] {
  const differences: Difference[] = [
    { what: 'Name', from: from.name, to: to.name },
    { what: 'Commit', from: commitWords[from.commit], to: commitWords[to.commit] },
    { what: 'Deadline', from: `${from.deadline_ms} ms`, to: `${to.deadline_ms} ms` },
  ];
  for (let index = 0; index < Math.max(from.tiers.length, to.tiers.length); index++) {
    differences.push({ what: `Tier ${index + 1}`, from: tierText(from.tiers[index]), to: tierText(to.tiers[index]) });
  }
  return differences.filter((difference) => difference.from !== difference.to);
}

export const commitWords = { first_content: 'at the first content', complete: 'when the answer is complete' } as const;

function tierText(tier: TierBody | undefined): string {
  if (tier === undefined) return 'none';
  const clocks = [
    ['first content', tier.first_content_timeout_ms],
    ['idle', tier.idle_timeout_ms],
    ['response', tier.response_timeout_ms],
  ] as const;
  const set = clocks.filter(([, ms]) => ms !== null).map(([name, ms]) => `${name} ${ms} ms`);
  return set.length === 0 ? tierWords(tier) : `${tierWords(tier)} (${set.join(', ')})`;
}
