import { readJsonObject, type TopLevel } from '../wire';
import { type UsageWish, usageWish } from './surfaces/chat-completions';
import { type Rejection, rejection } from './rejection';

/** A chat request, checked as far as the gateway itself depends on it. Everything else is the provider's to judge. */
export interface ChatRequest {
  /** The client's own text: unknown members and number spellings survive to the provider. */
  text: string;
  parsed: Record<string, unknown>;
  /** Where the top-level members stand in `text`. */
  scan: TopLevel;
  model: string;
  stream: boolean;
  usageWish: UsageWish;
  /** The request itself asks for reasoning. */
  asksForReasoning: boolean;
}

export function readChatRequest(body: Buffer): ChatRequest | Rejection {
  const text = body.toString('utf8');
  const json = readJsonObject(text, { once: OURS });
  if (!json.ok) return invalid(json.param, json.message, json.problem === 'not_json' ? 'invalid_json' : 'invalid_request');
  const request = json.value;
  const fault = faultIn(request);
  if (fault) return invalid(fault.param, fault.message);
  return {
    text,
    parsed: request,
    scan: json.scan,
    model: request.model as string,
    stream: request.stream === true,
    usageWish: usageWish(request.stream_options),
    asksForReasoning: asksForReasoning(request),
  };
}

/** Members that the gateway itself reads: twice the same one would be read differently by the provider. */
const OURS = ['model', 'messages', 'stream', 'stream_options'];

interface Fault {
  param: string;
  message: string;
}

function faultIn(request: Record<string, unknown>): Fault | null {
  const { model, messages, stream, stream_options: options } = request;
  if (typeof model !== 'string' || model === '') return { param: 'model', message: '`model` must be a non-empty string: a route name, `auto`, or a model that the key may use.' };
  if (model.length > 256) return { param: 'model', message: '`model` is longer than 256 characters.' };
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') return { param: 'stream', message: '`stream` must be true or false.' };
  if (options !== undefined && options !== null) {
    if (typeof options !== 'object' || Array.isArray(options)) return { param: 'stream_options', message: '`stream_options` must be an object.' };
    const wish = (options as Record<string, unknown>).include_usage;
    if (wish !== undefined && wish !== null && typeof wish !== 'boolean') return { param: 'stream_options.include_usage', message: '`stream_options.include_usage` must be true or false.' };
  }
  if (!Array.isArray(messages) || messages.length === 0) return { param: 'messages', message: '`messages` must be a non-empty array.' };
  for (const [index, message] of messages.entries()) {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return { param: `messages[${index}]`, message: `\`messages[${index}]\` must be an object.` };
    if (typeof (message as { role?: unknown }).role !== 'string') return { param: `messages[${index}].role`, message: `\`messages[${index}].role\` must be a string.` };
  }
  return null;
}

function asksForReasoning(request: Record<string, unknown>): boolean {
  const effort = request.reasoning_effort;
  if (typeof effort === 'string') return effort !== 'none';
  return typeof request.reasoning === 'object' && request.reasoning !== null;
}

const invalid = (param: string | null, message: string, code = 'invalid_request'): Rejection =>
  rejection(400, { type: 'invalid_request_error', code, message, param });
