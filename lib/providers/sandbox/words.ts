import { isObject } from '../../wire';

/** What the sandbox says. Every answer, of whatever kind, begins by saying what it is. */

export const DISCLOSURE = 'Ohm sandbox, not a language model';

/** Stands in every frame and every body, so that even an empty answer says it. */
export const FINGERPRINT = 'ohm-sandbox-not-a-language-model';

/** The n-th token (from 1) of a `text` step: the disclosure, then the numbers 2, 3, 4 … */
export function textToken(n: number): string {
  return n === 1 ? `${DISCLOSURE}:` : ` ${n}`;
}

export function reasoningToken(n: number): string {
  return n === 1 ? `${DISCLOSURE}, and nothing is thought here:` : ` ${n}`;
}

export const REFUSAL_TOKENS = [`${DISCLOSURE}:`, ' this', ' refusal', ' is', ' what', ' the', ' script', ' asked', ' for.'];

/** The arguments of a tool call, in the pieces that they are sent in. Joined they are JSON. */
export const TOOL_ARGUMENTS = ['{"note":', `"${DISCLOSURE}"`, ',"values":[1,', '2,3]}'];

/** The last user message, said back in tokens of one word each, at most `max` of them. */
export function echoTokens(messages: unknown, max: number): string[] {
  const list = Array.isArray(messages) ? messages : [];
  const last = list.findLast((message) => isObject(message) && message.role === 'user');
  const words = textOf(last).match(/\s*\S+|\s+$/g) ?? [];
  return [`${DISCLOSURE}. You said: `, ...words].slice(0, max);
}

/** Characters of all message text, divided by four: an estimate, and the same for the same messages. */
export function promptTokens(messages: unknown): number {
  let characters = 0;
  for (const message of Array.isArray(messages) ? messages : []) characters += textOf(message).length;
  return Math.ceil(characters / 4);
}

function textOf(message: unknown): string {
  if (!isObject(message)) return '';
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return message.content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** OpenAI's spelling of an error of that status. */
export function errorObject(status: number, code: string | null): { message: string; type: string; code: string | null; param: null } {
  const [type, usual] = ERRORS[status] ?? (status >= 500 ? ['server_error', null] : ['invalid_request_error', null]);
  return { message: `${DISCLOSURE}: answering ${status}${code === null ? '' : ` ${code}`}, as the script says.`, type, code: code ?? usual, param: null };
}

const ERRORS: Record<number, [type: string, code: string | null]> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  402: ['insufficient_quota', 'insufficient_quota'],
  403: ['permission_error', null],
  404: ['invalid_request_error', 'model_not_found'],
  408: ['timeout_error', null],
  429: ['rate_limit_error', 'rate_limit_exceeded'],
  503: ['service_unavailable_error', null],
  504: ['timeout_error', null],
  529: ['overloaded_error', null],
};
