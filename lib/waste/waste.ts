import { createSaverWorkers, SAVERS, type SaverId, type SaverWorkers } from '../savers';
import { type Appraisal, type AppraisalInput, appraise, MAX_PASTED_BYTES } from './appraise';
import { sampleOf, type SampleId } from './samples';

/** Whether somebody may ask now; `resetS` says when again. */
export type Limit = (who: string) => { allowed: boolean; resetS: number };

export type AppraisalEnd = { ok: true; appraisal: Appraisal } | { ok: false; reason: 'empty' | 'too_large' | 'busy' } | { ok: false; reason: 'rate_limited'; resetS: number };

/** What savers would do to a text that somebody pastes: nobody upstream is asked, and nothing is kept. */
export interface Waste {
  /** `who`: what stands for the client, a network address or a person. */
  appraise(input: AppraisalInput, who: string): Promise<AppraisalEnd>;
  /** A bundled sample under the lossless savers: worked out once, whoever asks. */
  sample(id: SampleId): Promise<AppraisalEnd>;
  close(): Promise<void>;
}

export const LOSSLESS: readonly SaverId[] = SAVERS.filter(({ lossless }) => lossless).map(({ id }) => id);

/** Threads of its own, few and with a short queue: a public page never makes a call wait. */
export function createWaste({ limit, workers = createSaverWorkers({ size: 1, boundMs: 8_000, startMs: 8_000, maxWaiting: 12 }) }: { limit: Limit; workers?: SaverWorkers }): Waste {
  const samples = new Map<SampleId, Promise<AppraisalEnd>>();

  async function worked(input: AppraisalInput): Promise<AppraisalEnd> {
    const appraisal = await appraise(workers, input);
    return appraisal === null ? { ok: false, reason: 'busy' } : { ok: true, appraisal };
  }

  return {
    async appraise(input, who) {
      if (input.text.trim() === '') return { ok: false, reason: 'empty' };
      if (Buffer.byteLength(input.text) > MAX_PASTED_BYTES) return { ok: false, reason: 'too_large' };
      const { allowed, resetS } = limit(who);
      return allowed ? await worked(input) : { ok: false, reason: 'rate_limited', resetS };
    },
    async sample(id) {
      let end = samples.get(id);
      if (end === undefined) samples.set(id, (end = worked({ text: sampleOf(id).text, as: 'tool', savers: LOSSLESS, tokenizer: null })));
      const known = await end;
      // What was only partly worked out is no sample's result: the next visitor tries again.
      if (!known.ok || known.appraisal.tokens === null || known.appraisal.savers.some(({ undone }) => undone === 'timeout' || undone === 'threw')) samples.delete(id);
      return known;
    },
    close: () => workers.close(),
  };
}
