import { Refusal } from '../../std';
import { checkUrl, type GuardRules } from '../../outbound';

/**
 * A base URL as it is stored (no trailing slash), and the origin that its credential belongs to.
 * Judged by its text alone: saving contacts nobody. A whole address of calls is refused: their path would be added to it. Throws Refusal('invalid') on `base_url`.
 */
export function checkedBaseUrl(text: string, rules: GuardRules): { baseUrl: string; origin: string } {
  const verdict = checkUrl(text.trim(), rules);
  if (!verdict.ok) throw wrong(verdict.reason);
  const added = PATHS_OF_CALLS.find((path) => verdict.baseUrl.endsWith(path));
  if (added !== undefined) throw wrong(`leave off ${added} at the end: calls add it themselves`);
  return verdict;
}

const PATHS_OF_CALLS = ['/chat/completions', '/messages', '/responses'];

function wrong(reason: string): Refusal {
  return new Refusal('invalid', `base_url: ${reason}.`, [{ field: 'base_url', message: reason }]);
}
