import { isObject, unsupported, unsupportedValue } from '../../wire';
import { blocksOf, nameUnread, type Part, partsOf, plainContent, TEXT, textPart, withBreakpoint } from './parts';
import { OWN_FORMAT, unwrapSignature } from './signatures';
import { Unsayable } from './unsayable';

type Block = Record<string, unknown>;

export interface CanonicalMessages {
  messages: Block[];
  /** For each of `messages`, the member that the client wrote it in. */
  places: string[];
}

/**
 * `system` and `messages` as OpenAI's. The role is `system`, not `developer`: OpenAI reads it as that, and most
 * vendors that speak like OpenAI know no other.
 */
export function canonicalMessages({ system, messages }: Record<string, unknown>, dropped: Set<string>): CanonicalMessages {
  const made: CanonicalMessages = { messages: [], places: [] };
  const add = (place: string, message: Block) => {
    made.messages.push(message);
    made.places.push(place);
  };
  if (system !== undefined && system !== null) addSystem(system, 'system', dropped, add);
  const list = messages as { role: string; content?: unknown }[];
  for (const [index, message] of list.entries()) {
    const { role, content } = message;
    nameUnread(message, MESSAGE, dropped);
    const place = `messages[${index}]`;
    if (role === 'user') addUser(content, place, dropped, add);
    else if (role === 'assistant') addAssistant(content, place, dropped, add);
    else if (role === 'system') addSystem(content, place, dropped, add);
    else throw new Unsayable(unsupportedValue(`${place}.role`, `\`${place}.role\` must be \`user\`, \`assistant\` or \`system\`.`));
  }
  if (list.at(-1)!.role === 'assistant') throw new Unsayable(unsupported(`messages[${list.length - 1}]`, 'A last message of the assistant asks to be continued; other APIs would begin a new turn instead.'));
  return made;
}

const MESSAGE = new Set(['role', 'content']);
const RESULT = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']);
/** Who called comes with every call; what the provider's own code called has results that are refused. */
const CALL = new Set(['type', 'id', 'name', 'input', 'caller', 'cache_control']);

type Add = (place: string, message: Block) => void;

function addSystem(content: unknown, place: string, dropped: Set<string>, add: Add): void {
  const inside = place === 'system' ? place : `${place}.content`;
  const parts = blocksOf(content, inside).flatMap((block, index) => {
    if (block.type !== 'text') throw new Unsayable(unsupportedValue(`${inside}[${index}]`, 'A system prompt is made of text.'));
    return textPart(block, dropped);
  });
  if (parts.length > 0) add(place, { role: 'system', content: plainContent(parts) });
}

/** Results of tools come first: OpenAI wants them right behind the calls. */
function addUser(content: unknown, place: string, dropped: Set<string>, add: Add): void {
  const parts: Part[] = [];
  let results = 0;
  for (const [index, block] of blocksOf(content, `${place}.content`).entries()) {
    const at = `${place}.content[${index}]`;
    if (block.type !== 'tool_result') {
      parts.push(...partsOf(block, at, dropped));
      continue;
    }
    results++;
    nameUnread(block, RESULT, dropped);
    add(at, { role: 'tool', tool_call_id: block.tool_use_id, content: resultContent(block, at, dropped) });
  }
  if (parts.length > 0) add(place, { role: 'user', content: plainContent(parts) });
  else if (results === 0) add(place, { role: 'user', content: '' });
}

/** Text is one string, which every vendor reads. Images and documents stay parts: a tier that takes none there is passed over. */
function resultContent(block: Block, place: string, dropped: Set<string>): string | Part[] {
  const inside = blocksOf(block.content ?? '', `${place}.content`);
  const failed = block.is_error === true;
  if (failed) dropped.add('is_error');
  if (inside.some(({ type }) => type !== 'text')) {
    const parts = inside.flatMap((inner, index) => partsOf(inner, `${place}.content[${index}]`, dropped));
    if (failed) parts.unshift({ type: 'text', text: TOOL_ERROR });
    const last = parts.pop();
    return last === undefined ? '' : [...parts, withBreakpoint(last, block, dropped)];
  }
  for (const inner of inside) nameUnread(inner, TEXT, dropped);
  const marked = inside.findLast(({ cache_control: control }) => isObject(control)) ?? block;
  const text = (failed ? TOOL_ERROR : '') + inside.map((inner) => (typeof inner.text === 'string' ? inner.text : '')).join('');
  return text === '' ? '' : plainContent([withBreakpoint({ type: 'text', text }, marked, dropped)]);
}

/** How the canonical language says that a tool failed: it has no member for it. */
const TOOL_ERROR = '[tool error] ';

function addAssistant(content: unknown, place: string, dropped: Set<string>, add: Add): void {
  const texts: Part[] = [];
  const calls: Block[] = [];
  const byId = new Map<unknown, Block>();
  const details: object[] = [];
  for (const [index, block] of blocksOf(content, `${place}.content`).entries()) {
    if (block.type === 'text') texts.push(...textPart(block, dropped));
    else if (block.type === 'tool_use') {
      nameUnread(block, CALL, dropped);
      if (isObject(block.cache_control)) dropped.add('cache_control');
      const call = { id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input ?? {}) } };
      calls.push(call);
      if (!byId.has(block.id)) byId.set(block.id, call);
    } else if (block.type === 'thinking' || block.type === 'redacted_thinking') addReasoning(block, byId, details, dropped);
    else throw new Unsayable(unsupported(`${place}.content[${index}]`, `A block of type \`${String(block.type).slice(0, 64)}\` exists only where a tier speaks this API itself.`));
  }
  add(place, {
    role: 'assistant',
    content: texts.length === 0 ? (calls.length > 0 ? null : '') : assistantContent(texts),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  });
}

/** Text that this API cut into blocks was one text. */
const assistantContent = (texts: Part[]): string | Part[] => (texts.some((part) => part.prompt_cache_breakpoint !== undefined) ? texts : texts.map((part) => part.text as string).join(''));

/** What is signed goes on, named by who signed it: only that wire can use it. Thinking that nobody signed is of use to none. */
function addReasoning(block: Block, calls: ReadonlyMap<unknown, Block>, details: object[], dropped: Set<string>): void {
  const kept = keptIn(block);
  if (kept === null) return void dropped.add('thinking');
  const call = kept.toolId === null ? undefined : calls.get(kept.toolId);
  if (call !== undefined) call.extra_content = { google: { thought_signature: kept.data } };
  else if (kept.toolId !== null) dropped.add('thinking');
  else if (kept.kind === 'signature') details.push({ type: 'reasoning.text', text: typeof block.thinking === 'string' ? block.thinking : '', signature: kept.data, format: kept.format });
  else details.push({ type: 'reasoning.encrypted', data: kept.data, format: kept.format });
}

const keptIn = (block: Block) => (block.type === 'thinking' ? unwrapSignature(block.signature, 'signature') : unwrapSignature(block.data, 'encrypted'));

/**
 * The messages without what this gateway made of another provider's answer, and what that was; null when there is
 * nothing: a tier that speaks this API itself would refuse their signatures, and the client did not write them.
 */
export function withoutForeignBlocks(messages: unknown): { messages: unknown[]; dropped: readonly string[] } | null {
  const dropped = new Set<string>();
  const cleaned = (messages as { role?: unknown; content?: unknown }[]).flatMap((message) => {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) return [message];
    const written = message.content as unknown[];
    const content = written.flatMap((block) => (isObject(block) ? ownBlock(block, dropped) : [block]));
    if (content.length === written.length && content.every((block, index) => block === written[index])) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return dropped.size > 0 ? { messages: cleaned, dropped: [...dropped] } : null;
}

function ownBlock(block: Block, dropped: Set<string>): Block[] {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') {
    const kept = keptIn(block);
    if (kept?.format === OWN_FORMAT && kept.toolId === null) return [block];
    dropped.add('thinking');
    return [];
  }
  if (block.type !== 'text' || !Array.isArray(block.citations)) return [block];
  const citations = (block.citations as unknown[]).filter((citation) => !isObject(citation) || citation.encrypted_index !== '');
  if (citations.length === block.citations.length) return [block];
  dropped.add('citations');
  const { citations: _none, ...rest } = block;
  return [citations.length === 0 ? rest : { ...rest, citations }];
}
