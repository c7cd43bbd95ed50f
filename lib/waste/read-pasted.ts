import { surfaceAt, type Surface } from '../surfaces';
import type { TextSlot } from '../wire';

/** How a pasted text was understood. `text`: as one text of one role. */
export type PastedKind = 'chat.completions' | 'messages' | 'responses' | 'text';

export interface Pasted {
  kind: PastedKind;
  /** What savers may work on, in the order of the conversation. */
  slots: TextSlot[];
  /** Named in the request; null where none is. */
  model: string | null;
}

/**
 * A request's body as a client would send it, or its list of messages; whatever is neither is one text. `as` says
 * whose words such a text is: most savers work on what tools answer, and on nothing else.
 */
export function readPasted(text: string, as: 'tool' | 'user'): Pasted {
  const body = bodyOf(text);
  const kind = body === null ? null : kindOf(body);
  if (body === null || kind === null) return { kind: 'text', slots: [{ message: 0, role: as, toolCallId: as === 'tool' ? 'pasted' : null, text, locked: false, path: [] }], model: null };
  return { kind, slots: surfaceOf(kind).slots(body), model: typeof body.model === 'string' ? body.model : null };
}

type Body = Record<string, unknown>;

function bodyOf(text: string): Body | null {
  if (!/^\s*[{[]/.test(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // a text that only begins like JSON
  }
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => isBody(each) && typeof each.role === 'string') ? { messages: value } : null;
  return isBody(value) ? value : null;
}

function kindOf(body: Body): Exclude<PastedKind, 'text'> | null {
  if (Array.isArray(body.messages) && body.messages.some(isBody)) return speaksMessages(body, body.messages) ? 'messages' : 'chat.completions';
  const { input } = body;
  const isInput = typeof input === 'string' ? typeof body.model === 'string' : Array.isArray(input) && input.some(isBody);
  return isInput ? 'responses' : null;
}

/** Only Anthropic's API has a system prompt beside the messages, and these kinds of parts. */
const speaksMessages = (body: Body, messages: readonly unknown[]): boolean =>
  body.system !== undefined || messages.some((message) => isBody(message) && Array.isArray(message.content) && message.content.some((part) => isBody(part) && PARTS.has(part.type)));

const PARTS = new Set<unknown>(['tool_use', 'tool_result', 'thinking', 'redacted_thinking']);

const PATHS = { 'chat.completions': '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' } as const;

const surfaceOf = (kind: Exclude<PastedKind, 'text'>): Surface => surfaceAt(PATHS[kind])!;

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);
