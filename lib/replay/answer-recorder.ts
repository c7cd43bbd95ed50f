import type { StreamEvent } from '../wire';

/** Longer answers are not kept: characters of text, reasoning, refusals and tool arguments. */
export const MAX_ANSWER_CHARACTERS = 1024 * 1024;

/** Joined this often, so that neither thousands of small strings nor the reads that they were cut from stay alive. */
const JOIN_EVERY = 128;

/** Characters that all open answers of a process may have recorded together; beyond them the largest is no longer kept. */
export interface RecordingRoom {
  taken: number;
  readonly max: number;
}

export const recordingRoom = (max = 64 * 1024 * 1024): RecordingRoom => ({ taken: 0, max });

type TextEvent = Extract<StreamEvent, { type: 'text' | 'reasoning' | 'refusal' }>;
type ToolEvent = Extract<StreamEvent, { type: 'tool_call' }>;

/**
 * Takes one attempt's canonical events as they arrive and joins what belongs together, so that an answer of ten
 * thousand frames is a handful of events in the end. A class because there is one for every attempt whose answer
 * may be kept; it costs an array push for each piece.
 */
export class AnswerRecorder {
  private kept: StreamEvent[] = [];
  /** The event that pieces are joined to, and those of it that are not joined yet. */
  private open: TextEvent | ToolEvent | null = null;
  private pieces: string[] = [];
  private characters = 0;
  /** Too long, too many of them at once, or something in it that cannot be written again. */
  private lost = false;

  constructor(private readonly room: RecordingRoom) {}

  take(event: StreamEvent): void {
    if (this.lost) return;
    switch (event.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        if (!this.continues(event)) this.begin({ ...event, text: '' });
        return this.piece(event.text);
      case 'tool_call':
        if (!this.continuesCall(event)) this.begin({ ...event, arguments: '' });
        return this.piece(event.arguments);
      case 'audio': // its bytes were passed on unread
      case 'error':
      case 'malformed':
        return this.release();
      case 'terminator':
        return;
      default:
        this.begin(null);
        this.kept.push(event);
        this.count(EVENT);
    }
  }

  /** What was said; null when it cannot be kept. */
  answer(): StreamEvent[] | null {
    if (this.lost) return null;
    this.join();
    return this.kept;
  }

  /** Keeps nothing, now and from now on. */
  release(): void {
    this.lost = true;
    this.room.taken -= this.characters;
    this.characters = 0;
    this.kept = [];
    this.pieces = [];
    this.open = null;
  }

  private continues(event: TextEvent): boolean {
    const { open } = this;
    return open !== null && open.type === event.type && open.choice === event.choice;
  }

  private continuesCall(event: ToolEvent): boolean {
    const { open } = this;
    return open?.type === 'tool_call' && open.choice === event.choice && open.index === event.index && event.id === null && event.name === null;
  }

  private begin(event: TextEvent | ToolEvent | null): void {
    this.join();
    this.open = event;
    if (event === null) return;
    this.kept.push(event);
    this.count(EVENT);
  }

  private piece(text: string): void {
    this.count(text.length);
    if (this.lost) return;
    if (this.pieces.push(text) === JOIN_EVERY) this.join();
  }

  private join(): void {
    const { open, pieces } = this;
    if (open === null || pieces.length === 0) return;
    if (open.type === 'tool_call') open.arguments += pieces.join('');
    else open.text += pieces.join('');
    this.pieces = [];
  }

  private count(characters: number): void {
    this.characters += characters;
    this.room.taken += characters;
    if (this.characters > MAX_ANSWER_CHARACTERS || this.room.taken > this.room.max) this.release();
  }
}

/** What an event counts beside its text. */
const EVENT = 100;
