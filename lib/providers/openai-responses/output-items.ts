import { isObject, type StreamEvent } from '../../wire';
import { RESPONSES_FORMAT } from './input-items';
import { hasText } from './values';

/** What a piece of an item is: each is counted on its own. */
const TEXT = 0;
const REFUSAL = 1;
const SUMMARY = 2;
const REASONING = 3;
const ARGUMENTS = 4;
const KINDS = 5;
const MAX_PARTS = 4096;

/**
 * The output items of one answer, read into canonical events. An item may come as deltas, as one `done` event, whole
 * with the item or with the whole response: however it comes, every character is told once. Items are known by their
 * `output_index`, since some relays make up new ids for every event.
 */
export class OutputItems {
  /** Function calls so far: what makes a completed answer one of `tool_calls`. */
  calls = 0;
  /** Anything of an item was seen. */
  any = false;
  /** Pieces that were told, or are being told. */
  private readonly told = new Set<number>();
  /** Ours (0, 1, …) of each call, by output index. */
  private readonly indexes = new Map<number, number>();
  private readonly dropped = new Set<string>();
  private reasoned = false;

  /** `event` is a delta: text, refusal, reasoning or arguments. Returns a complaint, or null. */
  delta(kind: DeltaKind, event: Record<string, unknown>, events: StreamEvent[]): string | null {
    const { delta } = event;
    if (typeof delta !== 'string') return 'a delta is not a string';
    if (delta === '') return null;
    const output = indexOf(event.output_index);
    const key = keyOf(PIECES[kind], output, indexOf(kind === 'summary' ? event.summary_index : event.content_index));
    this.any = true;
    if (kind === 'text') this.logprobs(event.logprobs, events);
    this.tell(kind, delta, output, key, events);
    return null;
  }

  /** A piece that comes whole: told unless it came in deltas, even if some of those were lost, since nobody can say where. */
  whole(kind: DeltaKind, text: unknown, outputIndex: unknown, partIndex: unknown, events: StreamEvent[]): void {
    if (!hasText(text)) return;
    const output = indexOf(outputIndex);
    const key = keyOf(PIECES[kind], output, indexOf(partIndex));
    if (this.told.has(key)) return;
    this.any = true;
    this.tell(kind, text, output, key, events);
  }

  begin(item: Record<string, unknown>, outputIndex: unknown, events: StreamEvent[]): void {
    const output = indexOf(outputIndex);
    switch (item.type) {
      case 'function_call':
      case 'custom_tool_call':
        this.call(output, item, events);
        return this.whole('arguments', argumentsOf(item), output, 0, events);
      case 'message':
      case 'reasoning':
        return;
      default:
        this.drop(typeof item.type === 'string' ? item.type : 'an item without a type', events);
    }
  }

  end(item: Record<string, unknown>, outputIndex: unknown, events: StreamEvent[]): void {
    const output = indexOf(outputIndex);
    switch (item.type) {
      case 'message':
        for (const [at, part] of listOf(item.content).entries()) this.part(part, output, at, events);
        return;
      case 'reasoning':
        for (const [at, part] of listOf(item.summary).entries()) this.whole('summary', part.text, output, at, events);
        for (const [at, part] of listOf(item.content).entries()) this.part(part, output, at, events);
        if (hasText(item.encrypted_content)) events.push({ type: 'signature', choice: 0, format: RESPONSES_FORMAT, kind: 'encrypted', data: item.encrypted_content, tool: null });
        return;
      case 'function_call':
        this.begin(item, output, events);
        if (!this.told.has(keyOf(ARGUMENTS, output, 0)) && item.status !== 'incomplete') this.whole('arguments', '{}', output, 0, events);
        return;
      default:
        this.begin(item, output, events);
    }
  }

  /** A content part, empty as it is added or whole as it is done. */
  part(part: Record<string, unknown>, outputIndex: unknown, partIndex: unknown, events: StreamEvent[]): void {
    if (part.type === 'output_text' || part.type === 'text') {
      const output = indexOf(outputIndex);
      const untold = !this.told.has(keyOf(TEXT, output, indexOf(partIndex)));
      if (untold && hasText(part.text)) this.logprobs(part.logprobs, events);
      this.whole('text', part.text, output, partIndex, events);
      if (untold) for (const each of listOf(part.annotations)) this.annotation(each, events);
    } else if (part.type === 'refusal') {
      this.whole('refusal', part.refusal, outputIndex, partIndex, events);
    } else if (part.type === 'reasoning_text') {
      this.whole('reasoning', part.text, outputIndex, partIndex, events);
    }
  }

  annotation(raw: unknown, events: StreamEvent[]): void {
    if (!isObject(raw)) return;
    if (raw.type !== 'url_citation' || typeof raw.url !== 'string') return this.drop(typeof raw.type === 'string' ? raw.type : 'annotation', events);
    const { url, title, start_index: start, end_index: end } = raw;
    const annotation = { url, title: typeof title === 'string' ? title : null, startIndex: typeof start === 'number' ? start : null, endIndex: typeof end === 'number' ? end : null };
    events.push({ type: 'annotation', choice: 0, annotation });
  }

  /** Something that the canonical language has no word for: named once. */
  drop(what: string, events: StreamEvent[]): void {
    const name = what.slice(0, 64);
    if (this.dropped.has(name) || this.dropped.size >= 100) return;
    this.dropped.add(name);
    events.push({ type: 'dropped', what: name });
  }

  private tell(kind: DeltaKind, text: string, output: number, key: number, events: StreamEvent[]): void {
    const begins = !this.told.has(key);
    if (begins) this.told.add(key);
    switch (kind) {
      case 'text':
      case 'refusal':
        events.push({ type: kind, choice: 0, text });
        return;
      case 'summary':
      case 'reasoning':
        // Parts of a summary are paragraphs; the canonical reasoning is one text.
        events.push({ type: 'reasoning', choice: 0, text: begins && this.reasoned ? `\n\n${text}` : text });
        this.reasoned = true;
        return;
      case 'arguments':
        events.push({ type: 'tool_call', choice: 0, index: this.indexAt(output), id: null, name: null, arguments: text });
    }
  }

  private call(output: number, item: Record<string, unknown>, events: StreamEvent[]): void {
    if (this.indexes.has(output)) return;
    const id = hasText(item.call_id) ? item.call_id : hasText(item.id) ? item.id : null;
    events.push({ type: 'tool_call', choice: 0, index: this.indexAt(output), id, name: hasText(item.name) ? item.name : null, arguments: '' });
  }

  private indexAt(output: number): number {
    let index = this.indexes.get(output);
    if (index === undefined) {
      index = this.calls++;
      this.indexes.set(output, index);
      this.any = true;
    }
    return index;
  }

  /** In the shape of a chat's; before the text that they belong to. */
  private logprobs(raw: unknown, events: StreamEvent[]): void {
    if (Array.isArray(raw) && raw.length > 0) events.push({ type: 'logprobs', choice: 0, logprobs: { content: raw, refusal: null } });
  }
}

export type DeltaKind = 'text' | 'refusal' | 'summary' | 'reasoning' | 'arguments';
const PIECES: Record<DeltaKind, number> = { text: TEXT, refusal: REFUSAL, summary: SUMMARY, reasoning: REASONING, arguments: ARGUMENTS };

const keyOf = (kind: number, output: number, part: number): number => (output * MAX_PARTS + part) * KINDS + kind;

/** An index that is no index counts as the first. */
function indexOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < MAX_PARTS && Number.isInteger(value) ? value : 0;
}

const argumentsOf = (item: Record<string, unknown>): unknown => {
  const given = item.type === 'custom_tool_call' ? item.input : item.arguments;
  return isObject(given) ? JSON.stringify(given) : given;
};

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
