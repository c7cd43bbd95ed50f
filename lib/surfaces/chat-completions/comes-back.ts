import type { StreamEvent } from '../../wire';
import { callSpelling } from './parts';

/**
 * Would a provider's own chat completion say the same, written again from its events? Not where it ended with a word of
 * its own, where a call has no id or name (one would be made up), or where a call is not spelled as we would spell it.
 */
export function comesBack(events: readonly StreamEvent[], request: Readonly<Record<string, unknown>>): boolean {
  const { legacy } = callSpelling(request);
  /** `choice index` of the calls that came so far, and whether they have told their name and id. */
  let calls: Map<string, { id: boolean; name: boolean }> | null = null;
  for (const event of events) {
    if (event.type === 'finish' && (event.native !== null || (legacy && event.reason === 'tool_calls'))) return false;
    if (event.type !== 'tool_call') continue;
    const old = event.spelled === 'function_call';
    if (event.spelled === 'other' || (legacy && !old)) return false;
    calls ??= new Map();
    const key = `${event.choice} ${event.index}`;
    const told = calls.get(key) ?? { id: old, name: false };
    calls.set(key, { id: told.id || event.id !== null, name: told.name || event.name !== null });
  }
  return calls === null || [...calls.values()].every(({ id, name }) => id && name);
}
