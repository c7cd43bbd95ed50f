import { encodingOf, type PipelineResult, SAVERS, type SaverId, type SaverStep, type SaverWorkers, tokenizerOf, type Undone } from '../savers';
import { changesOf, type TextChange } from './changes';
import { type PastedKind, readPasted } from './read-pasted';

/** Of UTF-8. */
export const MAX_PASTED_BYTES = 200_000;

/** What a text is counted with where its request names no model, or against it. */
export const TOKENIZERS = ['o200k_base', 'cl100k_base', '~o200k_base'] as const;
export type TokenizerChoice = (typeof TOKENIZERS)[number];

export interface AppraisalInput {
  text: string;
  /** Whose words a text is that is no request: a tool's or a person's. */
  as: 'tool' | 'user';
  savers: readonly SaverId[];
  /** Null: that of the model which the request names, else of OpenAI's present models. */
  tokenizer: TokenizerChoice | null;
}

/** What savers would do to a text. Plain data, which goes to a browser as it is. */
export interface Appraisal {
  reading: { kind: PastedKind; model: string | null; texts: number; locked: number };
  /** The encoding, and whether it is the model's own. */
  tokenizer: { encoding: string; exact: boolean };
  /** UTF-8, of the texts that savers may read. */
  bytes: { before: number; after: number };
  /** Of the same texts; null where they could not be counted. */
  tokens: { before: number; after: number } | null;
  /** Every saver, in the order in which they work. */
  savers: SaverEffect[];
  changes: TextChange[];
  /** Changed texts beyond these. */
  changesLeftOut: number;
}

export interface SaverEffect {
  saver: SaverId;
  label: string;
  lossless: boolean;
  /** It took part. One that did not is appraised as if it were the only one. */
  chosen: boolean;
  texts: number;
  bytesSaved: number;
  /** Signed; null where nothing was changed or nothing could be counted. */
  tokensSaved: number | null;
  undone: Undone | null;
}

/** Null where nobody had the time: too many ask at once. */
export async function appraise(workers: SaverWorkers, { text, as, savers, tokenizer }: AppraisalInput): Promise<Appraisal | null> {
  const pasted = readPasted(text, as);
  const { slots } = pasted;
  const result = await workers.rewrite(slots, savers);
  const alone = new Map<SaverId, PipelineResult>();
  for (const { id } of SAVERS) if (!savers.includes(id)) alone.set(id, await workers.rewrite(slots, [id]));
  if ([result, ...alone.values()].every(({ records }) => records.length > 0 && records.every(({ undone }) => undone === 'threw'))) return null;

  const counter = tokenizer ?? (pasted.model === null ? 'o200k_base' : tokenizerOf(pasted.model));
  const after = slots.map((slot, at) => result.texts.get(at) ?? slot.text);
  const steps = [...result.steps, ...[...alone.values()].flatMap((each) => each.steps)];
  const count = await counts(workers, counter, [...slots.map((slot) => slot.text), ...after, ...steps.flatMap((step) => [step.before, step.after])]);
  const sum = (texts: readonly string[]) => texts.reduce((total, each) => total + (count?.get(each) ?? 0), 0);
  const received = slots.map((slot) => slot.text);
  return {
    reading: { kind: pasted.kind, model: pasted.model, texts: slots.length, locked: slots.filter((slot) => slot.locked).length },
    tokenizer: { encoding: encodingOf(counter), exact: !counter.startsWith('~') },
    bytes: { before: bytesOf(received), after: bytesOf(after) },
    tokens: count === null ? null : { before: sum(received), after: sum(after) },
    savers: SAVERS.map((saver) => {
      const from = alone.get(saver.id) ?? result;
      return { saver: saver.id, label: saver.label, lossless: saver.lossless, chosen: !alone.has(saver.id), ...effect(from, saver.id, count === null ? null : sum) };
    }),
    ...changesOf(slots, result),
  };
}

function effect({ records, steps }: PipelineResult, id: SaverId, sum: ((texts: string[]) => number) | null): Pick<SaverEffect, 'texts' | 'bytesSaved' | 'tokensSaved' | 'undone'> {
  const record = records.find(({ saver }) => saver === id);
  const own = steps.filter(({ saver }) => saver === id);
  return {
    texts: record?.texts ?? 0,
    bytesSaved: record === undefined ? 0 : record.bytes_before - record.bytes_after,
    tokensSaved: own.length === 0 || sum === null ? null : sum(own.map(({ before }: SaverStep) => before)) - sum(own.map((step) => step.after)),
    undone: record?.undone ?? null,
  };
}

/** The tokens of each different text. */
async function counts(workers: SaverWorkers, tokenizer: string, texts: readonly string[]): Promise<Map<string, number> | null> {
  const different = [...new Set(texts)];
  const tokens = await workers.count(encodingOf(tokenizer), different);
  return tokens === null ? null : new Map(different.map((text, at) => [text, tokens[at]!]));
}

const bytesOf = (texts: readonly string[]): number => texts.reduce((total, text) => total + Buffer.byteLength(text), 0);

