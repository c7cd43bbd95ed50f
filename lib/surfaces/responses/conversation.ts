import { CARRIED_MARK, carriedSignature, isObject, type Losses, unread } from '../../wire';
import { defined, hasText, itemsOf } from './values';

type Message = Record<string, unknown>;
type Item = Record<string, unknown>;

/**
 * Instructions and input items as the messages of a chat. What the assistant did between two other items (reasoning,
 * text, calls) is one message there. `places` says for each message where the client wrote it.
 */
export function conversationOf({ instructions, input }: Record<string, unknown>, losses: Losses): { messages: Message[]; places: string[] } {
  const conversation = new Conversation(losses);
  if (hasText(instructions)) conversation.add({ role: 'system', content: instructions }, 'instructions');
  if (typeof input === 'string') conversation.add({ role: 'user', content: input }, 'input');
  for (const [at, item] of itemsOf(input).entries()) conversation.item(item, `input[${at}]`);
  conversation.close();
  return conversation;
}

class Conversation {
  readonly messages: Message[] = [];
  readonly places: string[] = [];
  /** The assistant's message that is being put together. */
  private turn: Message | null = null;
  /** Signed reasoning that waits for the assistant's message. */
  private details: object[] = [];

  constructor(private readonly losses: Losses) {}

  add(message: Message, place: string): void {
    this.messages.push(message);
    this.places.push(place);
  }

  item(item: Item, place: string): void {
    const type = item.type ?? (typeof item.role === 'string' ? 'message' : undefined);
    if (type !== 'reasoning') this.nameUnread(item, ITEM);
    switch (type) {
      case 'message':
        return this.message(item, place);
      case 'reasoning':
        return this.reasoning(item);
      case 'function_call':
        return this.call({ ...defined({ id: item.call_id ?? item.id }), type: 'function', function: { name: item.name, arguments: item.arguments ?? '' }, ...defined({ extra_content: item.extra_content }) }, place);
      case 'custom_tool_call':
        return this.call({ ...defined({ id: item.call_id ?? item.id }), type: 'custom', custom: { name: item.name, input: item.input ?? '' } }, place);
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.close();
        return this.add({ role: 'tool', tool_call_id: item.call_id, content: this.result(item.output, `${place}.output`) }, place);
      case 'item_reference':
        return this.losses.refuseValue(place, 'Answers are not kept here: send the item itself instead of a reference to it.');
      default:
        this.losses.refuseValue(`${place}.type`, 'An item of this type exists only where a tier speaks this API itself.');
    }
  }

  close(): void {
    if (this.details.length > 0) this.losses.drop('reasoning'); // of a turn that had nothing else
    this.details = [];
    this.turn = null;
  }

  /** Members that get lost, by name. */
  private nameUnread(value: Item, read: ReadonlySet<string>): void {
    for (const name of unread(value, read)) this.losses.drop(name);
  }

  private message({ role, content, phase }: Item, place: string): void {
    if (hasText(phase)) this.losses.drop('phase');
    if (role === 'assistant') return this.said(this.answered(content, `${place}.content`), place);
    this.close();
    if (role !== 'user' && role !== 'system' && role !== 'developer') return this.losses.refuseValue(`${place}.role`, 'A message is from `user`, `assistant`, `system` or `developer`.');
    this.add({ role, content: this.parts(content, `${place}.content`) }, place);
  }

  private said(content: string | object[], place: string): void {
    const turn = this.turn;
    if (turn === null || (turn.content !== null && turn.tool_calls === undefined)) {
      this.turn = null; // two messages in a row stay two
      this.assistant(place).content = content;
    } else if (turn.content === null) {
      turn.content = content;
    } else {
      const parts = textParts(turn.content);
      for (const part of textParts(content)) parts.push(part);
      turn.content = parts;
    }
  }

  private call(call: object, place: string): void {
    const turn = this.assistant(place);
    ((turn.tool_calls ??= []) as object[]).push(call);
  }

  private assistant(place: string): Message {
    if (this.turn === null) {
      this.turn = { role: 'assistant', content: null };
      this.add(this.turn, place);
    }
    for (const detail of this.details) ((this.turn.reasoning_details ??= []) as object[]).push(detail);
    this.details = [];
    return this.turn;
  }

  /** Only what a tier of another wire signed is of use to others, namely to that wire. */
  private reasoning({ encrypted_content: content, summary }: Item): void {
    const carried = typeof content === 'string' && content.startsWith(CARRIED_MARK) ? carriedSignature(content) : null;
    if (carried === null) return this.losses.drop('reasoning');
    const { kind, data, format } = carried;
    const text = itemsOf(summary).map((part) => (hasText(part.text) ? part.text : '')).join('\n\n');
    this.details.push(kind === 'signature' ? { type: 'reasoning.text', text, signature: data, format } : { type: 'reasoning.encrypted', data, format });
    if (this.turn !== null) this.assistant('');
  }

  private answered(content: unknown, place: string): string | object[] {
    if (typeof content === 'string') return content;
    const parts = itemsOf(content).flatMap((part, at): { type: string; text?: unknown; refusal?: unknown }[] => {
      this.nameUnread(part, ANSWERED);
      if (typeof part.text === 'string') return [{ type: 'text', text: part.text }];
      if (part.type === 'refusal') return [{ type: 'refusal', refusal: part.refusal }];
      this.losses.refuseValue(`${place}[${at}].type`, 'A message of the assistant holds text and refusals.');
      return [];
    });
    // One piece of text is what a chat says as a string.
    return parts.length === 1 && typeof parts[0]!.text === 'string' ? parts[0]!.text : parts;
  }

  private parts(content: unknown, place: string): string | object[] {
    if (typeof content === 'string') return content;
    return itemsOf(content).flatMap((part, at) => this.part(part, `${place}[${at}]`));
  }

  private part(part: Item, place: string): object[] {
    const { prompt_cache_breakpoint } = part;
    this.nameUnread(part, PART);
    switch (part.type) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return [{ type: 'text', text: part.text, ...defined({ prompt_cache_breakpoint }) }];
      case 'input_image':
        if (typeof part.image_url === 'string') return [{ type: 'image_url', image_url: { url: part.image_url, ...defined({ detail: part.detail }) }, ...defined({ prompt_cache_breakpoint }) }];
        this.losses.refuse(`${place}.file_id`, 'Files are kept by the provider: send the image as a URL or as data.');
        return [];
      case 'input_file':
        if (typeof part.file_url === 'string') this.losses.refuse(`${place}.file_url`, 'Files are not fetched here: send the file as data.');
        return [{ type: 'file', file: defined({ file_data: part.file_data, file_id: part.file_id, filename: part.filename }), ...defined({ prompt_cache_breakpoint }) }];
      case 'input_audio':
        return [{ type: 'input_audio', input_audio: part.input_audio }];
      default:
        this.losses.refuseValue(`${place}.type`, 'Other APIs take text, images, files and audio.');
        return [];
    }
  }

  private result(output: unknown, place: string): string | object[] {
    if (typeof output === 'string') return output;
    return itemsOf(output).flatMap((part, at) => {
      if (typeof part.text === 'string') {
        this.nameUnread(part, TEXT);
        return [{ type: 'text', text: part.text }];
      }
      if (part.type === 'input_image' || part.type === 'input_file') return this.part(part, `${place}[${at}]`);
      this.losses.refuseValue(`${place}[${at}].type`, 'Other APIs take text, images and files as the result of a tool.');
      return [];
    });
  }
}

/** Of all kinds of items; ids and states are those of kept answers. */
const ITEM = new Set(['type', 'role', 'content', 'phase', 'id', 'status', 'call_id', 'name', 'arguments', 'input', 'output', 'extra_content']);
const TEXT = new Set(['type', 'text']);
const ANSWERED = new Set(['type', 'text', 'refusal']);
const PART = new Set(['type', 'text', 'image_url', 'detail', 'file_data', 'file_id', 'file_url', 'filename', 'input_audio', 'prompt_cache_breakpoint']);

const textParts = (content: unknown): object[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : (content as object[]));
