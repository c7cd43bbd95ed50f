import { Chip, type Tone } from '@/app/_ui';
import type { ClaimStatus } from '@/lib/claims';

/** How each status reads. Which one a claim has is never decided here. */
const LOOK: Record<ClaimStatus, { tone: Tone; word: string; meaning: string }> = {
  failing: { tone: 'danger', word: 'failing', meaning: 'The latest probe saw something else than the claim says.' },
  stale: { tone: 'warning', word: 'stale', meaning: 'It has not been checked recently enough to be relied on.' },
  shipped: { tone: 'good', word: 'shipped', meaning: 'The product does this, and a recent probe saw it.' },
  unsupported: { tone: 'off', word: 'unsupported', meaning: 'The product does not do this, and a recent probe saw that it did not happen.' },
  measured: { tone: 'good', word: 'measured', meaning: 'Measured against a control group.' },
  estimate_only: { tone: 'info', word: 'estimate only', meaning: 'Estimated; there is no control group.' },
  not_measured: { tone: 'neutral', word: 'not measured', meaning: 'Nothing was measured, so nothing is claimed.' },
};

/** The order in which a reader should see them: what needs attention first. */
export const STATUS_ORDER = Object.keys(LOOK) as ClaimStatus[];

export const statusMeaning = (status: ClaimStatus): string => LOOK[status].meaning;

export function ClaimStatusChip({ status }: { status: ClaimStatus }) {
  const { tone, word, meaning } = LOOK[status];
  return <span title={meaning}><Chip tone={tone}>{word}</Chip></span>;
}
