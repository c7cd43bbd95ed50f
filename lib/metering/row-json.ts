import type { AdmittedRow, AttemptRow, CallRow, UsageRow } from './call-row';

// Spelled out, member by member: a row is written twice for every call, and JSON.stringify takes twice as long. What
// is null is left out, for its bytes are written, carried and read several times: PostgreSQL takes it for null, and
// `wholeRow` makes it one again.

/** The JSON of an admitted call: its id first, like in every record of the journal. */
export const admittedJson = (row: AdmittedRow): string => `${admission(row)}}`;

/** The JSON of an ended call, beginning with its id. */
export function rowJson(row: CallRow): string {
  return (
    admission(row) +
    word(',"finished_at":', row.finished_at) +
    word(',"state":', row.state) +
    word(',"replay":', row.replay) +
    number(',"status":', row.status) +
    text(',"error_code":', row.error_code) +
    number(',"tier":', row.tier) +
    text(',"connection_id":', row.connection_id) +
    text(',"provider":', row.provider) +
    text(',"model":', row.model) +
    text(',"model_reported":', row.model_reported) +
    number(',"flushed_bytes":', row.flushed_bytes) +
    number(',"malformed_events":', row.malformed_events) +
    text(',"finish_reason":', row.finish_reason) +
    text(',"alert_class":', row.alert_class) +
    `,"attempts":[${row.attempts.map(attempt).join()}]` +
    other(',"eco":', row.eco) +
    (row.usage === null ? '' : `,"usage":${usage(row.usage)}`) +
    word(',"usage_source":', row.usage_source) +
    other(',"usage_estimated":', row.usage_estimated) +
    number(',"cost_nano_usd":', row.cost_nano_usd) +
    text(',"price_version":', row.price_version) +
    number(',"first_content_ms":', row.first_content_ms) +
    number(',"duration_ms":', row.duration_ms) +
    other(',"savers":', row.savers) +
    number(',"tokens_before":', row.tokens_before) +
    number(',"tokens_after":', row.tokens_after) +
    text(',"tokenizer":', row.tokenizer) +
    text(',"arm":', row.arm) +
    text(',"conversation":', row.conversation) +
    number(',"prompt_cost_nano_usd":', row.prompt_cost_nano_usd) +
    number(',"avoided_nano_usd":', row.avoided_nano_usd) +
    number(',"budget_nano_usd":', row.budget_nano_usd) +
    '}'
  );
}

/** The row of such a JSON, and of one with its nulls. */
export const rowOf = (json: string): CallRow => wholeRow(JSON.parse(json) as CallRow);

/** A row with its nulls. */
export const wholeRow = (row: CallRow): CallRow => ({
  ...NOTHING_KNOWN,
  ...row,
  attempts: row.attempts.map((attempt) => ({ ...NOTHING_OF_ATTEMPT, ...attempt, usage: wholeUsage(attempt.usage) })),
  usage: wholeUsage(row.usage),
});

const wholeUsage = (usage: UsageRow | null | undefined): UsageRow | null => (usage == null ? null : { ...NOTHING_USED, ...usage });

/** The same of an admitted call. */
export const admittedOf = (json: string): AdmittedRow => ({ ...NOTHING_READ, ...(JSON.parse(json) as AdmittedRow) });

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

/** Without its closing brace. */
function admission(row: AdmittedRow): string {
  return (
    `{"id":${quoted(row.id)},"workspace_id":"${row.workspace_id}","key_id":"${row.key_id}","created_at":"${row.created_at}"` +
    text(',"route":', row.route) +
    text(',"requested_model":', row.requested_model) +
    word(',"surface":', row.surface) +
    (row.stream === null ? '' : `,"stream":${row.stream}`) +
    word(',"commit":', row.commit) +
    number(',"request_bytes":', row.request_bytes) +
    text(',"tag":', row.tag)
  );
}

function attempt(row: AttemptRow): string {
  return (
    `{"tier":${row.tier},"connection":${quoted(row.connection)},"provider":${quoted(row.provider)},"model":${quoted(row.model)},"state":"${row.state}"` +
    word(',"skip_reason":', row.skip_reason) +
    word(',"class":', row.class) +
    number(',"upstream_status":', row.upstream_status) +
    text(',"message":', row.message) +
    `,"bytes":${figure(row.bytes)},"started_ms":${figure(row.started_ms)}` +
    number(',"headers_ms":', row.headers_ms) +
    number(',"first_content_ms":', row.first_content_ms) +
    `,"duration_ms":${figure(row.duration_ms)}` +
    (row.usage === null ? '}' : `,"usage":${usage(row.usage)}}`)
  );
}

function usage(row: UsageRow): string {
  const members =
    number(',"prompt_tokens":', row.prompt_tokens) +
    number(',"completion_tokens":', row.completion_tokens) +
    number(',"total_tokens":', row.total_tokens) +
    number(',"cached_tokens":', row.cached_tokens) +
    number(',"cache_write_tokens":', row.cache_write_tokens) +
    number(',"reasoning_tokens":', row.reasoning_tokens);
  return `{${members.slice(1)}}`;
}

/** Our own word: it has nothing that a JSON string cannot hold. */
const word = (name: string, value: string | null | undefined): string => (value == null ? '' : `${name}"${value}"`);

const text = (name: string, value: string | null | undefined): string => (value == null ? '' : name + quoted(value));

const number = (name: string, value: number | null | undefined): string => (Number.isFinite(value) ? name + digits(value!) : '');

const other = (name: string, value: object | null | undefined): string => (value == null ? '' : name + JSON.stringify(value));

/** JSON has no NaN and no infinity. */
const figure = (value: number): string | number | null => (Number.isFinite(value) ? digits(value) : null);

/** What String gives. Most fractions here are milliseconds to a microsecond, whose shortest decimals need not be looked for. */
function digits(value: number): string | number {
  const thousandths = Math.round(value * 1000);
  if (!(thousandths >= 0 && thousandths < 2 ** 30) || thousandths / 1000 !== value) return value;
  const whole = Math.floor(thousandths / 1000);
  return whole + FRACTIONS[thousandths - whole * 1000]!;
}

/** '', '.001', … '.999'. */
const FRACTIONS = Array.from({ length: 1000 }, (_, thousandths) => (thousandths === 0 ? '' : String(thousandths / 1000).slice(1)));

const quoted = (value: string): string => (ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`);

/** What a JSON string cannot hold as it is (RFC 8259, 7), and halves of surrogate pairs, which UTF-8 cannot (whole ones come along). */
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;
