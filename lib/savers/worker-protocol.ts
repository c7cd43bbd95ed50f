import type { TextSlot } from '../wire';
import type { PipelineResult } from './pipeline';
import type { SaverId } from './saver';
import type { Encoding } from './tokenizer';

/** What a worker is asked; one thing at a time. */
export type WorkerTask =
  | { kind: 'rewrite'; slots: readonly TextSlot[]; savers: readonly SaverId[] }
  | { kind: 'count'; encoding: Encoding; texts: readonly string[] };

/** What it says: that it is there, and then an answer for each task. */
export type WorkerReply = { kind: 'ready' } | { kind: 'rewritten'; result: PackedResult } | { kind: 'counted'; tokens: number[] } | { kind: 'failed' };

/** Data of a worker whose answers nobody waits for. */
export const BACKGROUND = 'background';

/**
 * A result on its way to the thread that serves, which a long conversation must not hold up: no text that it has
 * already, none twice, and the JSON strings that it would otherwise have to write.
 */
export interface PackedResult {
  texts: { at: number; text: string; quoted: string }[];
  records: PipelineResult['records'];
  /** `after`: null in the last step of a text, whose outcome is among `texts`. */
  steps: { at: number; saver: SaverId; after: string | null }[];
}

export function packed({ texts, records, steps }: PipelineResult): PackedResult {
  const last = new Map(steps.map(({ at }, index) => [at, index]));
  return {
    texts: [...texts].map(([at, text]) => ({ at, text, quoted: JSON.stringify(text) })),
    records,
    steps: steps.map(({ at, saver, after }, index) => ({ at, saver, after: last.get(at) === index ? null : after })),
  };
}

/** `slots` are those that the worker was asked about, with all of their texts. */
export function unpacked({ texts, records, steps }: PackedResult, slots: readonly TextSlot[]): PipelineResult {
  const final = new Map(texts.map(({ at, text }) => [at, text]));
  const now = new Map<number, string>();
  return {
    texts: final,
    quoted: new Map(texts.map(({ at, quoted }) => [at, quoted])),
    records,
    steps: steps.map(({ at, saver, after: made }) => {
      const before = now.get(at) ?? slots[at]!.text;
      const after = made ?? final.get(at)!;
      now.set(at, after);
      return { at, saver, before, after };
    }),
  };
}
