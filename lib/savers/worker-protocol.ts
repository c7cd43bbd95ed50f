import type { TextSlot } from '../wire';
import type { PipelineResult } from './pipeline';
import type { SaverId } from './saver';
import type { Encoding } from './tokenizer';

/** What a worker is asked; one thing at a time. */
export type WorkerTask =
  | { kind: 'rewrite'; slots: readonly TextSlot[]; savers: readonly SaverId[] }
  | { kind: 'count'; encoding: Encoding; texts: readonly string[] };

/** What it says: that it is there, and then an answer for each task. */
export type WorkerReply = { kind: 'ready' } | { kind: 'rewritten'; result: PipelineResult } | { kind: 'counted'; tokens: number[] } | { kind: 'failed' };

/** Data of a worker whose answers nobody waits for. */
export const BACKGROUND = 'background';
