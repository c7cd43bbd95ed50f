import type { Failure } from './failure';
import type { Usage } from './usage';

/** Terminal reasons, as OpenAI spells them. An unknown one is kept as the upstream wrote it and named by the adapter as a failure. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter';

/** The canonical event language that every wire is read into. */
export type StreamEvent =
  | { type: 'identity'; id: string; created: number; model: string }
  | { type: 'choice'; choice: number }
  | { type: 'text'; choice: number; text: string }
  | { type: 'reasoning'; choice: number; text: string }
  | { type: 'refusal'; choice: number; text: string }
  | { type: 'audio'; choice: number }
  | { type: 'tool_call'; choice: number; index: number; id: string | null; name: string | null; arguments: string }
  | { type: 'finish'; choice: number; reason: FinishReason }
  | { type: 'usage'; usage: Usage }
  | { type: 'error'; failure: Failure }
  | { type: 'malformed'; detail: string }
  | { type: 'terminator' };

/**
 * Does the client see something of the model's answer in this event?
 * One table over every type, so that a new type cannot be forgotten. A `finish` ends a
 * legitimately empty answer; the other content types carry text that the adapter guarantees non-empty.
 * `choice` says that a choice has begun (a role frame, an empty delta): preamble.
 */
export const bearsContent = {
  identity: false,
  choice: false,
  text: true,
  reasoning: true,
  refusal: true,
  audio: true,
  tool_call: true,
  finish: true,
  usage: false,
  error: false,
  malformed: false,
  terminator: false,
} as const satisfies Record<StreamEvent['type'], boolean>;

/**
 * One upstream SSE event, read. `data` is the upstream's own JSON text where client and upstream
 * speak the same wire (relayed byte for byte), else null and the surface writes its own frames from `events`.
 * The terminator, errors and malformed frames have `data` null: they are never relayed.
 */
export interface Frame {
  data: string | null;
  events: StreamEvent[];
}
