import type { StreamEvent } from '../wire';

/** Ways to end that are an answer's own, and that the same request would meet again. */
const REASONS: ReadonlySet<string> = new Set(['stop', 'length', 'tool_calls', 'function_call']);

/** Upstreams' own words for a turn that is to be gone on with, which `stop` or `length` stand in for. */
const UNFINISHED: ReadonlySet<string> = new Set(['pause_turn', 'compaction', 'model_context_window_exceeded']);

/**
 * May this finished answer be served again? Every choice ended for a reason of its own, all tool arguments parse,
 * and where the client got the provider's own bytes, nothing stood in them that the events do not tell: then what
 * would be replayed is what was said.
 */
export function isStorable(events: readonly StreamEvent[], own: boolean): boolean {
  const calls = new Map<string, string>();
  let finished = false;
  for (const event of events) {
    if (event.type === 'finish') {
      if (!REASONS.has(event.reason) || (event.native !== null && UNFINISHED.has(event.native))) return false;
      finished = true;
    } else if (event.type === 'tool_call') {
      const key = `${event.choice}:${event.index}`;
      calls.set(key, (calls.get(key) ?? '') + event.arguments);
    } else if (own && (event.type === 'dropped' || ((event.type === 'reasoning' || event.type === 'signature') && event.detailed === true))) {
      return false;
    }
  }
  return finished && [...calls.values()].every(parses);
}

/** No arguments at all are how some upstreams write none. */
function parses(text: string): boolean {
  try {
    JSON.parse(text === '' ? '{}' : text);
    return true;
  } catch {
    return false; // the answer to the question, not an error
  }
}
