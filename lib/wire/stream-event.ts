import type { Failure } from './failure';
import type { Usage } from './usage';

/** Terminal reasons, as OpenAI spells them. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter';

/** The canonical event language that every wire is read into and every surface writes from. */
export type StreamEvent =
  | { type: 'identity'; id: string; created: number; model: string }
  | { type: 'choice'; choice: number }
  | { type: 'text'; choice: number; text: string }
  | ReasoningEvent
  | { type: 'refusal'; choice: number; text: string }
  | { type: 'audio'; choice: number }
  | ToolCallEvent
  | SignatureEvent
  | { type: 'annotation'; choice: number; annotation: UrlCitation }
  | { type: 'logprobs'; choice: number; logprobs: unknown }
  | FinishEvent
  | { type: 'usage'; usage: Usage }
  | { type: 'dropped'; what: string }
  | { type: 'error'; failure: Failure }
  | { type: 'malformed'; detail: string }
  | { type: 'terminator' };

export interface ToolCallEvent {
  type: 'tool_call';
  choice: number;
  index: number;
  id: string | null;
  name: string | null;
  arguments: string;
  /** OpenAI's old `function_call`, or a spelling that nobody writes (arguments that are no string); absent where it is usual. */
  spelled?: 'function_call' | 'other';
}

export interface ReasoningEvent {
  type: 'reasoning';
  choice: number;
  text: string;
  /** The member that it came in, where that is not `reasoning_content`: some vendors of OpenAI's wire say `reasoning`. */
  spelled?: 'reasoning';
  /** It came among OpenRouter's `reasoning_details`, which hold more than events tell. */
  detailed?: true;
}

/**
 * What a provider wants back unchanged with the next turn: the signature of a thinking block, a block that was
 * encrypted whole, or the signature of one tool call. Opaque; only the wire that wrote it can read it, which
 * `format` says, so that it is never sent to another.
 */
export interface SignatureEvent {
  type: 'signature';
  choice: number;
  /** E.g. `anthropic-claude-v1`, `google-gemini-v1`, `openai-responses-v1`: the names that OpenRouter's `reasoning_details` use. */
  format: string;
  /** `signature` closes the reasoning text before it; `encrypted` stands in place of reasoning text. */
  kind: 'signature' | 'encrypted';
  data: string;
  /** The tool call that it belongs to (its `index`), or null for the reasoning. */
  tool: number | null;
  /** It came among OpenRouter's `reasoning_details`, which hold more than events tell. */
  detailed?: true;
}

/** OpenAI's `url_citation`; indexes count UTF-16 code units of the choice's whole text, null where the upstream gave none. */
export interface UrlCitation {
  url: string;
  title: string | null;
  startIndex: number | null;
  endIndex: number | null;
}

export interface FinishEvent {
  type: 'finish';
  choice: number;
  reason: FinishReason;
  /** The upstream's own word where it says more than `reason` does; null where they are the same. */
  native: string | null;
  /** The stop sequence that was met, where the upstream tells. */
  stopSequence: string | null;
}

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
  signature: false,
  annotation: false,
  logprobs: false,
  finish: true,
  usage: false,
  dropped: false,
  error: false,
  malformed: false,
  terminator: false,
} as const satisfies Record<StreamEvent['type'], boolean>;

/**
 * One upstream SSE event, read. `data` is the upstream's own JSON text, null where there is none that could be
 * relayed: the terminator, errors and malformed frames. A surface that speaks the upstream's dialect relays it
 * byte for byte; every other writes frames of its own from `events`.
 */
export interface Frame {
  data: string | null;
  /** The SSE `event:` name, empty where the dialect has none. */
  name: string;
  events: StreamEvent[];
}
