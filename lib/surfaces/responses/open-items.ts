import type { Emitter } from './output-ladder';

type Status = 'completed' | 'incomplete';

/** A message while it is written: parts of text and refusal, one after the other. */
export class MessageItem {
  private readonly id: string;
  private parts: string[] = [];
  private part: { kind: 'output_text' | 'refusal'; at: number; text: string; annotations: string[]; cited: number; logprobs: unknown[] } | null = null;
  private begun = 0;
  /** The inside of the event that most deltas are, up to the text. */
  private prefix = '';

  constructor(
    private readonly to: Emitter,
    callId: string,
    readonly output: number,
    /** The answer is too long to be told once more. */
    private large: boolean,
  ) {
    this.id = `msg_${callId}_${output}`;
    to.emit('response.output_item.added', `"output_index":${output},"item":${this.json('in_progress')}`);
  }

  text(text: string, logprobs: readonly unknown[]): void {
    const part = this.partOf('output_text');
    if (!this.large) {
      part.text += text;
      for (const each of logprobs) part.logprobs.push(each);
    }
    this.to.emit('response.output_text.delta', `${this.prefix}${JSON.stringify(text)},"logprobs":${logprobs.length === 0 ? '[]' : JSON.stringify(logprobs)}`);
  }

  /** Told of the text only behind it. */
  lateLogprobs(logprobs: readonly unknown[]): void {
    if (this.part?.kind === 'output_text' && !this.large) for (const each of logprobs) this.part.logprobs.push(each);
  }

  refusal(text: string): void {
    const part = this.partOf('refusal');
    if (!this.large) part.text += text;
    this.to.emit('response.refusal.delta', this.prefix + JSON.stringify(text));
  }

  annotation(annotation: string): void {
    const part = this.partOf('output_text');
    const at = part.cited++;
    if (!this.large) part.annotations.push(annotation);
    this.to.emit('response.output_text.annotation.added', `${this.place(part.at)},"annotation_index":${at},"annotation":${annotation}`);
  }

  close(status: Status): string {
    this.closePart();
    const json = this.json(status);
    this.to.emit('response.output_item.done', `"output_index":${this.output},"item":${json}`);
    return json;
  }

  letGo(): void {
    this.large = true;
    this.parts = [];
    if (this.part !== null) Object.assign(this.part, { text: '', annotations: [], logprobs: [] });
  }

  json(status: Status | 'in_progress'): string {
    const parts = this.part === null ? this.parts : [...this.parts, this.partJson()];
    return `{"id":"${this.id}","type":"message","status":"${status}","role":"assistant","content":[${parts.join(',')}]}`;
  }

  private partOf(kind: 'output_text' | 'refusal') {
    if (this.part?.kind === kind) return this.part;
    this.closePart();
    const part = (this.part = { kind, at: this.begun++, text: '', annotations: [], cited: 0, logprobs: [] });
    this.prefix = `${this.place(part.at)},"delta":`;
    this.to.emit('response.content_part.added', `${this.place(part.at)},"part":${this.partJson()}`);
    return part;
  }

  private closePart(): void {
    const { part } = this;
    if (part === null) return;
    const json = this.partJson();
    const { kind, at, text, logprobs } = part;
    this.part = null;
    if (this.large) return;
    const place = this.place(at);
    if (kind === 'output_text') this.to.emit('response.output_text.done', `${place},"text":${JSON.stringify(text)},"logprobs":${JSON.stringify(logprobs)}`);
    else this.to.emit('response.refusal.done', `${place},"refusal":${JSON.stringify(text)}`);
    this.to.emit('response.content_part.done', `${place},"part":${json}`);
    this.parts.push(json);
  }

  private partJson(): string {
    const { kind, text, annotations, logprobs } = this.part!;
    if (kind === 'refusal') return `{"type":"refusal","refusal":${JSON.stringify(text)}}`;
    return `{"type":"output_text","annotations":[${annotations.join(',')}],"logprobs":${JSON.stringify(logprobs)},"text":${JSON.stringify(text)}}`;
  }

  private place(part: number): string {
    return `"item_id":"${this.id}","output_index":${this.output},"content_index":${part}`;
  }
}

/** Reasoning while it is written: one summary, and what the provider wants back. */
export class ReasoningItem {
  /** What comes back with the next turn, for the wire that wrote it. */
  encrypted: string | null = null;
  private readonly id: string;
  private summary: string | null = null;

  constructor(
    private readonly to: Emitter,
    callId: string,
    readonly output: number,
    private large: boolean,
  ) {
    this.id = `rs_${callId}_${output}`;
    to.emit('response.output_item.added', `"output_index":${output},"item":{"id":"${this.id}","type":"reasoning","summary":[]}`);
  }

  text(text: string): void {
    if (this.summary === null) this.to.emit('response.reasoning_summary_part.added', `${this.place()},"part":{"type":"summary_text","text":""}`);
    this.summary = this.large ? '' : (this.summary ?? '') + text;
    this.to.emit('response.reasoning_summary_text.delta', `${this.place()},"delta":${JSON.stringify(text)}`);
  }

  close(_status: Status): string {
    if (this.summary !== null && !this.large) {
      const text = JSON.stringify(this.summary);
      this.to.emit('response.reasoning_summary_text.done', `${this.place()},"text":${text}`);
      this.to.emit('response.reasoning_summary_part.done', `${this.place()},"part":{"type":"summary_text","text":${text}}`);
    }
    const json = this.json();
    this.to.emit('response.output_item.done', `"output_index":${this.output},"item":${json}`);
    return json;
  }

  letGo(): void {
    this.large = true;
    if (this.summary !== null) this.summary = '';
  }

  json(_status?: Status): string {
    const summary = this.summary === null || this.large ? '' : `{"type":"summary_text","text":${JSON.stringify(this.summary)}}`;
    const encrypted = this.encrypted === null ? '' : `,"encrypted_content":${JSON.stringify(this.encrypted)}`;
    return `{"id":"${this.id}","type":"reasoning","summary":[${summary}]${encrypted}}`;
  }

  private place(): string {
    return `"item_id":"${this.id}","output_index":${this.output},"summary_index":0`;
  }
}
