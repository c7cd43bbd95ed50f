import { Refusal } from '../../std';
import { checkUrl, type GuardRules } from '../../outbound';

/**
 * A base URL as it is stored (no trailing slash), and the origin that its credential belongs to.
 * Judged by its text alone: saving contacts nobody. Throws Refusal('invalid') on `base_url`.
 */
export function checkedBaseUrl(text: string, rules: GuardRules): { baseUrl: string; origin: string } {
  const verdict = checkUrl(text.trim(), rules);
  if (verdict.ok) return verdict;
  throw new Refusal('invalid', `base_url: ${verdict.reason}.`, [{ field: 'base_url', message: verdict.reason }]);
}
