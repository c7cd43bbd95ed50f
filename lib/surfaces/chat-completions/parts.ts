import type { FinishEvent, SignatureEvent, ToolCallEvent, UrlCitation } from '../../wire';

export type Delta = Record<string, unknown>;

/** How this request's calls are spelled. */
export interface CallSpelling {
  /** The deprecated `functions`, whose one call is a `function_call`. */
  legacy: boolean;
  /** Names of its custom tools, which take a text in place of JSON; null: it has none. */
  custom: ReadonlySet<string> | null;
}

export function callSpelling({ functions, tools }: Readonly<Record<string, unknown>>): CallSpelling {
  if (!Array.isArray(tools)) return Array.isArray(functions) ? LEGACY : FUNCTIONS;
  const custom = (tools as { type?: unknown; custom?: { name?: unknown } }[]).filter((tool) => tool?.type === 'custom').map((tool) => String(tool.custom?.name));
  return custom.length === 0 ? FUNCTIONS : { legacy: false, custom: new Set(custom) };
}

const FUNCTIONS: CallSpelling = { legacy: false, custom: null };
const LEGACY: CallSpelling = { legacy: true, custom: null };

/** A piece of a tool call. Id, type and name stand only where the call begins. */
export function fragmentOf(event: ToolCallEvent, legacyFunctions: boolean, isCustom: boolean): Delta {
  const { index, id, name } = event;
  if (isCustom) return { tool_calls: [{ index, ...(id === null ? {} : { id, type: 'custom' }), custom: { ...(name === null ? {} : { name }), input: event.arguments } }] };
  if (legacyFunctions || event.spelled === 'function_call') return { function_call: { ...(name === null ? {} : { name }), arguments: event.arguments } };
  const made = { ...(name === null ? {} : { name }), arguments: event.arguments };
  return { tool_calls: [{ index, ...(id === null ? {} : { id, type: 'function' }), function: made }] };
}

/**
 * A signature for the client to send back with its next turn: in OpenRouter's `reasoning_details` where it belongs to
 * the reasoning, else in the `extra_content` of its tool call, where Google's own OpenAI endpoint puts it.
 */
export function reasoningDetail(event: SignatureEvent, text: string): Delta {
  if (event.tool !== null) return { tool_calls: [{ index: event.tool, extra_content: signatureOfCall(event) }] };
  return { reasoning_details: [detailOf(event, text)] };
}

export const detailOf = ({ kind, data, format }: SignatureEvent, text: string): object =>
  kind === 'signature' ? { type: 'reasoning.text', text, signature: data, format } : { type: 'reasoning.encrypted', data, format };

/**
 * Which text a signature closes. The first one's stands in the answer's reasoning; where more follow, theirs go with
 * the signatures, or nobody could tell the blocks apart when they come back. Of one choice.
 */
export class SignedTexts {
  /** Null before the first signature. */
  private text: string | null = null;

  said(text: string): void {
    if (this.text !== null && this.text.length + text.length <= MOST_SIGNED_CHARACTERS) this.text += text;
  }

  /** The text to be sent with this signature. */
  closedBy({ kind, tool }: SignatureEvent): string {
    if (kind !== 'signature' || tool !== null) return '';
    const text = this.text ?? '';
    this.text = '';
    return text;
  }
}

/** More is not kept beside a stream; its signature then comes without the text, and its block cannot be sent back. */
const MOST_SIGNED_CHARACTERS = 1024 * 1024;

export const signatureOfCall = ({ data }: SignatureEvent): object => ({ google: { thought_signature: data } });

/** What the upstream did not tell stays away: a place that nobody named would point at the wrong words. */
export const annotationOf = ({ url, title, startIndex, endIndex }: UrlCitation): object => ({
  type: 'url_citation',
  url_citation: { url, ...(title === null ? {} : { title }), ...(startIndex === null ? {} : { start_index: startIndex }), ...(endIndex === null ? {} : { end_index: endIndex }) },
});

/** `native_finish_reason` is OpenRouter's name for the upstream's own word. */
export function finishOf(event: FinishEvent, legacyFunctions: boolean): { finish_reason: string; native_finish_reason?: string } {
  const reason = legacyFunctions && event.reason === 'tool_calls' ? 'function_call' : event.reason;
  return { finish_reason: reason, ...(event.native === null ? {} : { native_finish_reason: event.native }) };
}
