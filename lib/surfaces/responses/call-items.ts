import type { StreamEvent } from '../../wire';
import type { Emitter } from './output-ladder';

export type ToolCallEvent = Extract<StreamEvent, { type: 'tool_call' }>;

export interface OpenCall {
  /** -1 until its name is known: only then can it be told. */
  output: number;
  id: string | null;
  name: string;
  arguments: string;
  signature: string | null;
  isDone: boolean;
}

/** Calls of tools while they are written. Their pieces may interleave. */
export class CallItems {
  private readonly calls = new Map<number, OpenCall>();
  private large = false;

  constructor(
    private readonly to: Emitter,
    private readonly callId: string,
    /** Names of the request's custom tools, whose calls are items of another type. */
    private readonly customTools: ReadonlySet<string>,
    private readonly nextOutput: () => number,
  ) {}

  add({ index, id, name, arguments: piece }: ToolCallEvent, large: boolean): void {
    this.large = large;
    let call = this.calls.get(index);
    if (call === undefined) {
      call = { output: -1, id: null, name: '', arguments: '', signature: null, isDone: false };
      this.calls.set(index, call);
    }
    call.id ??= id;
    call.name ||= name ?? '';
    if (call.output === -1) {
      call.arguments += piece;
      if (call.name !== '') this.tell(call);
    } else if (piece !== '') {
      if (!large) call.arguments += piece;
      this.delta(call, piece);
    }
  }

  /** What a wire wants back with this call. */
  sign(index: number, data: string): void {
    const call = this.calls.get(index);
    if (call !== undefined) call.signature = data;
  }

  /** In the order in which they began; those that nobody named among them. */
  open(): OpenCall[] {
    return [...this.calls.values()].filter((call) => !call.isDone && (call.output !== -1 || call.arguments !== ''));
  }

  close(call: OpenCall, status: 'completed' | 'incomplete'): string {
    if (call.output === -1) this.tell(call);
    call.isDone = true;
    const place = this.place(call);
    if (!this.large && this.isCustom(call)) this.to.emit('response.custom_tool_call_input.done', `${place},"input":${JSON.stringify(call.arguments)}`);
    else if (!this.large) this.to.emit('response.function_call_arguments.done', `${place},"name":${JSON.stringify(call.name)},"arguments":${JSON.stringify(call.arguments)}`);
    const json = this.json(call, status);
    this.to.emit('response.output_item.done', `"output_index":${call.output},"item":${json}`);
    return json;
  }

  letGo(): void {
    this.large = true;
    for (const call of this.calls.values()) if (call.output !== -1) call.arguments = '';
  }

  json(call: OpenCall, status: 'in_progress' | 'completed' | 'incomplete'): string {
    const { name, signature } = call;
    const given = status === 'in_progress' ? '' : call.arguments;
    const kind = this.isCustom(call) ? { type: 'custom_tool_call' } : { type: 'function_call', status };
    const made = this.isCustom(call) ? { input: given } : { arguments: given };
    return JSON.stringify({
      id: this.itemId(call),
      ...kind,
      call_id: call.id ?? `call_${this.callId}_${call.output}`,
      name,
      ...made,
      ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
    });
  }

  private tell(call: OpenCall): void {
    call.output = this.nextOutput();
    this.to.emit('response.output_item.added', `"output_index":${call.output},"item":${this.json(call, 'in_progress')}`);
    if (call.arguments !== '') this.delta(call, call.arguments);
  }

  private delta(call: OpenCall, piece: string): void {
    this.to.emit(this.isCustom(call) ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta', `${this.place(call)},"delta":${JSON.stringify(piece)}`);
  }

  private isCustom({ name }: OpenCall): boolean {
    return this.customTools.has(name);
  }

  private itemId(call: OpenCall): string {
    return `${this.isCustom(call) ? 'ctc' : 'fc'}_${this.callId}_${call.output}`;
  }

  private place(call: OpenCall): string {
    return `"item_id":"${this.itemId(call)}","output_index":${call.output}`;
  }
}
