import { availableParallelism } from 'node:os';
import type { TextSlot } from '../wire';
import { NOTHING_DONE, type PipelineResult, SAVER_BUDGET_MS } from './pipeline';
import { saverById } from './registry';
import type { SaverId, Undone } from './saver';
import type { Encoding } from './tokenizer';
import { workerScript } from './worker-script';
import { createWorkerPool, type WorkerPoolOptions } from './worker-pool';
import { BACKGROUND, unpacked } from './worker-protocol';

/** Rewriting and counting apart from the thread that serves. Neither ever rejects. */
export interface SaverWorkers {
  /** What the savers make of a conversation; nothing, and why, where it could not be done in time. */
  rewrite(slots: readonly TextSlot[], savers: readonly SaverId[]): Promise<PipelineResult>;
  /** The tokens of each text; null where they could not be counted. */
  count(encoding: Encoding, texts: readonly string[]): Promise<number[] | null>;
  /** Starts what the first call with savers would wait for. */
  warm(): void;
  close(): Promise<void>;
}

/** Nobody waits for a count; this only ends one that would never end. */
const COUNT_MS = 10_000;

export function createSaverWorkers(options: Partial<WorkerPoolOptions> = {}): SaverWorkers {
  const script = workerScript();
  const rewriters = createWorkerPool({ script, size: Math.max(1, Math.min(2, availableParallelism() - 1)), boundMs: SAVER_BUDGET_MS, startMs: 2_000, maxWaiting: 64, ...options });
  const background = script && { file: script.file, options: { ...script.options, workerData: BACKGROUND } };
  const counters = createWorkerPool({ script: background, size: 1, boundMs: COUNT_MS, startMs: 2_000, maxWaiting: 1_000, ...options });

  return {
    async rewrite(slots, savers) {
      const end = await rewriters.run({ kind: 'rewrite', slots: slots.map((slot) => needed(slot, savers)), savers });
      if (typeof end === 'object' && end.kind === 'rewritten') return unpacked(end.result, slots);
      return allUndone(savers, end === 'timeout' ? 'timeout' : 'threw');
    },
    async count(encoding, texts) {
      const end = await counters.run({ kind: 'count', encoding, texts });
      return typeof end === 'object' && end.kind === 'counted' ? end.tokens : null;
    },
    warm() {
      rewriters.warm();
      counters.warm();
    },
    async close() {
      await Promise.all([rewriters.close(), counters.close()]);
    },
  };
}

/** Only what a saver reads is copied to a worker: its own texts, and the results that others may be the same as. */
function needed({ message, role, toolCallId, text, locked }: TextSlot, savers: readonly SaverId[]): TextSlot {
  const slot: TextSlot = { message, role, toolCallId, text, locked, path: NOWHERE };
  return role === 'tool' || (!locked && savers.some((id) => saverById(id).takes(slot))) ? slot : { ...slot, text: '' };
}

const NOWHERE: TextSlot['path'] = [];

/** The work of all of them is undone: the conversation goes out as it came. */
export const allUndone = (savers: readonly SaverId[], undone: Undone): PipelineResult => ({
  ...NOTHING_DONE,
  records: savers.map((saver) => ({ saver, texts: 0, bytes_before: 0, bytes_after: 0, tokens_before: null, tokens_after: null, undone })),
});
