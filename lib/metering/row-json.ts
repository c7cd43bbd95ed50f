import type { AdmittedRow, AttemptRow, CallRow, UsageRow } from './call-row';

// Spelled out, member by member: a row is written twice for every call, and JSON.stringify takes twice as long. What
// is null at the top of a row is left out; whoever reads it, PostgreSQL too, takes what is not there for null.

/** The JSON of an admitted call: its id first, like in every record of the journal. */
export const admittedJson = (row: AdmittedRow): string => `${admission(row)}}`;

/** The JSON of an ended call, beginning with its id. */
export function rowJson(row: CallRow): string {
  return (
    admission(row) +
    text(',"finished_at":', row.finished_at) +
    text(',"state":', row.state) +
    text(',"replay":', row.replay) +
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
    text(',"usage_source":', row.usage_source) +
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
    '}'
  );
}

/** The row of such a JSON, and of one with its nulls. */
export const rowOf = (json: string): CallRow => ({ ...NOTHING_KNOWN, ...(JSON.parse(json) as CallRow) });

/** The same of an admitted call. */
export const admittedOf = (json: string): AdmittedRow => ({ ...NOTHING_READ, ...(JSON.parse(json) as AdmittedRow) });

type Nulls<Row> = { [Member in keyof Row as null extends Row[Member] ? Member : never]-?: null };

const NOTHING_READ: Nulls<AdmittedRow> = { route: null, requested_model: null, stream: null, tag: null };

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
};

/** Without its closing brace. */
function admission(row: AdmittedRow): string {
  return (
    `{"id":${quoted(row.id)},"workspace_id":${quoted(row.workspace_id)},"key_id":${quoted(row.key_id)},"created_at":${quoted(row.created_at)}` +
    text(',"route":', row.route) +
    text(',"requested_model":', row.requested_model) +
    text(',"surface":', row.surface) +
    (row.stream === null ? '' : `,"stream":${row.stream}`) +
    text(',"commit":', row.commit) +
    number(',"request_bytes":', row.request_bytes) +
    text(',"tag":', row.tag)
  );
}

/** Whole, its nulls too: it is shown as it stands. */
function attempt(row: AttemptRow): string {
  return (
    `{"tier":${row.tier},"connection":${quoted(row.connection)},"provider":${quoted(row.provider)},"model":${quoted(row.model)},"state":${quoted(row.state)}` +
    `,"skip_reason":${orNull(row.skip_reason)},"class":${orNull(row.class)},"upstream_status":${figure(row.upstream_status)},"message":${orNull(row.message)},"bytes":${figure(row.bytes)}` +
    `,"started_ms":${figure(row.started_ms)},"headers_ms":${figure(row.headers_ms)},"first_content_ms":${figure(row.first_content_ms)},"duration_ms":${figure(row.duration_ms)}` +
    `,"usage":${row.usage === null ? 'null' : usage(row.usage)}}`
  );
}

function usage(row: UsageRow): string {
  return (
    `{"prompt_tokens":${figure(row.prompt_tokens)},"completion_tokens":${figure(row.completion_tokens)},"total_tokens":${figure(row.total_tokens)}` +
    `,"cached_tokens":${figure(row.cached_tokens)},"cache_write_tokens":${figure(row.cache_write_tokens)},"reasoning_tokens":${figure(row.reasoning_tokens)}}`
  );
}

const text = (name: string, value: string | null | undefined): string => (value == null ? '' : name + quoted(value));

const number = (name: string, value: number | null | undefined): string => (Number.isFinite(value) ? name + value : '');

const other = (name: string, value: object | null | undefined): string => (value == null ? '' : name + JSON.stringify(value));

/** JSON has no NaN and no infinity. */
const figure = (value: number | null): number | null => (Number.isFinite(value) ? value : null);

const orNull = (value: string | null): string => (value === null ? 'null' : quoted(value));

const quoted = (value: string): string => (ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`);

/** What a JSON string cannot hold as it is (RFC 8259, 7), and halves of surrogate pairs, which UTF-8 cannot (whole ones come along). */
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;
