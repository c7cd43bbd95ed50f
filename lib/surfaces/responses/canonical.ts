import { type Canonical, isObject, type Losses, noLosses } from '../../wire';
import { conversationOf } from './conversation';
import { toolChoiceOf, toolOf } from './tools';
import { defined } from './values';

type Body = Record<string, unknown>;

/** The request as a chat. What would need kept answers or the provider's own tools cannot be said there. */
export function canonicalResponses(body: Body): Canonical {
  const losses = noLosses();
  const { messages, places } = conversationOf(body, losses);
  const chat: Body = { messages };
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (value === null || value === undefined) continue; // as good as absent
    const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name]! : hint;
    member(value, chat, losses, name);
  }
  if (losses.why !== null) return { ok: false, why: losses.why };
  return { ok: true, chat: { body: withoutIdle(chat, losses), topK: null }, dropped: losses.dropped, places };
}

type Member = (value: unknown, chat: Body, losses: Losses, name: string) => void;

const same: Member = (value, chat, _losses, name) => void (chat[name] = value);
const hint: Member = (_value, _chat, losses, name) => losses.drop(name);
const done: Member = () => undefined;
const keptElsewhere: Member = (_value, _chat, losses, name) => losses.refuse(name, `Answers are not kept here: \`${name}\` works only where a tier speaks this API itself. Send the whole conversation as \`input\`.`);

const MEMBERS: Record<string, Member> = {
  model: done,
  input: done,
  instructions: done,
  stream: done,
  stream_options: done, // padding against eavesdroppers: there is none to switch
  background: done,
  previous_response_id: keptElsewhere,
  conversation: keptElsewhere,
  prompt: (_value, _chat, losses) => losses.refuse('prompt', 'Prompt templates are kept by the provider: they work only where a tier speaks this API itself.'),
  context_management: (_value, _chat, losses) => losses.refuse('context_management', 'Only a tier that speaks this API itself can manage the context.'),
  store: (value, _chat, losses) => void (value === true && losses.refuseValue('store', 'Answers are not kept here: leave `store` out, or send false.')),
  truncation: (value, _chat, losses) => void (value !== 'disabled' && losses.drop('truncation')),
  max_output_tokens: (value, chat) => void (chat.max_completion_tokens = value),
  temperature: same,
  top_p: same,
  top_logprobs: same,
  parallel_tool_calls: same,
  metadata: same,
  user: same,
  safety_identifier: same,
  prompt_cache_key: same,
  prompt_cache_retention: same,
  prompt_cache_options: same,
  service_tier: same,
  moderation: same,
  max_tool_calls: hint, // bounds the provider's own tools, of which there are none
  include: (value, chat, losses) => {
    for (const what of Array.isArray(value) ? value : []) {
      if (what === 'message.output_text.logprobs') chat.logprobs = true;
      else if (what !== 'reasoning.encrypted_content') losses.drop('include'); // reasoning comes so in any case
    }
  },
  reasoning: (value, chat, losses) => {
    if (!isObject(value)) return losses.refuseValue('reasoning', '`reasoning` must be an object.');
    const { effort, summary, generate_summary: generate, ...rest } = value;
    if (effort !== undefined && effort !== null) chat.reasoning_effort = effort;
    for (const each of [summary, generate]) if (each !== undefined && each !== null && each !== 'auto') losses.drop('reasoning.summary');
    for (const name of Object.keys(defined(rest))) losses.drop(`reasoning.${name.slice(0, 64)}`);
  },
  text: (value, chat, losses) => {
    if (!isObject(value)) return losses.refuseValue('text', '`text` must be an object.');
    const { format, verbosity, ...rest } = value;
    if (verbosity !== undefined && verbosity !== null) chat.verbosity = verbosity;
    if (format !== undefined && format !== null) responseFormat(format, chat, losses);
    for (const name of Object.keys(defined(rest))) losses.drop(`text.${name.slice(0, 64)}`);
  },
  tools: (value, chat, losses) => {
    if (!Array.isArray(value)) return losses.refuseValue('tools', '`tools` must be an array.');
    if (value.length > 0) chat.tools = value.map((tool: unknown, at) => toolOf(tool, `tools[${at}]`, losses));
  },
  tool_choice: (value, chat, losses) => void (chat.tool_choice = toolChoiceOf(value, losses)),
};

/** Members that have no effect without another one, and that a chat refuses without it. What they wish for is named. */
function withoutIdle(chat: Body, losses: Losses): Body {
  if (chat.tools === undefined) {
    if (chat.tool_choice !== undefined && chat.tool_choice !== 'auto' && chat.tool_choice !== 'none') losses.drop('tool_choice');
    delete chat.tool_choice;
    delete chat.parallel_tool_calls;
  }
  if (chat.logprobs === undefined) {
    if (chat.top_logprobs !== undefined && chat.top_logprobs !== 0) losses.drop('top_logprobs');
    delete chat.top_logprobs;
  }
  return chat;
}

function responseFormat(format: unknown, chat: Body, losses: Losses): void {
  const type = isObject(format) ? format.type : undefined;
  if (type === 'text') return;
  if (type === 'json_object') return void (chat.response_format = { type });
  if (type === 'json_schema' && isObject(format)) {
    const { name, description, schema, strict } = format;
    chat.response_format = { type, json_schema: defined({ name, description, schema, strict }) };
    return;
  }
  losses.refuseValue('text.format', '`text.format` must be of type `text`, `json_object` or `json_schema`.');
}
