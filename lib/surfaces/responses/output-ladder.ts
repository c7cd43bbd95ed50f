import { carrySignature, type SignatureEvent, type StreamEvent, type UrlCitation } from '../../wire';
import { CallItems, type ToolCallEvent } from './call-items';
import { MessageItem, ReasoningItem } from './open-items';

export type LadderEvent = Extract<StreamEvent, { type: 'text' | 'refusal' | 'reasoning' | 'tool_call' | 'signature' | 'annotation' | 'logprobs' }>;

/** Where the ladder's events go. `rest` is the inside of a JSON object, after type and sequence number. */
export interface Emitter {
  emit(type: string, rest: string): void;
}

/** More than any model answers with; whoever sends it would have the gateway hold it. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * Puts canonical events into this API's order: items are added, filled piece by piece and done. Messages and reasoning
 * come one after the other, calls stay open side by side to the end, since their pieces may come in any order. An item that is done is told once more in the response, so the
 * whole answer is kept, up to a bound: a longer one is told in its deltas only.
 */
export class OutputLadder {
  /** The answer outgrew what is kept of it. */
  overflowed = false;
  /** Items that are done, by output index, as JSON text. */
  private items: string[] = [];
  private outputs = 0;
  private open: MessageItem | ReasoningItem | null = null;
  private readonly calls: CallItems;
  private logprobs: unknown[] = [];
  private characters = 0;

  constructor(
    private readonly to: Emitter,
    private readonly callId: string,
    customTools: ReadonlySet<string>,
  ) {
    this.calls = new CallItems(to, callId, customTools, () => this.outputs++);
  }

  add(event: LadderEvent): void {
    switch (event.type) {
      case 'text':
        this.count(event.text.length);
        this.message().text(event.text, this.logprobs);
        this.logprobs = [];
        return;
      case 'refusal':
        this.count(event.text.length);
        return this.message().refusal(event.text);
      case 'reasoning':
        this.count(event.text.length);
        return this.reasoning().text(event.text);
      case 'tool_call':
        return this.tool(event);
      case 'signature':
        return this.signature(event);
      case 'annotation':
        return this.message().annotation(annotationOf(event.annotation));
      case 'logprobs': {
        const content = (event.logprobs as { content?: unknown } | null)?.content;
        this.logprobs = Array.isArray(content) ? content : [];
      }
    }
  }

  /** Closes what is open. `status` is of the items that were not done before. */
  finish(status: 'completed' | 'incomplete'): void {
    this.closeOpen(status);
    for (const call of this.calls.open()) {
      const json = this.calls.close(call, status);
      this.keep(call.output, json); // only now does every call have its place
    }
  }

  /** The output as JSON text; what is still open counts as incomplete. */
  output(): string {
    if (this.overflowed) return '[]';
    const items = [...this.items];
    if (this.open !== null) items[this.open.output] = this.open.json('incomplete');
    for (const call of this.calls.open()) items[call.output] = this.calls.json(call, 'incomplete');
    return `[${items.filter((item) => item !== undefined).join(',')}]`;
  }

  private message(): MessageItem {
    if (this.open instanceof MessageItem) return this.open;
    this.closeOpen('completed');
    return (this.open = new MessageItem(this.to, this.callId, this.outputs++, this.overflowed));
  }

  private reasoning(): ReasoningItem {
    if (this.open instanceof ReasoningItem) return this.open;
    this.closeOpen('completed');
    return (this.open = new ReasoningItem(this.to, this.callId, this.outputs++, this.overflowed));
  }

  private tool(event: ToolCallEvent): void {
    this.count(event.arguments.length);
    this.closeOpen('completed');
    this.calls.add(event, this.overflowed);
  }

  /** A signature closes the reasoning that it belongs to; what was encrypted whole is an item of its own. */
  private signature(event: SignatureEvent): void {
    if (event.tool !== null) return this.calls.sign(event.tool, event.data);
    this.count(event.data.length);
    if (event.kind === 'encrypted') this.closeOpen('completed');
    this.reasoning().encrypted = event.format === OWN_FORMAT ? event.data : carrySignature(event);
    this.closeOpen('completed');
  }

  private closeOpen(status: 'completed' | 'incomplete'): void {
    const { open } = this;
    if (open === null) return;
    this.open = null;
    if (open instanceof MessageItem && this.logprobs.length > 0) {
      open.lateLogprobs(this.logprobs);
      this.logprobs = [];
    }
    this.keep(open.output, open.close(status));
  }

  private keep(output: number, json: string): void {
    if (!this.overflowed) this.items[output] = json;
  }

  private count(characters: number): void {
    this.characters += characters;
    if (this.overflowed || this.characters <= MOST_CHARACTERS) return;
    this.overflowed = true;
    this.items = [];
    this.open?.letGo();
    this.calls.letGo();
  }
}

const OWN_FORMAT = 'openai-responses-v1';

const annotationOf = ({ url, title, startIndex, endIndex }: UrlCitation): string =>
  JSON.stringify({ type: 'url_citation', url, title: title ?? '', start_index: startIndex ?? 0, end_index: endIndex ?? 0 });
