import { isAbsent, unsupportedValue } from '../../wire';
import { type Draft, refuse } from './draft';

/** Google's published equivalents of OpenAI's efforts, in tokens. */
const BUDGETS: Record<string, number> = { minimal: 512, low: 1_024, medium: 8_192, high: 24_576, xhigh: Infinity, max: Infinity };
const LEVELS: Record<string, string> = { minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH', xhigh: 'HIGH', max: 'HIGH' };

/**
 * `thinkingConfig` for an effort, or null where nothing is said. Budget and level together are rejected, so each
 * model gets the one it knows; one that thinks by itself, or never, is told nothing and the hint is named as lost.
 */
export function thinkingOf(effort: unknown, maxOutputTokens: unknown, draft: Draft): Record<string, unknown> | null {
  if (isAbsent(effort)) return null;
  if (typeof effort !== 'string' || (effort !== 'none' && !Object.hasOwn(BUDGETS, effort))) {
    refuse(draft, unsupportedValue('reasoning_effort', 'This effort is not known here.'));
    return null;
  }
  switch (draft.model.thinks) {
    case 'level':
      return levelOf(effort, draft);
    case 'budget':
      return budgetOf(effort, maxOutputTokens, draft);
    case 'never':
      if (effort !== 'none') draft.dropped.add('reasoning_effort');
      return null;
  }
}

function levelOf(effort: string, draft: Draft): Record<string, unknown> {
  const lowest = draft.model.pro ? 'LOW' : 'MINIMAL';
  if (effort === 'none' || effort === 'xhigh' || effort === 'max') draft.dropped.add('reasoning_effort');
  if (effort === 'none') return { thinkingLevel: lowest }; // it cannot be switched off
  return { thinkingLevel: effort === 'minimal' ? lowest : LEVELS[effort], includeThoughts: true };
}

/** Thinking counts against the answer's own limit: the budget stays below what the client allowed. */
function budgetOf(effort: string, maxOutputTokens: unknown, draft: Draft): Record<string, unknown> {
  const { pro, budget } = draft.model;
  if (effort === 'none') {
    if (pro) draft.dropped.add('reasoning_effort');
    return { thinkingBudget: pro ? budget.least : 0 };
  }
  const limit = typeof maxOutputTokens === 'number' ? maxOutputTokens - 1 : Infinity;
  const wanted = Math.min(BUDGETS[effort]!, budget.most, limit);
  if (wanted >= budget.least) return { thinkingBudget: wanted, includeThoughts: true };
  draft.dropped.add('reasoning_effort');
  return { thinkingBudget: pro ? budget.least : 0 };
}
