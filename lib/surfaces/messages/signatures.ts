import { CARRIED_MARK, carriedSignature, carrySignature, type SignatureEvent } from '../../wire';

/** The one format that this API's own `signature` and `data` members hold. */
export const OWN_FORMAT = 'anthropic-claude-v1';

/** A signature as a client of this API keeps it, read back. */
export interface KeptSignature {
  format: string;
  kind: SignatureEvent['kind'];
  data: string;
  /** Id of the tool call that it belongs to; null for the reasoning. */
  toolId: string | null;
}

/**
 * The opaque text that stands in a thinking block. Another wire's signature goes out wrapped, so that it is known
 * again when it comes back, and never taken for one of this API's own.
 */
export function wrapSignature(event: SignatureEvent, toolId: string | null): string {
  if (toolId !== null) return `${TOOL_MARK}${Buffer.from(toolId).toString('base64url')}:${carrySignature(event)}`;
  return event.format === OWN_FORMAT ? event.data : carrySignature(event);
}

/** Null for text that is no signature at all: empty, or wrapped by nobody that we know. `kind` is that of a bare one. */
export function unwrapSignature(text: unknown, kind: SignatureEvent['kind']): KeptSignature | null {
  if (typeof text !== 'string' || text === '') return null;
  const tool = TOOL.exec(text);
  if (tool === null && !text.startsWith(CARRIED_MARK) && !text.startsWith(TOOL_MARK)) return { format: OWN_FORMAT, kind, data: text, toolId: null };
  const kept = carriedSignature(tool === null ? text : text.slice(tool[0].length));
  return kept && { ...kept, toolId: tool === null ? null : Buffer.from(tool[1]!, 'base64url').toString() };
}

const TOOL_MARK = 'ohm-tool-v1:';
const TOOL = /^ohm-tool-v1:([\w-]*):/;
