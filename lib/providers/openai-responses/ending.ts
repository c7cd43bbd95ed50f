import { failure, type Failure, isObject, type StreamEvent } from '../../wire';
import { failedResponse } from './failure';
import type { OutputItems } from './output-items';
import { readUsage } from './usage';

/**
 * How a whole Response ended, told as events: usage, then the finish or the error. An ending of no known kind is a
 * failure, never taken for a lawful end.
 */
export function endingOf(response: Record<string, unknown>, status: unknown, items: OutputItems, events: StreamEvent[]): Failure | null {
  const usage = readUsage(response.usage);
  if (usage !== null) events.push({ type: 'usage', usage });
  if (status === 'completed' && !response.error) {
    const reason = items.calls > 0 ? 'tool_calls' : 'stop';
    events.push({ type: 'finish', choice: 0, reason, native: 'completed', stopSequence: null });
    return null;
  }
  if (status === 'incomplete' && !response.error) {
    const why = isObject(response.incomplete_details) ? response.incomplete_details.reason : undefined;
    const reason = why === 'max_output_tokens' || why === 'max_tokens' ? 'length' : why === 'content_filter' ? 'content_filter' : null;
    if (reason === null) return failure('server_error', `the response is incomplete for an unknown reason (${JSON.stringify(why)?.slice(0, 80)})`);
    events.push({ type: 'finish', choice: 0, reason, native: `incomplete:${String(why)}`, stopSequence: null });
    return null;
  }
  return failedResponse(response);
}
