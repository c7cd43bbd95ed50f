import { isObject, nonEmpty, type StreamEvent } from '../../wire';
import { newId } from '../../std';
import type { Members } from './json-values';
import { FORMAT } from './signed-thinking';

/** A content block while it is open. */
export interface Block {
  kind: 'text' | 'thinking' | 'tool' | 'other';
  /** Of a tool call: 0, 1, … among the calls that are the client's to make. */
  tool: number;
  /** Of a tool call: some of its arguments were given. */
  sent: boolean;
  /** Of a tool call: arguments that came with its start. */
  input: unknown;
  signature: string;
  /** Characters of the answer's text before the block. */
  textStart: number;
  citations: { url: string; title: string | null }[];
}

/**
 * Reads content blocks into events, of a stream or of a whole message. Methods return a complaint when something has
 * a shape that no client could read, else null.
 */
export interface Blocks {
  start(index: number, raw: unknown, events: StreamEvent[]): string | null;
  delta(index: number, raw: unknown, events: StreamEvent[]): string | null;
  stop(index: number, events: StreamEvent[]): void;
  /** The answer ends. `cut`: inside of what is open, which then stays as it is. */
  end(cut: boolean, events: StreamEvent[]): void;
  /** An open block, for whoever reads its deltas by another way. */
  open(index: number): Block | null;
  /** Characters of text that were read by another way. */
  passed(characters: number): void;
  /** Has any block begun? */
  hasBegun(): boolean;
}

/** More at once would be an attack: the wire opens one at a time. */
const MOST_OPEN = 64;
/** Of one block. */
const MOST_CITATIONS = 1_000;
/** Names of what got lost, of one answer. */
const MOST_DROPPED = 32;

export function createBlocks(): Blocks {
  const open = new Map<number, Block>();
  const dropped = new Set<string>();
  let tools = 0;
  let characters = 0;
  let begun = false;

  function drop(what: string, events: StreamEvent[]): void {
    const name = what.replace(/[^\w.-]/g, '_').slice(0, 64);
    if (dropped.has(name) || dropped.size >= MOST_DROPPED) return;
    dropped.add(name);
    events.push({ type: 'dropped', what: name });
  }

  function start(index: number, raw: unknown, events: StreamEvent[]): string | null {
    if (!isObject(raw) || typeof raw.type !== 'string') return 'a content block without a type';
    if (open.has(index)) stop(index, events); // its end was left out
    if (open.size >= MOST_OPEN) return 'too many content blocks at once';
    begun = true;
    const block: Block = { kind: KINDS[raw.type] ?? 'other', tool: -1, sent: false, input: undefined, signature: '', textStart: characters, citations: [] };
    open.set(index, block);
    switch (block.kind) {
      case 'text':
        text(raw.text, events);
        if (Array.isArray(raw.citations)) for (const citation of raw.citations) cite(block, citation, events);
        return null;
      case 'thinking':
        thought(raw.thinking, events);
        block.signature = nonEmpty(raw.signature) ?? '';
        return null;
      case 'tool':
        return call(block, raw, events);
      default:
        if (raw.type === 'redacted_thinking' && nonEmpty(raw.data) !== null) events.push({ type: 'signature', choice: 0, format: FORMAT, kind: 'encrypted', data: raw.data as string, tool: null });
        else drop(raw.type, events);
        return null;
    }
  }

  function call(block: Block, raw: Members, events: StreamEvent[]): string | null {
    const name = nonEmpty(raw.name);
    if (name === null) return 'a tool call without a name';
    block.tool = tools++;
    if (isObject(raw.input) && Object.keys(raw.input).length > 0) block.input = raw.input;
    events.push({ type: 'tool_call', choice: 0, index: block.tool, id: nonEmpty(raw.id) ?? newId('toolu'), name, arguments: '' });
    return null;
  }

  function delta(index: number, raw: unknown, events: StreamEvent[]): string | null {
    if (!isObject(raw) || typeof raw.type !== 'string') return 'a delta without a type';
    const block = open.get(index);
    switch (raw.type) {
      case 'text_delta':
        if (typeof raw.text !== 'string') return 'a text delta without text';
        if (block === undefined || block.kind === 'text') text(raw.text, events);
        return null;
      case 'thinking_delta':
        if (typeof raw.thinking !== 'string') return 'a thinking delta without text';
        if (block === undefined || block.kind === 'thinking') thought(raw.thinking, events);
        return null;
      case 'input_json_delta':
        if (typeof raw.partial_json !== 'string') return 'a delta of arguments without text';
        if (block === undefined) return 'arguments of a tool call that has not begun';
        if (block.kind === 'tool') input(block, raw.partial_json, events);
        return null;
      case 'signature_delta':
        if (block?.kind === 'thinking') block.signature = nonEmpty(raw.signature) ?? block.signature;
        return null;
      case 'citations_delta':
        if (block?.kind === 'text') cite(block, raw.citation, events);
        return null;
      default:
        if (block?.kind !== 'other') drop(raw.type, events); // of those the block's own type was named
        return null;
    }
  }

  function text(value: unknown, events: StreamEvent[]): void {
    const piece = nonEmpty(value);
    if (piece === null) return;
    characters += piece.length;
    events.push({ type: 'text', choice: 0, text: piece });
  }

  function thought(value: unknown, events: StreamEvent[]): void {
    const piece = nonEmpty(value);
    if (piece !== null) events.push({ type: 'reasoning', choice: 0, text: piece });
  }

  function input(block: Block, json: string, events: StreamEvent[]): void {
    if (json === '') return;
    block.sent = true;
    events.push({ type: 'tool_call', choice: 0, index: block.tool, id: null, name: null, arguments: json });
  }

  /** Citations come before the text that they belong to: they are told at the end of the block. */
  function cite(block: Block, citation: unknown, events: StreamEvent[]): void {
    const url = isObject(citation) && citation.type === 'web_search_result_location' ? nonEmpty(citation.url) : null;
    if (url === null || block.citations.length >= MOST_CITATIONS) return drop('citations', events);
    block.citations.push({ url, title: nonEmpty((citation as Members).title) });
  }

  function stop(index: number, events: StreamEvent[]): void {
    const block = open.get(index);
    if (block === undefined) return;
    open.delete(index);
    close(block, false, events);
  }

  function close(block: Block, cut: boolean, events: StreamEvent[]): void {
    if (block.kind === 'tool' && !block.sent && !(cut && block.input === undefined)) input(block, block.input === undefined ? '{}' : JSON.stringify(block.input), events);
    if (block.signature !== '') events.push({ type: 'signature', choice: 0, format: FORMAT, kind: 'signature', data: block.signature, tool: null });
    for (const { url, title } of block.citations) events.push({ type: 'annotation', choice: 0, annotation: { url, title, startIndex: block.textStart, endIndex: characters } });
  }

  return {
    start,
    delta,
    stop,
    end(cut, events) {
      for (const block of open.values()) close(block, cut, events);
      open.clear();
    },
    open: (index) => open.get(index) ?? null,
    passed(count) {
      characters += count;
    },
    hasBegun: () => begun,
  };
}

const KINDS: Record<string, Block['kind'] | undefined> = Object.assign(Object.create(null), { text: 'text', thinking: 'thinking', tool_use: 'tool' });
