import type { AdmittedRow, AttemptRow, CallRow, UsageRow } from './call-row';
import { wholeAdmission, wholeRow } from './row-json';

// A row as one record literal of PostgreSQL (its manual, 8.16.2), for the type of drizzle/0026_packed_rows.sql: half as
// long as JSON and read in a quarter of the time. Only where every text in it can stand as it is; JSON has the rest.

/** An admitted call: the first columns alone. Null where it takes JSON. */
export function packedAdmission(row: AdmittedRow): string | null {
  return UNPLAIN.test(textsOf(row)) ? null : `(${admission(row)})`;
}

/** An ended call. Null where it takes JSON. */
export function packedRow(row: CallRow): string | null {
  if (hasMore(row)) return null;
  let texts = `${textsOf(row)}${row.error_code}${row.connection_id}${row.provider}${row.model}${row.model_reported}${row.finish_reason}${row.alert_class}${row.price_version}`;
  let attempts = '';
  for (const each of row.attempts) {
    texts += `${each.connection}${each.provider}${each.model}${each.message}`;
    attempts += attempts === '' ? attempt(each) : `,${attempt(each)}`;
  }
  if (UNPLAIN.test(texts)) return null;
  return (
    `(${admission(row)},${row.finished_at},${row.state},${row.replay ?? ''},${number(row.status)},${text(row.error_code)},${number(row.tier)},${text(row.connection_id)},` +
    `${text(row.provider)},${text(row.model)},${text(row.model_reported)},${number(row.flushed_bytes)},${number(row.malformed_events)},${text(row.finish_reason)},` +
    `${text(row.alert_class)},"[${attempts}]",${row.usage === null ? '' : `"${usage(row.usage)}"`},${row.usage_source ?? ''},${names(row.usage_estimated)},` +
    `${number(row.cost_nano_usd)},${text(row.price_version)},${number(row.first_content_ms)},${number(row.duration_ms)})`
  );
}

export const isPacked = (record: string): boolean => record.startsWith('(');

export const unpackedAdmission = (packed: string): AdmittedRow => wholeAdmission(membersOf(packed) as unknown as AdmittedRow);

export const unpackedRow = (packed: string): CallRow => wholeRow(membersOf(packed) as unknown as CallRow);

const COLUMNS =
  'id workspace_id key_id created_at route requested_model surface stream commit request_bytes tag finished_at state replay status error_code tier connection_id provider model model_reported flushed_bytes malformed_events finish_reason alert_class attempts usage usage_source usage_estimated cost_nano_usd price_version first_content_ms duration_ms'.split(
    ' ',
  ) as (keyof CallRow)[];

const NUMBERS = new Set<string>(['request_bytes', 'status', 'tier', 'flushed_bytes', 'malformed_events', 'cost_nano_usd', 'first_content_ms', 'duration_ms'] satisfies (keyof CallRow)[]);
const DOCUMENTS = new Set<string>(['attempts', 'usage', 'usage_estimated'] satisfies (keyof CallRow)[]);

/** Those that are not null, by their columns' names. */
function membersOf(packed: string): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  fieldsOf(packed).forEach((field, at) => {
    const name = COLUMNS[at]!;
    if (field === null) return;
    if (NUMBERS.has(name)) members[name] = Number(field);
    else if (DOCUMENTS.has(name)) members[name] = JSON.parse(field);
    else members[name] = name === 'stream' ? field === 't' : field;
  });
  return members;
}

/** Nothing is null; in quotation marks two of them stand for one. */
const fieldsOf = (packed: string): (string | null)[] =>
  Array.from(packed.slice(1, -1).matchAll(/(?:^|,)(?:"((?:[^"]+|"")*)"|([^,]*))/g), ([, quoted, bare]) => (quoted !== undefined ? quoted.replaceAll('""', '"') : bare === '' ? null : bare!));

/** What only some rows have. */
const hasMore = (row: CallRow): boolean =>
  (row.eco ?? row.savers ?? row.tokens_before ?? row.tokens_after ?? row.tokenizer ?? row.arm ?? row.conversation ?? row.prompt_cost_nano_usd ?? row.avoided_nano_usd ?? row.budget_nano_usd ?? null) !== null;

/** All that is not our own words, one after the other, for one look at it. */
const textsOf = (row: AdmittedRow): string => `${row.id}${row.route}${row.requested_model}${row.tag}`;

/** What has a meaning in a record literal or in JSON, control characters, and halves of surrogate pairs (whole ones come along). */
const UNPLAIN = /[\u0000-\u001f"\\(),\ud800-\udfff]/;

const admission = (row: AdmittedRow): string =>
  `${row.id},${row.workspace_id},${row.key_id},${row.created_at},${text(row.route)},${text(row.requested_model)},${row.surface ?? ''},${row.stream === null ? '' : row.stream ? 't' : 'f'},` +
  `${row.commit},${number(row.request_bytes)},${text(row.tag)}`;

/** Its JSON within quotation marks, without what is null. */
function attempt(row: AttemptRow): string {
  return (
    `{""tier"":${row.tier},""connection"":""${row.connection}"",""provider"":""${row.provider}"",""model"":""${row.model}"",""state"":""${row.state}""` +
    word(',""skip_reason"":', row.skip_reason) +
    word(',""class"":', row.class) +
    member(',""upstream_status"":', row.upstream_status) +
    word(',""message"":', row.message) +
    `,""bytes"":${figure(row.bytes)},""started_ms"":${figure(row.started_ms)}` +
    member(',""headers_ms"":', row.headers_ms) +
    member(',""first_content_ms"":', row.first_content_ms) +
    `,""duration_ms"":${figure(row.duration_ms)}` +
    (row.usage === null ? '}' : `,""usage"":${usage(row.usage)}}`)
  );
}

function usage(row: UsageRow): string {
  const members =
    member(',""prompt_tokens"":', row.prompt_tokens) +
    member(',""completion_tokens"":', row.completion_tokens) +
    member(',""total_tokens"":', row.total_tokens) +
    member(',""cached_tokens"":', row.cached_tokens) +
    member(',""cache_write_tokens"":', row.cache_write_tokens) +
    member(',""reasoning_tokens"":', row.reasoning_tokens);
  return `{${members.slice(1)}}`;
}

const names = (list: readonly string[]): string => (list.length === 0 ? '[]' : `"[${list.map((name) => `""${name}""`).join()}]"`);

const text = (value: string | null): string => (value === null ? '' : value === '' ? '""' : value);

const number = (value: number | null): string | number => (Number.isFinite(value) ? digits(value!) : '');

const word = (name: string, value: string | null): string => (value === null ? '' : `${name}""${value}""`);

const member = (name: string, value: number | null): string => (Number.isFinite(value) ? name + digits(value!) : '');

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
