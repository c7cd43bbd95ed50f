import type { CallRow, UsageRow } from '../../metering';

type Value = string | number | boolean | null;

/** The columns of a CSV of calls: a ledger row flattened. Order and names are the API's: they never change, more may follow. */
export const COLUMNS: readonly (readonly [name: string, value: (call: CallRow) => Value])[] = [
  ['id', (call) => call.id],
  ['created_at', (call) => call.created_at],
  ['finished_at', (call) => call.finished_at],
  ['state', (call) => call.state],
  ['status', (call) => call.status],
  ['error_code', (call) => call.error_code],
  ['key_id', (call) => call.key_id],
  ['tag', (call) => call.tag],
  ['surface', (call) => call.surface],
  ['stream', (call) => call.stream],
  ['commit', (call) => call.commit],
  ['replay', (call) => call.replay],
  ['route', (call) => call.route],
  ['requested_model', (call) => call.requested_model],
  ['tier', (call) => call.tier],
  ['connection_id', (call) => call.connection_id],
  ['provider', (call) => call.provider],
  ['model', (call) => call.model],
  ['model_reported', (call) => call.model_reported],
  ['attempts', (call) => call.attempts.filter(({ state }) => state !== 'skipped').length],
  ['attempts_failed', (call) => call.attempts.filter(({ state }) => state === 'failed').length],
  ['alert_class', (call) => call.alert_class],
  ['finish_reason', (call) => call.finish_reason],
  ['first_content_ms', (call) => call.first_content_ms],
  ['duration_ms', (call) => call.duration_ms],
  ['request_bytes', (call) => call.request_bytes],
  ['flushed_bytes', (call) => call.flushed_bytes],
  ['malformed_events', (call) => call.malformed_events],
  ['prompt_tokens', tokens('prompt_tokens')],
  ['cached_tokens', tokens('cached_tokens')],
  ['cache_write_tokens', tokens('cache_write_tokens')],
  ['completion_tokens', tokens('completion_tokens')],
  ['reasoning_tokens', tokens('reasoning_tokens')],
  ['usage_source', (call) => call.usage_source],
  ['usage_estimated', (call) => call.usage_estimated.join(' ')],
  ['cost_nano_usd', (call) => call.cost_nano_usd],
  ['price_version', (call) => call.price_version],
  ['arm', (call) => call.arm ?? null],
  ['conversation', (call) => call.conversation ?? null],
  ['tokens_before', (call) => call.tokens_before ?? null],
  ['tokens_after', (call) => call.tokens_after ?? null],
  ['tokenizer', (call) => call.tokenizer ?? null],
  ['savers', (call) => (call.savers ?? []).filter(({ texts }) => texts > 0).map(({ saver }) => saver).join(' ')],
  ['prompt_cost_nano_usd', (call) => call.prompt_cost_nano_usd ?? null],
  ['avoided_nano_usd', (call) => call.avoided_nano_usd ?? null],
  ['budget_nano_usd', (call) => call.budget_nano_usd ?? null],
];

function tokens(member: keyof UsageRow): (call: CallRow) => Value {
  return (call) => call.usage?.[member] ?? null;
}
