import { type Canonical, isObject, unread, type Unrepresentable, unsupported, unsupportedValue } from '../../wire';
import { Unsayable } from './unsayable';
import { canonicalMessages } from './canonical-messages';
import { canonicalChoice, canonicalTools } from './tools';

type Body = Record<string, unknown>;

/**
 * The request in the canonical language. It is written once for tiers of every other dialect, so what only some of
 * them can use (signatures, cache breakpoints) is in it, and what none of them could keep is refused by name.
 */
export function canonicalRequest(body: Body): Canonical {
  const dropped = new Set<string>();
  try {
    const refused = refusedMember(body);
    if (refused !== null) return { ok: false, why: refused };
    const { messages, places } = canonicalMessages(body, dropped);
    const chat: Body = { messages };
    addSampling(body, chat, dropped);
    addReasoning(body, chat, dropped);
    addFormat(body, chat, dropped);
    const tools = canonicalTools(body.tools, dropped);
    if (tools.length > 0) chat.tools = tools;
    canonicalChoice(body.tool_choice, chat);
    addHints(body, chat, dropped);
    addContextEdits(body.context_management, dropped);
    return { ok: true, chat: { body: chat, topK: typeof body.top_k === 'number' ? body.top_k : null }, dropped: [...dropped], places };
  } catch (error) {
    if (error instanceof Unsayable) return { ok: false, why: error.why };
    throw error;
  }
}

/** What a count asks for exists only where it is asked natively. */
export const canonicalCount = (): Canonical => ({ ok: false, why: { param: 'model', code: 'unsupported_operation', message: 'Tokens can only be counted by a tier that speaks this API itself.' } });

/** Members that change what the answer is, and that no other dialect has. */
function refusedMember(body: Body): Unrepresentable | null {
  for (const name of NATIVE_ONLY) if (!isUnset(body[name])) return unsupported(name, `\`${name}\` exists only where a tier speaks this API itself.`);
  if (body.max_tokens === 0) return unsupportedValue('max_tokens', 'Only a tier that speaks this API itself can warm a prompt cache without answering.');
  return null;
}

/** `inference_geo` is a promise about where data goes: not a hint. */
const NATIVE_ONLY = ['mcp_servers', 'container', 'compaction', 'fallbacks', 'fallback_credit_token', 'thread', 'inference_geo'];

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function addSampling(body: Body, chat: Body, dropped: Set<string>): void {
  chat.max_completion_tokens = body.max_tokens;
  if (!isUnset(body.temperature)) chat.temperature = body.temperature;
  if (!isUnset(body.top_p)) chat.top_p = body.top_p;
  if (!isUnset(body.stop_sequences)) chat.stop = body.stop_sequences;
  if (body.service_tier === 'auto') chat.service_tier = 'auto';
  else if (body.service_tier === 'standard_only') chat.service_tier = 'default';
  else if (!isUnset(body.service_tier)) dropped.add('service_tier');
}

/** An effort that is named says more than a budget; the budgets are the ones that the effort words stand for elsewhere. */
function addReasoning(body: Body, chat: Body, dropped: Set<string>): void {
  const thinking = thinkingOf(body.thinking);
  const effort = isObject(body.output_config) ? body.output_config.effort : undefined;
  if (thinking.type === 'disabled') chat.reasoning_effort = 'none';
  else if (typeof effort === 'string') chat.reasoning_effort = effort;
  else if (thinking.type === 'enabled' && typeof thinking.budget_tokens === 'number') chat.reasoning_effort = effortOf(thinking.budget_tokens);
  if (!isUnset(effort) && typeof effort !== 'string') dropped.add('output_config.effort');
  for (const name of unread(thinking, THINKING)) dropped.add(`thinking.${name}`);
  if (thinking.type === 'between_tools') dropped.add('thinking');
  if (!isUnset(thinking.display) && thinking.display !== 'summarized') dropped.add('thinking.display');
}

/** A type that is not known asks for something that would get lost. */
function thinkingOf(value: unknown): Body {
  if (isUnset(value)) return {};
  if (!isObject(value)) throw new Unsayable(unsupportedValue('thinking', '`thinking` must be an object.'));
  if (typeof value.type !== 'string' || !THINKING_TYPES.has(value.type)) throw new Unsayable(unsupportedValue('thinking.type', `\`thinking.type\` must be one of ${[...THINKING_TYPES].join(', ')}.`));
  if (value.type === 'enabled' && typeof value.budget_tokens !== 'number') throw new Unsayable(unsupportedValue('thinking.budget_tokens', '`thinking.budget_tokens` must be a number of tokens where thinking is enabled.'));
  return value;
}

const THINKING = new Set(['type', 'budget_tokens', 'display']);
const THINKING_TYPES = new Set(['enabled', 'adaptive', 'disabled', 'between_tools']);

const effortOf = (budgetTokens: number): string => (budgetTokens <= 2_048 ? 'low' : budgetTokens <= 16_384 ? 'medium' : 'high');

function addFormat(body: Body, chat: Body, dropped: Set<string>): void {
  const config = isObject(body.output_config) ? body.output_config : {};
  const [name, format] = isUnset(config.format) ? ['output_format', body.output_format] : ['output_config.format', config.format];
  for (const member of Object.keys(config)) if (member !== 'format' && member !== 'effort' && !isUnset(config[member])) dropped.add(`output_config.${member}`);
  if (isUnset(format)) return;
  if (!isObject(format) || format.type !== 'json_schema' || !isObject(format.schema)) throw new Unsayable(unsupportedValue(name as string, `\`${name as string}\` must be a \`json_schema\` with its \`schema\`.`));
  chat.response_format = { type: 'json_schema', json_schema: { name: 'output', schema: format.schema, strict: true } };
}

/**
 * Clearing old thinking is about blocks that no other provider is sent, unless it signed them itself: keeping all of
 * them is what happens anyway, and keeping few saves tokens at most. Coding agents ask for it with every request.
 * Other edits take away what the model would read.
 */
function addContextEdits(value: unknown, dropped: Set<string>): void {
  if (isUnset(value)) return;
  const edits: unknown = isObject(value) && Object.keys(value).every((name) => name === 'edits') ? (value.edits ?? []) : null;
  if (!Array.isArray(edits)) throw new Unsayable(unsupported('context_management', '`context_management` exists only where a tier speaks this API itself.'));
  for (const [index, edit] of (edits as unknown[]).entries()) {
    if (!isObject(edit) || edit.type !== 'clear_thinking_20251015') throw new Unsayable(unsupported(`context_management.edits[${index}]`, 'Edits of the conversation, other than of its thinking, exist only where a tier speaks this API itself.'));
    if (edit.keep !== 'all') dropped.add('context_management');
  }
}

function addHints(body: Body, chat: Body, dropped: Set<string>): void {
  const user = isObject(body.metadata) ? body.metadata.user_id : undefined;
  if (typeof user === 'string' && user.length > 0 && user.length <= SAFETY_IDENTIFIER_LIMIT) chat.safety_identifier = user;
  else if (!isUnset(user)) dropped.add('metadata.user_id');
  for (const name of isObject(body.metadata) ? unread(body.metadata, METADATA) : []) dropped.add(`metadata.${name}`);
  for (const name of Object.keys(body)) if (!READ.has(name) && !isUnset(body[name]) && !(name === 'speed' && body.speed === 'standard')) dropped.add(name);
}

const METADATA = new Set(['user_id']);

/** OpenAI's. Coding agents send whole records as their user id; cutting one would make another user of it. */
const SAFETY_IDENTIFIER_LIMIT = 64;

const READ = new Set([
  'model', 'max_tokens', 'messages', 'system', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'service_tier', 'thinking', 'output_config', 'output_format', 'tools', 'tool_choice', 'metadata', 'context_management',
]);
