import type { AttemptRow, CallRow } from '../metering/call-row';
import type { CallView } from './schemas';

/** The ledger row as the API shows it. */
export function callView(row: CallRow): CallView {
  return {
    id: row.id,
    created_at: row.created_at,
    finished_at: row.finished_at,
    key_id: row.key_id,
    route: row.route,
    requested_model: row.requested_model,
    surface: row.surface,
    stream: row.stream,
    state: row.state,
    commit: row.commit,
    replay: row.replay,
    status: row.status,
    error_code: row.error_code,
    tier: row.tier,
    provider: row.provider,
    model: row.model,
    model_reported: row.model_reported,
    request_bytes: row.request_bytes,
    tag: row.tag,
    flushed_bytes: row.flushed_bytes,
    malformed_events: row.malformed_events,
    finish_reason: row.finish_reason,
    alert_class: row.alert_class,
    attempts: row.attempts.map(attemptView),
    eco: row.eco ?? null,
    usage: row.usage === null || row.usage_source === null ? null : { ...row.usage, source: row.usage_source, estimated: row.usage_estimated },
    cost_nano_usd: row.cost_nano_usd,
    price_version: row.price_version,
    first_content_ms: row.first_content_ms,
    duration_ms: row.duration_ms,
    tokens_before: row.tokens_before ?? null,
    tokens_after: row.tokens_after ?? null,
    tokenizer: tokenizerView(row.tokenizer ?? null),
    savers: row.savers ?? [],
    arm: row.arm ?? null,
    conversation: row.conversation ?? null,
    prompt_cost_nano_usd: row.prompt_cost_nano_usd ?? null,
    avoided_nano_usd: row.avoided_nano_usd ?? null,
    budget_nano_usd: row.budget_nano_usd ?? null,
  };
}

export function attemptView(attempt: AttemptRow): CallView['attempts'][number] {
  return {
    tier: attempt.tier,
    connection: attempt.connection,
    provider: attempt.provider,
    model: attempt.model,
    state: attempt.state,
    skip_reason: attempt.skip_reason,
    class: attempt.class,
    upstream_status: attempt.upstream_status,
    message: attempt.message,
    bytes: attempt.bytes,
    started_ms: attempt.started_ms,
    headers_ms: attempt.headers_ms,
    first_content_ms: attempt.first_content_ms,
    duration_ms: attempt.duration_ms,
    usage: attempt.usage === null ? null : { ...attempt.usage },
  };
}

/** The ledger's word for it: an encoding, behind `~` where it stands in for another. */
export const tokenizerView = (name: string | null): CallView['tokenizer'] => (name === null ? null : { encoding: name.replace(/^~/, ''), exact: !name.startsWith('~') });
