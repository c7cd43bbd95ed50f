import type { FinishEvent, SignatureEvent, StreamEvent, UrlCitation } from '../../wire';

export type Delta = Record<string, unknown>;

type ToolCall = Extract<StreamEvent, { type: 'tool_call' }>;

/** A piece of a tool call. Id, type and name stand only where the call begins. */
export function fragmentOf(event: ToolCall, legacyFunctions: boolean): Delta {
  const { index, id, name } = event;
  if (legacyFunctions) return { function_call: { ...(name === null ? {} : { name }), arguments: event.arguments } };
  const made = { ...(name === null ? {} : { name }), arguments: event.arguments };
  return { tool_calls: [{ index, ...(id === null ? {} : { id, type: 'function' }), function: made }] };
}

/**
 * A signature for the client to send back with its next turn: in OpenRouter's `reasoning_details` where it belongs to
 * the reasoning, else in the `extra_content` of its tool call, where Google's own OpenAI endpoint puts it.
 */
export function reasoningDetail(event: SignatureEvent): Delta {
  if (event.tool !== null) return { tool_calls: [{ index: event.tool, extra_content: signatureOfCall(event) }] };
  return { reasoning_details: [detailOf(event)] };
}

export const detailOf = ({ kind, data, format }: SignatureEvent): object =>
  kind === 'signature' ? { type: 'reasoning.text', text: '', signature: data, format } : { type: 'reasoning.encrypted', data, format };

export const signatureOfCall = ({ data }: SignatureEvent): object => ({ google: { thought_signature: data } });

export const annotationOf = ({ url, title, startIndex, endIndex }: UrlCitation): object => ({
  type: 'url_citation',
  url_citation: { url, title: title ?? '', start_index: startIndex ?? 0, end_index: endIndex ?? 0 },
});

/** `native_finish_reason` is OpenRouter's name for the upstream's own word. */
export function finishOf(event: FinishEvent, legacyFunctions: boolean): { finish_reason: string; native_finish_reason?: string } {
  const reason = legacyFunctions && event.reason === 'tool_calls' ? 'function_call' : event.reason;
  return { finish_reason: reason, ...(event.native === null ? {} : { native_finish_reason: event.native }) };
}
