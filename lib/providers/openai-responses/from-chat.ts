import { isObject, type Losses, noLosses, type Unrepresentable } from '../../wire';
import type { WireRequestInput } from '../adapter';
import { thinksByName } from '../model-facts';
import { effortFor } from '../openai/effort';
import { inputItems } from './input-items';
import { formatOf, hasText } from './values';
import { toolChoiceOf, toolOf } from './tools';

type Body = Record<string, unknown>;

/**
 * The canonical request in this API's words. Nothing is stored at the provider (`store: false`), and a model that
 * reasons gives its reasoning encrypted, so that the next turn can bring it back.
 */
export function bodyFrom({ chat, model, stream }: WireRequestInput): { body: string; dropped: readonly string[] } | Unrepresentable {
  if (chat === null) throw new Error('a request in neither its own nor the canonical language');
  const losses = noLosses();
  if (chat.topK !== null) losses.refuse('top_k', 'The Responses API has no `top_k`.');
  const body: Body = { model };
  for (const name of Object.keys(chat.body)) {
    const value = chat.body[name];
    if (value === null || value === undefined) continue; // as good as absent
    const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name]! : hint;
    member(value, body, losses, name);
  }
  if (losses.why !== null) return losses.why;
  if (stream) body.stream = true;
  body.store = false;
  const asked = isObject(body.reasoning) && body.reasoning.effort !== 'none';
  if (asked || thinksByName(model)) include(body, 'reasoning.encrypted_content'); // refused by models that do not reason
  return { body: JSON.stringify(body), dropped: losses.dropped };
}

type Member = (value: unknown, body: Body, losses: Losses, name: string) => void;

const same: Member = (value, body, _losses, name) => void (body[name] = value);
const hint: Member = (_value, _body, losses, name) => losses.drop(name);
const refused: Member = (_value, _body, losses, name) => losses.refuse(name, `The Responses API has no \`${name}\`.`);
/** Fine at its default, which says nothing. */
const unless =
  (isDefault: (value: unknown) => boolean): Member =>
  (value, body, losses, name) =>
    isDefault(value) ? undefined : refused(value, body, losses, name);

const isZero = (value: unknown): boolean => value === 0;
const isEmpty = (value: unknown): boolean => (Array.isArray(value) || isObject(value) ? Object.keys(value).length === 0 : value === '');

/** Every member of a chat request, and what becomes of it. What is not here is an unknown hint. */
const MEMBERS: Record<string, Member> = {
  messages: (value, body, losses) => void (body.input = inputItems(value, losses)),
  max_completion_tokens: (value, body) => void (body.max_output_tokens = value),
  max_tokens: (value, body) => void (body.max_output_tokens ??= value),
  temperature: same,
  top_p: same,
  parallel_tool_calls: same,
  metadata: same,
  user: same,
  safety_identifier: same,
  prompt_cache_key: same,
  prompt_cache_retention: same,
  prompt_cache_options: same,
  service_tier: same,
  moderation: same,
  n: unless((value) => value === 1),
  stop: unless(isEmpty),
  logit_bias: unless(isEmpty),
  presence_penalty: unless(isZero),
  frequency_penalty: unless(isZero),
  modalities: unless((value) => Array.isArray(value) && value.every((each) => each === 'text')),
  audio: refused,
  web_search_options: refused,
  logprobs: (value, body) => void (value === true && include(body, 'message.output_text.logprobs')),
  top_logprobs: same,
  seed: hint,
  prediction: hint,
  store: (value, _body, losses) => void (value === true && losses.drop('store')),
  reasoning_effort: (value, body, losses) => {
    const { send, lost } = effortFor(body.model as string, value);
    if (lost) losses.drop('reasoning_effort');
    if (send !== null) body.reasoning = send === 'none' ? { effort: send } : { effort: send, summary: 'auto' };
  },
  verbosity: (value, body) => void (body.text = { ...(body.text as Body | undefined), verbosity: value }),
  response_format: (value, body, losses) => {
    const format = formatOf(value, losses);
    if (format !== null) body.text = { ...(body.text as Body | undefined), format };
  },
  tools: (value, body, losses) => void (body.tools = listOf(value, 'tools', losses).map((tool, at) => toolOf(tool, `tools[${at}]`, losses))),
  tool_choice: (value, body, losses) => void (body.tool_choice = toolChoiceOf(value, losses)),
  functions: (value, body, losses) => void (body.tools ??= listOf(value, 'functions', losses).map((made, at) => toolOf({ type: 'function', function: made }, `functions[${at}]`, losses))),
  function_call: (value, body) => void (body.tool_choice ??= isObject(value) && hasText(value.name) ? { type: 'function', name: value.name } : value),
};

function listOf(value: unknown, name: string, losses: Losses): unknown[] {
  if (Array.isArray(value)) return value;
  losses.refuseValue(name, `\`${name}\` must be an array.`);
  return [];
}

function include(body: Body, what: string): void {
  body.include = [...((body.include as string[] | undefined) ?? []), what];
}
