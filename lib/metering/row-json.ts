import type { AdmittedRow, AttemptRow, CallRow, UsageRow } from './call-row';

// The rows that cannot be packed (packed-row.ts), and those of processes without a journal. What is null is left out:
// PostgreSQL takes it for null, and `wholeRow` makes it one again.

/** The JSON of an admitted call: its id first, like in every record of the journal. */
export const admittedJson = (row: AdmittedRow): string => JSON.stringify(known(Object.assign({ id: row.id }, row)));

/** The JSON of an ended call, beginning with its id. */
export const rowJson = (row: CallRow): string =>
  JSON.stringify(
    known(Object.assign({ id: row.id }, row, { attempts: row.attempts.map((attempt) => known({ ...attempt, usage: attempt.usage && known(attempt.usage) })), usage: row.usage && known(row.usage) })),
  );

const known = (row: object): object => Object.fromEntries(Object.entries(row).filter(([, value]) => value != null && !(typeof value === 'number' && !Number.isFinite(value))));

/** A row with its nulls. */
export const wholeRow = (row: CallRow): CallRow => ({
  ...NOTHING_KNOWN,
  ...row,
  attempts: row.attempts.map((attempt) => ({ ...NOTHING_OF_ATTEMPT, ...attempt, usage: wholeUsage(attempt.usage) })),
  usage: wholeUsage(row.usage),
});

const wholeUsage = (usage: UsageRow | null | undefined): UsageRow | null => (usage == null ? null : { ...NOTHING_USED, ...usage });

/** The same of an admitted call. */
export const wholeAdmission = (row: AdmittedRow): AdmittedRow => ({ ...NOTHING_READ, ...row });

type Nulls<Row> = { [Member in keyof Row as null extends Row[Member] ? Member : never]-?: null };

const NOTHING_READ: Nulls<AdmittedRow> = { route: null, requested_model: null, stream: null, tag: null };

const NOTHING_OF_ATTEMPT: Nulls<AttemptRow> = { skip_reason: null, class: null, upstream_status: null, message: null, headers_ms: null, first_content_ms: null, usage: null };

const NOTHING_USED: Nulls<UsageRow> = { prompt_tokens: null, completion_tokens: null, total_tokens: null, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };

/** What of a row may be null. */
export const NOTHING_KNOWN: Nulls<CallRow> = {
  ...NOTHING_READ,
  replay: null,
  status: null,
  error_code: null,
  tier: null,
  connection_id: null,
  provider: null,
  model: null,
  model_reported: null,
  flushed_bytes: null,
  malformed_events: null,
  finish_reason: null,
  alert_class: null,
  eco: null,
  usage: null,
  usage_source: null,
  cost_nano_usd: null,
  price_version: null,
  first_content_ms: null,
  duration_ms: null,
  savers: null,
  tokens_before: null,
  tokens_after: null,
  tokenizer: null,
  arm: null,
  conversation: null,
  prompt_cost_nano_usd: null,
  avoided_nano_usd: null,
  budget_nano_usd: null,
};
