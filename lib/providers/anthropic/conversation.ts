import { isObject, type Losses, nonEmpty, unread } from '../../wire';
import type { Members } from './json-values';
import type { ModelFamily } from './model-families';
import { blocksOf, countMarks, MAX_CACHE_MARKS, type PartContext, textBlock } from './parts';
import { signedThinking } from './signed-thinking';
import { createToolIds, type ToolIds, toolUseBlock } from './tool-calls';

export interface Conversation {
  /** The wire's `system`, as JSON text; null without a system prompt. */
  system: string | null;
  /** The wire's `messages`, as JSON text. */
  messages: string;
  /** Names of the tools that earlier answers called. */
  calledTools: ReadonlySet<string>;
  /** The last message is the assistant's, to be continued. */
  prefilled: boolean;
  /** Tool results stand last, and the answer that asked for them came without signed thinking. */
  unsignedToolLoop: boolean;
}

/** One message of the wire. Tool results have to stand before anything else of theirs. */
interface Turn {
  role: 'user' | 'assistant' | 'system';
  results: string[];
  blocks: string[];
  /** Of an assistant's turn. */
  signed: boolean;
  calls: boolean;
}

interface Reading extends PartContext {
  family: ModelFamily;
  ids: ToolIds;
  system: string[];
  turns: Turn[];
  calledTools: Set<string>;
}

/** The canonical messages in this wire's words: tool messages and users' merged into turns, system prompts moved out where they lead. */
export function conversationOf(messages: unknown, family: ModelFamily, losses: Losses): Conversation {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const surplusMarks = Math.max(0, countMarks(list) - MAX_CACHE_MARKS);
  const reading: Reading = { losses, surplusMarks, family, ids: createToolIds(), system: [], turns: [], calledTools: new Set() };
  for (const [index, message] of list.entries()) {
    if (losses.why !== null) break;
    const path = `messages[${index}]`;
    if (!isObject(message)) losses.refuseValue(path, `\`${path}\` must be an object.`);
    else readMessage(message, path, index === list.length - 1, reading);
  }
  const { turns, system, calledTools } = reading;
  const last = turns.at(-1);
  if (last === undefined) losses.refuseValue('messages', 'This model needs at least one message with content that is no system prompt.');
  const before = turns.findLast(({ role }) => role === 'assistant');
  return {
    system: system.length === 0 ? null : `[${system.join(',')}]`,
    messages: `[${turns.map(written).join(',')}]`,
    calledTools,
    prefilled: last?.role === 'assistant',
    unsignedToolLoop: last !== undefined && last.results.length > 0 && before !== undefined && before.calls && !before.signed,
  };
}

const written = ({ role, results, blocks }: Turn): string => `{"role":"${role}","content":[${[...results, ...blocks].join(',')}]}`;

function readMessage(message: Members, path: string, isLast: boolean, reading: Reading): void {
  if (nonEmpty(message.name) !== null && message.role !== 'function') reading.losses.drop('messages[].name');
  for (const name of unread(message, READ)) reading.losses.drop(name);
  switch (message.role) {
    case 'system':
    case 'developer':
      return readSystem(message, path, reading);
    case 'user':
      return addToUser([], blocksOf(message.content, path, 'any', reading), path, reading);
    case 'assistant':
      return readAssistant(message, path, isLast, reading);
    case 'tool':
      return readResult(reading.ids.ofResult(message.tool_call_id), message, path, reading);
    case 'function': // deprecated: told apart by name, one call at a time
      return readResult(reading.ids.ofFunction(message.name), message, path, reading);
    default:
      reading.losses.refuseValue(`${path}.role`, `\`${path}.role\` is no role that this model knows.`);
  }
}

const READ = new Set(['role', 'content', 'name', 'refusal', 'tool_calls', 'tool_call_id', 'function_call', 'reasoning_details', 'reasoning_content', 'reasoning', 'audio']);

/**
 * A leading system prompt is the wire's `system`. A later one is a message of its own where the model takes it: after
 * a user's turn and before the assistant's. Moving it to the top would change what it means.
 */
function readSystem(message: Members, path: string, reading: Reading): void {
  const blocks = blocksOf(message.content, path, 'text', reading);
  const { turns, system, family, losses } = reading;
  if (turns.length === 0) return append(system, blocks);
  const last = turns.at(-1)!;
  if (!family.systemTurns || last.role === 'assistant') losses.refuseValue(path, 'This model takes a system message only at the beginning of the conversation.');
  else if (last.role === 'system') append(last.blocks, blocks);
  else if (blocks.length > 0) turns.push({ role: 'system', results: [], blocks, signed: false, calls: false });
}

function addToUser(results: string[], blocks: string[], path: string, { turns, losses }: Reading): void {
  if (results.length + blocks.length === 0) return losses.drop(SILENT);
  const last = turns.at(-1);
  if (last?.role === 'system') losses.refuseValue(path, 'This model answers right after a system message: no message of the user can follow one.');
  if (last?.role !== 'user') return void turns.push({ role: 'user', results, blocks, signed: false, calls: false });
  append(last.results, results);
  append(last.blocks, blocks);
}

/** A message without a word, which the wire refuses. The turns around it become one where they are the user's, so it is named. */
const SILENT = 'messages[]';

/** A client may send more blocks than one call takes arguments. */
function append(blocks: string[], more: readonly string[]): void {
  for (const block of more) blocks.push(block);
}

function readResult(id: string | null, message: Members, path: string, reading: Reading): void {
  if (id === null) return reading.losses.refuseValue(path, `\`${path}\` does not say which tool call it answers.`);
  const { content } = message;
  const given = typeof content === 'string' ? JSON.stringify(content) : `[${blocksOf(content, path, 'any', reading).join(',')}]`;
  const body = given === '""' || given === '[]' ? '' : `,"content":${given}`;
  addToUser([`{"type":"tool_result","tool_use_id":${JSON.stringify(id)}${body}}`], [], path, reading);
}

function readAssistant(message: Members, path: string, isLast: boolean, reading: Reading): void {
  const { losses, turns, ids, calledTools } = reading;
  if (message.audio !== undefined && message.audio !== null) return losses.refuse(`${path}.audio`, 'This model does not take audio.');
  const thinking = signedThinking(message, losses);
  const blocks = blocksOf(isLast ? withoutTrailingSpace(message.content) : message.content, path, 'spoken', reading);
  const refusal = nonEmpty(message.refusal);
  if (refusal !== null && refusal.trim() !== '') blocks.push(textBlock(refusal));

  const calls = callsOf(message, path, losses);
  for (const [at, call] of calls.entries()) {
    const callPath = call.legacy ? `${path}.function_call` : `${path}.tool_calls[${at}]`;
    const id = call.legacy ? ids.newFunction(call.name) : ids.ofCall(call.id);
    if (id === null) losses.refuseValue(callPath, `\`${callPath}\` needs an id.`);
    else blocks.push(toolUseBlock(id, call, callPath, losses));
    calledTools.add(call.name);
  }
  if (blocks.length === 0) return losses.drop(SILENT); // the wire knows no empty answer, and thinking alone is none
  turns.push({ role: 'assistant', results: [], blocks: [...thinking, ...blocks], signed: thinking.length > 0, calls: calls.length > 0 });
}

interface Call {
  id: unknown;
  name: string;
  arguments: unknown;
  legacy: boolean;
}

function callsOf(message: Members, path: string, losses: Losses): Call[] {
  const calls: Call[] = [];
  const read = (raw: unknown, id: unknown, callPath: string, legacy: boolean) => {
    const name = isObject(raw) ? nonEmpty(raw.name) : null;
    if (name === null) losses.refuseValue(callPath, `\`${callPath}\` is no call of a function with a name.`);
    else calls.push({ id, name, arguments: (raw as Members).arguments, legacy });
  };
  const { tool_calls: list, function_call: legacy } = message;
  if (Array.isArray(list)) for (const call of list as unknown[]) if (isObject(call)) for (const name of unread(call, CALL)) losses.drop(name);
  if (Array.isArray(list)) for (const [at, call] of (list as unknown[]).entries()) read(isObject(call) ? call.function : null, isObject(call) ? call.id : null, `${path}.tool_calls[${at}]`, false);
  else if (list !== undefined && list !== null) losses.refuseValue(`${path}.tool_calls`, `\`${path}.tool_calls\` must be a list.`);
  if (legacy !== undefined && legacy !== null) read(legacy, null, `${path}.function_call`, true);
  return calls;
}

/** `index` is how a streamed call was told from the others. */
const CALL = new Set(['id', 'type', 'function', 'index']);

/** The last text of an answer that is to be continued: the wire refuses white space at its end. */
function withoutTrailingSpace(content: unknown): unknown {
  if (typeof content === 'string') return content.trimEnd();
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown, at) => (at === content.length - 1 && isObject(part) && typeof part.text === 'string' ? { ...part, text: part.text.trimEnd() } : part));
}
