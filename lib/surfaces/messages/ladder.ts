import type { SignatureEvent, StreamEvent, UrlCitation } from '../../wire';
import { JsonEnd } from './json-end';
import { wrapSignature } from './signatures';

/** Where the ladder's rungs go: text for a stream, blocks for a whole message. */
export interface BlockSink {
  start(index: number, block: Record<string, unknown>): void;
  delta(index: number, kind: DeltaKind, text: string): void;
  citation(index: number, citation: Record<string, unknown>): void;
  stop(index: number): void;
  /** Something that no block can hold. */
  dropped(what: string): void;
}

export type DeltaKind = 'text' | 'thinking' | 'signature' | 'input_json';

/** What goes into blocks. */
export type BlockEvent = Extract<StreamEvent, { type: 'text' | 'reasoning' | 'refusal' | 'tool_call' | 'signature' | 'annotation' }>;

type ToolCall = Extract<StreamEvent, { type: 'tool_call' }>;

interface Open {
  kind: 'text' | 'thinking' | 'tool';
  index: number;
  /** The canonical index of a tool call, -1 for other blocks. */
  tool: number;
  /** Where the arguments of a tool call end; null for other blocks. */
  end: JsonEnd | null;
}

/** Events of one block that cannot open yet. */
interface Waiting {
  tool: number;
  events: BlockEvent[];
}

/** In the place of those that are written. No tool call has its index, nor has anything else. */
const NOBODY: Waiting = { tool: -2, events: [] };

/**
 * Turns events, which may interleave, into content blocks, which may not: one block is open at a time. A block opens
 * when the kind of content changes. A tool call stays open until its arguments are whole JSON; what belongs to other
 * blocks waits for that, each tool call apart, so that a client that reads block by block sees every call whole.
 */
export class BlockLadder {
  private blocks = 0;
  private open: Open | null = null;
  private waiting: Waiting[] = [];
  /** How many of them are written: they are taken out when all are, since calls that wait for each other end one by one. */
  private released = 0;
  private readonly waitingTools = new Map<number, Waiting>();
  /** Tool calls by their canonical index, with the id that the client knows; kept when closed. */
  private readonly toolIds = new Map<number, string>();

  constructor(
    private readonly sink: BlockSink,
    private readonly callId: string,
  ) {}

  /** A tool call has been seen. */
  get calledTools(): boolean {
    return this.toolIds.size > 0 || this.waitingTools.size > 0;
  }

  add(event: BlockEvent): void {
    if (!this.blocked) return this.write(event);
    if (event.type === 'tool_call' && event.index === this.open!.tool) {
      this.write(event);
      if (!this.blocked) this.release(false);
      return;
    }
    this.wait(event);
  }

  /** Nothing follows: what waits is written as it is, and the last block ends. */
  finish(): void {
    this.release(true);
    this.close();
  }

  private get blocked(): boolean {
    return this.open !== null && this.open.end !== null && !this.open.end.reached;
  }

  private wait(event: BlockEvent): void {
    const tool = event.type === 'tool_call' ? event.index : -1;
    const last = tool === -1 ? this.waiting.at(-1) : this.waitingTools.get(tool);
    if (last !== undefined && last.tool === tool) return void last.events.push(event);
    const group: Waiting = { tool, events: [event] };
    this.waiting.push(group);
    if (tool !== -1) this.waitingTools.set(tool, group);
  }

  private release(all: boolean): void {
    const { waiting } = this;
    while (this.released < waiting.length && (all || !this.blocked)) {
      const { tool, events } = waiting[this.released]!;
      waiting[this.released++] = NOBODY;
      this.waitingTools.delete(tool);
      for (const event of events) this.write(event);
    }
    if (this.released < waiting.length) return;
    this.waiting = [];
    this.released = 0;
  }

  private write(event: BlockEvent): void {
    switch (event.type) {
      case 'text':
      case 'refusal': // this API says it in plain text
        return this.sink.delta(this.enter('text').index, 'text', event.text);
      case 'reasoning':
        return this.sink.delta(this.enter('thinking').index, 'thinking', event.text);
      case 'tool_call':
        return this.tool(event);
      case 'signature':
        return this.signature(event);
      case 'annotation':
        if (this.open?.kind !== 'text') return this.sink.dropped('annotations');
        return this.sink.citation(this.open.index, citationOf(event.annotation));
    }
  }

  private enter(kind: 'text' | 'thinking'): Open {
    if (this.open?.kind === kind) return this.open;
    return this.begin(kind, -1, kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' });
  }

  private tool(event: ToolCall): void {
    let { open } = this;
    if (open?.tool !== event.index) {
      if (this.toolIds.has(event.index)) return event.arguments.trim() === '' ? undefined : this.sink.dropped('tool_arguments'); // its block has ended: its JSON was whole
      const id = event.id ?? `toolu_${this.callId}_${event.index}`;
      open = this.begin('tool', event.index, { type: 'tool_use', id, name: event.name ?? '', input: {} });
      this.toolIds.set(event.index, id);
    }
    if (event.arguments === '') return;
    open.end!.feed(event.arguments);
    this.sink.delta(open.index, 'input_json', event.arguments);
  }

  /** A signature closes the reasoning before it; what stands in place of reasoning, or belongs to a tool call, is a block of its own. */
  private signature(event: SignatureEvent): void {
    if (event.kind === 'signature' && event.tool === null) {
      this.sink.delta(this.enter('thinking').index, 'signature', wrapSignature(event, null));
      return this.close();
    }
    const toolId = event.tool === null ? null : (this.toolIds.get(event.tool) ?? null);
    if (event.tool !== null && toolId === null) return this.sink.dropped('signature');
    this.close();
    this.sink.start(this.blocks, { type: 'redacted_thinking', data: wrapSignature(event, toolId) });
    this.sink.stop(this.blocks++);
  }

  private begin(kind: Open['kind'], tool: number, block: Record<string, unknown>): Open {
    this.close();
    this.open = { kind, index: this.blocks++, tool, end: kind === 'tool' ? new JsonEnd() : null };
    this.sink.start(this.open.index, block);
    return this.open;
  }

  private close(): void {
    const { open } = this;
    if (open === null) return;
    // A call without arguments: some clients parse what they collected, and nothing at all is no JSON.
    if (open.end?.empty) this.sink.delta(open.index, 'input_json', '{}');
    this.sink.stop(open.index);
    this.open = null;
  }
}

/** Nobody's search result stands behind it, so there is no index to give back: see `withoutForeignBlocks`. */
const citationOf = ({ url, title }: UrlCitation): Record<string, unknown> => ({ type: 'web_search_result_location', url, title, cited_text: '', encrypted_index: '' });
