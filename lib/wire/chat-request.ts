/**
 * A chat request in the one language that every adapter can translate from: the body of OpenAI's chat completions,
 * plus the little that other surfaces can say and that body cannot. Made by a surface, read by adapters; neither
 * changes it, since the next tier is translated from the same one.
 */
export interface ChatRequest {
  /** OpenAI's members, without `model`, `stream` and `stream_options`. Messages and tools are not checked deeper than the surface did. */
  body: Readonly<Record<string, unknown>>;
  /** Anthropic's and Gemini's `top_k`. */
  topK: number | null;
}

/** Why a request cannot be put into a wire's words without changing what it asks for. */
export interface Unrepresentable {
  /** The member, as the client wrote it where the surface says so, else by its canonical name; paths like `messages[2].content[0]`. */
  param: string;
  message: string;
  /** `unsupported_operation`: not the member is the trouble, the wire cannot be asked for this at all. */
  code: 'unsupported_parameter' | 'unsupported_value' | 'unsupported_operation';
}

/**
 * A surface's request in the canonical language. `dropped` names hints of the client's that got lost on the way;
 * `places`, where a surface's messages are not the canonical ones, says for each of those where the client wrote it.
 */
export type Canonical = { ok: true; chat: ChatRequest; dropped: readonly string[]; places?: readonly string[] } | { ok: false; why: Unrepresentable };

export const unsupported = (param: string, message: string): Unrepresentable => ({ param, message, code: 'unsupported_parameter' });
export const unsupportedValue = (param: string, message: string): Unrepresentable => ({ param, message, code: 'unsupported_value' });
