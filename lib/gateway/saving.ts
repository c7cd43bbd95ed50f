import type { LateMeasurement } from './ports';
import type { CallRow } from '../metering/call-row';
import { type Encoding, encodingOf, NOTHING_DONE, type PipelineResult, type SaverRecord, type SaverWorkers, tokenizerOf } from '../savers';
import type { TextSlot } from '../wire';

/** More than this is not counted: copying it to a thread would hold everybody up. */
const MOST_CHARACTERS = 6_000_000;

/** What savers did to a call, and what is counted of it. Calls of keys with neither savers nor a hold-out have none. */
export class Saving {
  result: PipelineResult = NOTHING_DONE;
  /** The provider refused what was sent: the client's own words were sent instead. */
  refused = false;
  private counts: { encoding: Encoding; tokens: ReadonlyMap<string, number> } | null = null;
  private counting: Promise<void> = Promise.resolve();

  constructor(
    readonly slots: readonly TextSlot[],
    readonly arm: 'treated' | 'holdout' | null,
    readonly conversation: string | null,
  ) {}

  /** Begins to count what this model's tokenizer makes of the texts, apart from the thread that serves. */
  count(workers: SaverWorkers, model: string): Promise<void> {
    const encoding = encodingOf(tokenizerOf(model));
    const texts = [...this.texts()];
    if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_CHARACTERS) return this.counting;
    this.counting = workers.count(encoding, texts).then((tokens) => {
      if (tokens !== null) this.counts = { encoding, tokens: new Map(texts.map((text, at) => [text, tokens[at]!])) };
    });
    return this.counting;
  }

  /** Writes what is known into the row of a call that this model answered. True: the tokens are in it. */
  note(row: CallRow, model: string): boolean {
    row.arm = this.arm;
    row.conversation = this.conversation;
    row.savers = this.records(null);
    const measured = this.measured(model);
    if (measured !== null) Object.assign(row, measured);
    return measured !== null;
  }

  /** The count for a row that was written before it was there. Null where it could not be made. */
  async late(workers: SaverWorkers, model: string): Promise<LateMeasurement | null> {
    await this.counting;
    if (this.counts !== null && this.counts.encoding !== encodingOf(tokenizerOf(model))) await this.count(workers, model);
    return this.measured(model);
  }

  private *texts(): Generator<string> {
    const seen = new Set<string>();
    const each = (text: string): boolean => !seen.has(text) && seen.add(text) !== null;
    for (const { text } of this.slots) if (each(text)) yield text;
    for (const { before, after } of this.result.steps) {
      if (each(before)) yield before;
      if (each(after)) yield after;
    }
  }

  private measured(model: string): LateMeasurement | null {
    const tokenizer = tokenizerOf(model);
    if (this.counts === null || this.counts.encoding !== encodingOf(tokenizer)) return null;
    const { tokens } = this.counts;
    let before = 0;
    let after = 0;
    for (const [at, { text }] of this.slots.entries()) {
      const received = tokens.get(text)!;
      before += received;
      after += this.refused || !this.result.texts.has(at) ? received : tokens.get(this.result.texts.get(at)!)!;
    }
    return { tokens_before: before, tokens_after: after, tokenizer, savers: this.records(tokens) };
  }

  private records(tokens: ReadonlyMap<string, number> | null): SaverRecord[] {
    return this.result.records.map((record): SaverRecord => {
      if (record.texts === 0) return record;
      if (this.refused) return { ...record, texts: 0, bytes_before: 0, bytes_after: 0, undone: 'provider_refused' };
      if (tokens === null) return record;
      const own = this.result.steps.filter(({ saver }) => saver === record.saver);
      const sum = (of: 'before' | 'after') => own.reduce((total, step) => total + tokens.get(step[of])!, 0);
      return { ...record, tokens_before: sum('before'), tokens_after: sum('after') };
    });
  }
}
