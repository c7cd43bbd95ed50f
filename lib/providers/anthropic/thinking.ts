import { isAbsent, type Losses } from '../../wire';
import type { Members } from './json-values';
import type { ModelFamily } from './model-families';

export interface Thinking {
  /** The wire's `thinking`; null where nothing is said of it. */
  thinking: Members | null;
  /** For the wire's `output_config`. */
  effort: string | null;
}

const NOTHING: Thinking = { thinking: null, effort: null };

/**
 * `reasoning_effort` in the words of the model's generation: an effort, or a number of tokens. `barred` says that the
 * rest of the request rules a thinking budget out; then thinking, the hint, gives way and is named.
 */
export function thinkingOf(effort: unknown, family: ModelFamily, maxTokens: number, barred: boolean, losses: Losses): Thinking {
  if (isAbsent(effort)) return NOTHING;
  if (typeof effort !== 'string' || !Object.hasOwn(EFFORTS, effort)) {
    losses.refuseValue('reasoning_effort', 'This model does not know this `reasoning_effort`.');
    return NOTHING;
  }
  if (effort === 'none') return withoutThinking(family, losses);
  const { word, budget } = EFFORTS[effort]!;
  if (family.thinking === 'adaptive') return { thinking: { type: 'adaptive', display: 'summarized' }, effort: word === 'xhigh' && !family.xhigh ? 'max' : word };
  const tokens = Math.min(budget, maxTokens - 1); // thinking counts into the answer's limit
  if (family.thinking === 'none' || barred || tokens < LEAST_BUDGET) {
    losses.drop('reasoning_effort');
    return NOTHING;
  }
  return { thinking: { type: 'enabled', budget_tokens: tokens }, effort: null };
}

function withoutThinking({ thinking, thinkingOff }: ModelFamily, losses: Losses): Thinking {
  if (thinking === 'none') return NOTHING;
  if (thinkingOff !== null) return { thinking: { type: thinkingOff }, effort: null };
  losses.drop('reasoning_effort'); // it always thinks: as little as it can
  return { thinking: null, effort: 'low' };
}

const LEAST_BUDGET = 1024;

const EFFORTS: Record<string, { word: string; budget: number }> = {
  none: { word: '', budget: 0 },
  minimal: { word: 'low', budget: 1024 },
  low: { word: 'low', budget: 1024 },
  medium: { word: 'medium', budget: 8192 },
  high: { word: 'high', budget: 24_576 },
  xhigh: { word: 'xhigh', budget: 32_768 },
  max: { word: 'max', budget: 32_768 },
};
