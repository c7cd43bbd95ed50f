import { isObject, type Losses, unread } from '../../wire';
import { defined, hasText } from './values';

export const RESPONSES_FORMAT = 'openai-responses-v1';

type Item = Record<string, unknown>;

/** The messages of a chat as input items: a turn of the assistant's falls into reasoning, message and calls. */
export function inputItems(messages: unknown, losses: Losses): Item[] {
  const items: Item[] = [];
  /** Ids of calls to custom tools: their results are items of another type. */
  const custom = new Set<unknown>();
  let legacyCalls = 0;
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  for (const [at, message] of list.entries()) {
    const path = `messages[${at}]`;
    if (!isObject(message)) continue; // the surface has checked
    if (message.name !== undefined && message.role !== 'function') losses.drop('messages[].name');
    for (const name of unread(message, READ)) losses.drop(name);
    switch (message.role) {
      case 'system':
      case 'developer':
      case 'user':
        items.push({ type: 'message', role: message.role, content: partsOf(message.content, path, losses) });
        break;
      case 'assistant': {
        const before = items.length;
        assistantItems(message, path, losses, items, custom);
        if (isObject(message.function_call)) items.push(callItem(`call_${++legacyCalls}`, message.function_call));
        if (items.length === before) losses.drop('messages[]'); // an answer without a word is no item
        break;
      }
      case 'tool':
        items.push({
          type: custom.has(message.tool_call_id) ? 'custom_tool_call_output' : 'function_call_output',
          call_id: message.tool_call_id,
          output: partsOf(message.content, path, losses),
        });
        break;
      case 'function':
        items.push({ type: 'function_call_output', call_id: `call_${legacyCalls}`, output: message.content ?? '' });
        break;
      default:
        losses.refuseValue(`${path}.role`, 'The Responses API has no such role.');
    }
  }
  return items;
}

const READ = new Set(['role', 'content', 'name', 'refusal', 'tool_calls', 'tool_call_id', 'function_call', 'reasoning_details', 'reasoning_content', 'audio']);

function assistantItems(message: Record<string, unknown>, path: string, losses: Losses, items: Item[], custom: Set<unknown>): void {
  if (message.audio !== undefined && message.audio !== null) losses.refuse(`${path}.audio`, 'Audio of an earlier answer cannot be passed on.');
  const encrypted = encryptedReasoning(message.reasoning_details, losses);
  for (const data of encrypted) items.push({ type: 'reasoning', summary: [], encrypted_content: data });
  if (encrypted.length === 0 && hasText(message.reasoning_content)) losses.drop('reasoning_content');

  const content = answeredParts(message.content, path, losses);
  if (hasText(message.refusal)) content.push({ type: 'refusal', refusal: message.refusal });
  if (content.length > 0) items.push({ type: 'message', role: 'assistant', content });

  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  for (const [at, call] of calls.entries()) {
    if (isObject(call)) for (const name of unread(call, CALL)) losses.drop(name);
    if (isObject(call) && isObject(call.function)) items.push(callItem(call.id, call.function));
    else if (isObject(call) && isObject(call.custom)) {
      custom.add(call.id);
      items.push({ type: 'custom_tool_call', call_id: call.id, name: call.custom.name, input: call.custom.input ?? '' });
    } else losses.refuseValue(`${path}.tool_calls[${at}]`, 'This is neither a call of a function nor of a custom tool.');
  }
}

/** `index` is how a streamed call was told from the others. */
const CALL = new Set(['id', 'type', 'function', 'custom', 'index']);

const callItem = (callId: unknown, made: Record<string, unknown>): Item => ({ type: 'function_call', call_id: callId, name: made.name, arguments: made.arguments ?? '' });

/** Reasoning that this API encrypted in an earlier turn. What other wires signed is of no use here. */
function encryptedReasoning(details: unknown, losses: Losses): string[] {
  if (!Array.isArray(details)) return [];
  const data: string[] = [];
  for (const detail of details as unknown[]) {
    if (isObject(detail) && detail.type === 'reasoning.encrypted' && detail.format === RESPONSES_FORMAT && hasText(detail.data)) data.push(detail.data);
    else losses.drop('reasoning_details');
  }
  return data;
}

function answeredParts(content: unknown, path: string, losses: Losses): Item[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'output_text', text: content }];
  if (!Array.isArray(content)) return refuseContent(`${path}.content`, losses);
  return content.flatMap((part: unknown, at): Item[] => {
    if (isObject(part)) for (const name of unread(part, ANSWERED)) losses.drop(name);
    if (isObject(part) && part.type === 'text') return [{ type: 'output_text', text: part.text }];
    if (isObject(part) && part.type === 'refusal') return [{ type: 'refusal', refusal: part.refusal }];
    losses.refuseValue(`${path}.content[${at}]`, 'An assistant message holds text and refusals only.');
    return [];
  });
}

const ANSWERED = new Set(['type', 'text', 'refusal']);

/** Content that goes in: a string stays one. */
function partsOf(content: unknown, path: string, losses: Losses): string | Item[] {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return refuseContent(`${path}.content`, losses);
  return content.flatMap((part: unknown, at) => inputPart(part, `${path}.content[${at}]`, losses));
}

function inputPart(part: unknown, path: string, losses: Losses): Item[] {
  if (!isObject(part)) return refuseContent(path, losses);
  const { prompt_cache_breakpoint } = part;
  for (const name of unread(part, PART, hasText(part.type) ? part.type : undefined)) losses.drop(name);
  if (part.type === 'text') return [defined({ type: 'input_text', text: part.text, prompt_cache_breakpoint })];
  if (part.type === 'image_url') {
    const { url, detail } = isObject(part.image_url) ? part.image_url : { url: part.image_url, detail: undefined };
    return [defined({ type: 'input_image', image_url: url, detail: detail ?? 'auto', prompt_cache_breakpoint })];
  }
  if (part.type === 'file' && isObject(part.file)) {
    const { file_data, file_id, filename } = part.file;
    return [defined({ type: 'input_file', file_data, file_id, filename, prompt_cache_breakpoint })];
  }
  losses.refuseValue(`${path}.type`, `The Responses API takes text, images and files; this is ${JSON.stringify(part.type)?.slice(0, 40) ?? 'something else'}.`);
  return [];
}

const PART = new Set(['type', 'prompt_cache_breakpoint']);

function refuseContent(path: string, losses: Losses): Item[] {
  losses.refuseValue(path, 'This is neither a string nor a list of parts.');
  return [];
}
