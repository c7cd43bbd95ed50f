import type { FinishEvent } from '../../wire';

/** What an answer ended with, as far as the reason hangs on it. */
export interface Ended {
  finish: FinishEvent | null;
  calledTools: boolean;
  refused: boolean;
}

/** `stop_reason` and `stop_sequence`. A message with tool calls ends in `tool_use` here, also where the upstream said `stop`. */
export function stopReason({ finish, calledTools, refused }: Ended): { stop_reason: string; stop_sequence: string | null } {
  const stop = (reason: string) => ({ stop_reason: reason, stop_sequence: null });
  switch (finish?.reason) {
    case 'length':
      return stop('max_tokens');
    case 'content_filter':
      return stop('refusal');
    case 'tool_calls':
    case 'function_call':
      return stop('tool_use');
    default:
      if (finish?.stopSequence != null) return { stop_reason: 'stop_sequence', stop_sequence: finish.stopSequence };
      return stop(calledTools ? 'tool_use' : refused ? 'refusal' : 'end_turn');
  }
}

/** The upstream's own word for the end, where it is not the one that `stop_reason` says already. */
export const otherWord = (finish: FinishEvent | null, { stop_reason: said }: { stop_reason: string }): string | null => (finish === null || finish.native === said ? null : finish.native);
