import * as z from 'zod';
import { SAVER_IDS } from '../../savers/saver';
import { keyReference } from './call';
import { modelName, moment, timestamp } from './field';
import { tokenizer } from './receipt';

export const SAVINGS_STATUS = ['measured', 'estimate_only', 'not_measured'] as const;

const count = z.int().min(0);
const signed = (what: string) => z.int().nullable().meta({ description: `${what} Signed: more than before is negative. Null where nothing was measured, never 0.` });

export const savingsQuery = z.strictObject({
  from: moment.optional().meta({ description: 'Calls created at this moment or later. Left out: 30 days before `to`.' }),
  to: moment.optional().meta({ description: 'Calls created before this moment. Left out: now.' }),
  key: keyReference.optional(),
  model: modelName.optional().meta({ description: 'The model that answered.' }),
});

const interval = z.strictObject({ low: z.number(), high: z.number() }).meta({ description: '95 % interval, clustered by conversation.' });

const amount = (unit: string) =>
  z
    .strictObject({
      saved: z.number().meta({ description: `${unit} that the treated calls would have been billed more, had they been sent as they came. Negative: a loss.` }),
      interval,
      baseline: z.number().meta({ description: `${unit} that the treated calls would have been billed, had they been sent as they came.` }),
      saved_share: z.number().meta({ description: 'saved / baseline.' }),
      share_interval: interval,
    })
    .nullable();

const arm = z.strictObject({
  calls: count.meta({ description: 'Calls that the comparison rests on: the provider’s own prompt tokens and our count are both known.' }),
  conversations: count,
  tokens_received: count.meta({ description: 'Of the texts, by our tokenizer, as the client sent them: system prompts, words of messages, results of tools. Tool definitions, arguments of tool calls and images are billed and not counted.' }),
  tokens_sent: count,
  billed_prompt_tokens: count,
  cached_tokens: z.int().nullable().meta({ description: 'Of the billed ones, read from the provider’s prompt cache; null when no call’s usage told it.' }),
  prompt_cost_nano_usd: z.int().nullable().meta({ description: 'At the rates billed, cached tokens at the cached rate; null without a known price.' }),
});

const comparison = z
  .strictObject({
    status: z.enum(SAVINGS_STATUS).meta({ description: '`measured`: at least 200 calls an arm, and half the interval is at most 5 % of the baseline, whatever the sign. `not_measured`: an arm is empty.' }),
    reason: z.string().nullable().meta({ description: 'What `measured` is short of; null when it is.' }),
    treated: arm,
    holdout: arm,
    tokens: amount('Prompt tokens'),
    money: amount('Nano-USD of prompts'),
  })
  .meta({ description: 'Treated against hold-out conversations, by what the provider billed, for each token received.' });

const quantiles = z.strictObject({ p5: z.number(), p25: z.number(), p50: z.number(), p75: z.number(), p95: z.number() }).nullable();

const perSaver = z.strictObject({
  saver: z.enum(SAVER_IDS),
  lossless: z.boolean(),
  calls: count.meta({ description: 'Calls in which it changed something.' }),
  texts: count,
  bytes_saved: z.int(),
  tokens_saved: signed('By our tokenizer.'),
  tokens_saved_per_call: quantiles.meta({ description: 'Over the calls in which it changed something.' }),
  undone: z.strictObject({ threw: count, timeout: count, larger: count, structure: count, provider_refused: count }).meta({ description: 'Calls in which some of its work was undone.' }),
});

const quality = z
  .strictObject({
    calls: count,
    finish_reasons: z.record(z.string(), count).meta({ description: 'Calls by finish reason; `none` where none came.' }),
    completion_tokens_mean: z.number().nullable(),
    completion_tokens: quantiles,
    repeats: count.meta({ description: 'Calls that repeat an earlier one of their conversation: the same length in bytes and tokens.' }),
    repeat_rate: z.number().nullable(),
    truncated: count,
  })
  .meta({ description: 'What became of the answers in one arm.' });

const sums = {
  calls: count.meta({ description: 'Calls that savers were on for, hold-out included.' }),
  rewritten_calls: count.meta({ description: 'Calls that were sent with a text changed.' }),
  measured_calls: count.meta({ description: 'Calls whose tokens were counted.' }),
  tokens_received: z.int().nullable().meta({ description: 'Of the texts: system prompts, words of messages, results of tools. Tool definitions, arguments of tool calls and images are billed and not counted.' }),
  tokens_sent: z.int().nullable(),
  tokens_saved: signed('tokens_received − tokens_sent, by our tokenizer: counted, not compared.'),
  tokens_saved_per_call: quantiles,
  longer_calls: count.meta({ description: 'Calls that became longer.' }),
  comparison,
  savers: z.array(perSaver),
};

export const savingsReport = z
  .strictObject({
    from: timestamp,
    to: timestamp,
    method: z.string().meta({ description: 'How `comparison` is made, in words.' }),
    data: z
      .array(
        z.strictObject({
          key: z.strictObject({ id: z.string(), name: z.string().nullable().meta({ description: 'What it is called now; null when it is gone.' }) }),
          provider: z.string().nullable(),
          model: z.string().nullable().meta({ description: 'The model that answered; null where none did.' }),
          ...sums,
          tokenizers: z.array(tokenizer),
          calibration: z
            .strictObject({
              calls: count,
              billed_per_counted: z.number().meta({ description: 'Billed prompt tokens for each token that we counted as sent.' }),
              per_call: quantiles,
            })
            .nullable()
            .meta({ description: 'Our tokenizer against the bill; null where no call had both.' }),
          quality: z.strictObject({ treated: quality, holdout: quality }),
        }),
      )
      .meta({ description: 'By key and model, most calls first; at most 200.' }),
    left_out: count.meta({ description: 'Rows beyond these, whose calls are in the total all the same.' }),
    total: z.strictObject(sums).meta({ description: 'Over all rows. The comparison adds those of the rows that have both arms.' }),
    replay: z
      .strictObject({
        calls: count,
        prompt_tokens: z.int().nullable(),
        completion_tokens: z.int().nullable(),
        cost_nano_usd: z.int().nullable().meta({ description: 'What these calls would have cost at the price in force; null without a known price.' }),
        unpriced_calls: count,
      })
      .meta({ description: 'Calls not made: stored answers that were served again, at their stored usage. In none of the figures above.' }),
  })
  .meta({ description: 'What savers saved.' });

export type SavingsQuery = z.output<typeof savingsQuery>;
export type SavingsView = z.output<typeof savingsReport>;
