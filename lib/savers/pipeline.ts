import type { TextSlot } from '../wire';
import { isJson } from './json-compact';
import type { Before, Saver, SaverId, SaverRecord } from './saver';

export interface PipelineResult {
  /** The texts that changed, by position in the list of slots. */
  texts: ReadonlyMap<number, string>;
  /** The same as JSON strings, where a thread has written them. */
  quoted?: ReadonlyMap<number, string>;
  /** Of the savers that did something or were undone, in the order in which they work. */
  records: SaverRecord[];
  /** What they made of which text, so that it can be counted by saver. */
  steps: SaverStep[];
}

export interface SaverStep {
  /** Position of the text in the list of slots. */
  at: number;
  saver: SaverId;
  before: string;
  after: string;
}

export const NOTHING_DONE: PipelineResult = { texts: new Map(), records: [], steps: [] };

export interface PipelineOptions {
  savers: readonly Saver[];
  /** Monotonic ms. */
  now: () => number;
  /** What one saver may take over all texts of a conversation, ms. One that takes longer is undone in all of them, the earlier ones too. */
  budgetMs: number;
}

export const SAVER_BUDGET_MS = 50;

/**
 * Runs the savers over a conversation, text by text. Whatever goes wrong is undone and recorded, and the request goes
 * out as it came: a saver that throws, takes too long, makes a text no shorter in bytes, empties it, or breaks JSON.
 */
export function runPipeline(slots: readonly TextSlot[], { savers, now, budgetMs }: PipelineOptions): PipelineResult {
  const texts = new Map<number, string>();
  const records: SaverRecord[] = [];
  const steps: SaverStep[] = [];
  const before = resultsBefore(slots);
  for (const saver of savers) {
    const record: SaverRecord = { saver: saver.id, texts: 0, bytes_before: 0, bytes_after: 0, tokens_before: null, tokens_after: null, undone: null };
    const own = new Map<number, string>();
    const ownSteps: SaverStep[] = [];
    const startedAt = now();
    for (const [at, slot] of slots.entries()) {
      if (slot.locked || !saver.takes(slot)) continue;
      const text = texts.get(at) ?? slot.text;
      const rewritten = rewrite(saver, text, slot, before(at));
      if (now() - startedAt > budgetMs) {
        record.undone = 'timeout';
        break;
      }
      if (rewritten.undone !== null) record.undone ??= rewritten.undone;
      else if (rewritten.text !== text) {
        own.set(at, rewritten.text);
        ownSteps.push({ at, saver: saver.id, before: text, after: rewritten.text });
        record.texts++;
        record.bytes_before += Buffer.byteLength(text);
        record.bytes_after += Buffer.byteLength(rewritten.text);
      }
    }
    if (record.undone === 'timeout') records.push({ ...record, texts: 0, bytes_before: 0, bytes_after: 0 });
    else if (record.texts > 0 || record.undone !== null) records.push(record);
    if (record.undone === 'timeout') continue;
    for (const [at, text] of own) texts.set(at, text);
    steps.push(...ownSteps);
  }
  return { texts, records, steps };
}

type Rewritten = { text: string; undone: null } | { undone: 'threw' | 'larger' | 'structure' };

function rewrite(saver: Saver, text: string, slot: TextSlot, before: Before): Rewritten {
  let made: string;
  try {
    made = saver.rewrite(text, slot, before);
  } catch {
    return { undone: 'threw' }; // a saver is never a reason to fail a call
  }
  if (made === text) return { text, undone: null };
  if (typeof made !== 'string' || (made.trim() === '' && text.trim() !== '')) return { undone: 'structure' };
  if (Buffer.byteLength(made) >= Buffer.byteLength(text)) return { undone: 'larger' };
  if (saver.keepsJson && /^\s*[{[]/.test(text) && !isJson(made) && isJson(text)) return { undone: 'structure' };
  return { text: made, undone: null };
}

/** Tool results by their text, as they came in: what stands before a slot never depends on savers or on what follows. */
function resultsBefore(slots: readonly TextSlot[]): (at: number) => Before {
  let first: Map<string, { at: number; id: string }> | null = null;
  return (at) => ({
    sameResult(text) {
      first ??= firstResults(slots);
      const found = first.get(text);
      return found !== undefined && found.at < at ? found.id : null;
    },
  });
}

function firstResults(slots: readonly TextSlot[]): Map<string, { at: number; id: string }> {
  const first = new Map<string, { at: number; id: string }>();
  for (const [at, { role, toolCallId, text }] of slots.entries()) {
    if (role === 'tool' && toolCallId !== null && !first.has(text)) first.set(text, { at, id: toolCallId });
  }
  return first;
}
