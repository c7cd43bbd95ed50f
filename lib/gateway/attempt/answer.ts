import { bearsContent, type Failure, type FinishReason, type Frame, type StreamEvent, type Usage } from '../../wire';
import type { AnswerRecorder } from '../../replay';
import { FinishReasons } from './finish-reasons';
import type { Input } from './machine';

export type ContentTable = Record<StreamEvent['type'], boolean>;

/** What an attempt has said so far. Fed frame by frame; says what each frame means to the machine. */
export interface Answer {
  /** Takes the frame in and names the machine's input for it. */
  take(frame: Frame): Input;
  /** Takes the events of a whole, non-streamed body in. */
  takeWhole(events: readonly StreamEvent[]): void;
  readonly identity: { id: string; created: number; model: string } | null;
  readonly usage: Usage | null;
  /** The failure that an `error` or `malformed` input was about. */
  readonly failure: Failure | null;
  readonly malformedDetail: string | null;
  /** Reason of the first choice, null while it is open. */
  readonly finishReason: FinishReason | null;
  /** Characters of text, reasoning, refusal and tool arguments: what an estimate of the output rests on. */
  readonly characters: number;
  /** Tool calls that have begun. */
  readonly toolCalls: number;
  /** Frames seen, errors, terminators and malformed ones apart: for the retry rule. */
  readonly events: number;
  /** The wire's own last frame has come, or a whole body. An end without it may be a cut that nobody noticed. */
  terminated: boolean;
  /** Takes everything down, where the answer may be kept. */
  readonly recorder: AnswerRecorder | null;
  /** The client will never get these frames: what they say is not counted. */
  unsent(frames: readonly Frame[]): void;
  /** The stream ends: choices that went on after a finish reason had their last one. True when that closes the answer. */
  closeReopened(): boolean;
  /** Do the arguments of every tool call parse? Asked once a frame has been lost. */
  toolArgumentsParse(): boolean;
}

export function createAnswer(contentTable: ContentTable = bearsContent, recorder: AnswerRecorder | null = null): Answer {
  return new AnswerSoFar(contentTable, recorder);
}

/** A class because there is one per attempt on the hot path and its fields must stay in one shape. */
class AnswerSoFar implements Answer {
  identity: Answer['identity'] = null;
  usage: Usage | null = null;
  failure: Failure | null = null;
  malformedDetail: string | null = null;
  characters = 0;
  events = 0;
  terminated = false;
  /** Choices that have begun and have no finish_reason yet. */
  private open = 0;
  private readonly choices = new FinishReasons();
  /** Choices that went on after a finish reason, with the last one they named. */
  private reopened: Map<number, FinishReason> | null = null;
  private toolArguments: Map<string, ToolArguments> | null = null;
  /** Those that were added to since they were last found to parse. */
  private unchecked: ToolArguments[] = [];

  constructor(
    private readonly contentTable: ContentTable,
    readonly recorder: AnswerRecorder | null,
  ) {}

  get toolCalls(): number {
    return this.toolArguments === null ? 0 : this.toolArguments.size;
  }

  get finishReason(): FinishReason | null {
    return this.choices.get(0) ?? null;
  }

  take(frame: Frame): Input {
    const whole = this.open === 0 && !this.choices.none;
    let content = false;
    for (const event of frame.events) {
      if (event.type === 'error') {
        this.failure = event.failure;
        return 'error';
      }
      if (event.type === 'malformed') {
        this.malformedDetail = event.detail;
        return 'malformed';
      }
      if (event.type === 'terminator') {
        this.terminated = true;
        return 'terminator';
      }
      this.note(event);
      if (this.contentTable[event.type]) content = true;
    }
    this.events++;
    // A choice that begins after the others have finished reopens the answer.
    if (whole && this.open > 0) return 'content';
    if (!content) return 'preamble';
    return this.open === 0 && !this.choices.none ? 'finish' : 'content';
  }

  takeWhole(events: readonly StreamEvent[]): void {
    for (const event of events) this.note(event);
    this.terminated = true;
  }

  unsent(frames: readonly Frame[]): void {
    for (const { events } of frames) for (const event of events) this.characters -= charactersOf(event);
  }

  closeReopened(): boolean {
    if (this.reopened === null) return false;
    for (const [choice, reason] of this.reopened) {
      if (this.choices.get(choice) !== null) continue;
      this.choices.set(choice, reason);
      this.open--;
    }
    this.reopened = null;
    return this.open === 0;
  }

  toolArgumentsParse(): boolean {
    // Some upstreams name an end in every frame: what has parsed is not parsed again for each of them.
    for (const each of this.unchecked) {
      try {
        JSON.parse(each.text === '' ? '{}' : each.text);
        each.unchecked = false;
      } catch {
        return false; // the answer to the question, not an error
      }
    }
    this.unchecked = [];
    return true;
  }

  private note(event: StreamEvent): void {
    if (this.recorder !== null) this.recorder.take(event);
    switch (event.type) {
      case 'identity':
        this.identity ??= { id: event.id, created: event.created, model: event.model };
        return;
      case 'usage':
        this.usage = event.usage;
        return;
      case 'choice':
        this.begin(event.choice);
        return;
      case 'audio':
        this.goOn(event.choice);
        return;
      case 'text':
      case 'reasoning':
      case 'refusal':
        this.goOn(event.choice);
        this.characters += charactersOf(event);
        return;
      case 'tool_call':
        this.goOn(event.choice);
        this.noteTool(event);
        return;
      case 'finish':
        this.begin(event.choice);
        if (this.reopened?.has(event.choice)) {
          this.reopened.set(event.choice, event.reason);
        } else if (this.choices.get(event.choice) === null) {
          this.choices.set(event.choice, event.reason);
          this.open--;
        }
        return;
    }
  }

  /** Content of a choice. After its finish reason it takes that back, until the end of the stream tells. */
  private goOn(choice: number): void {
    const reason = this.choices.get(choice);
    if (reason === null) return;
    if (reason === undefined) return this.begin(choice);
    this.reopened ??= new Map();
    this.reopened.set(choice, reason);
    this.choices.set(choice, null);
    this.open++;
  }

  private begin(choice: number): void {
    if (this.choices.get(choice) !== undefined) return;
    this.choices.set(choice, null);
    this.open++;
  }

  private noteTool(event: Extract<StreamEvent, { type: 'tool_call' }>): void {
    this.characters += charactersOf(event);
    this.toolArguments ??= new Map();
    const key = `${event.choice}:${event.index}`;
    let known = this.toolArguments.get(key);
    if (known === undefined) {
      known = { text: '', unchecked: false };
      this.toolArguments.set(key, known);
    }
    if (!known.unchecked && !(known.text === '' ? event.arguments === '' : BLANK.test(event.arguments))) {
      known.unchecked = true;
      this.unchecked.push(known);
    }
    known.text += event.arguments;
  }
}

/** Behind what parses it changes nothing. */
const BLANK = /^[ \t\n\r]*$/;

interface ToolArguments {
  text: string;
  unchecked: boolean;
}

function charactersOf(event: StreamEvent): number {
  if (event.type === 'tool_call') return event.arguments.length + (event.name?.length ?? 0);
  return event.type === 'text' || event.type === 'reasoning' || event.type === 'refusal' ? event.text.length : 0;
}
