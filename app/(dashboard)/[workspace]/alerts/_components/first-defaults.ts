import { DEFAULT_MIN_CALLS, KINDS } from '@/lib/alerts/kinds';
import type { AlertDefaults } from './alert-form';

/** What a new alert begins with: the failure that a client notices. */
export function firstDefaults(): AlertDefaults {
  const { threshold, windowS } = KINDS['rate_limited.after_content'];
  return { name: '', kind: 'rate_limited.after_content', threshold, windowS, minCalls: DEFAULT_MIN_CALLS, scope: 'all', channels: [] };
}
