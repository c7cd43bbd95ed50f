import { newId } from '../std';
import type { AdmittedRow, AttemptRow, CallRow } from './call-row';
import type { Log } from './log';

/** Rows for tests. */
export function admitted(change: Partial<AdmittedRow> = {}): AdmittedRow {
  return {
    id: newId('call'),
    workspace_id: 'ws_test',
    key_id: 'key_test',
    created_at: new Date().toISOString(),
    route: 'demo',
    requested_model: 'demo',
    surface: 'chat.completions',
    stream: true,
    commit: 'first_content',
    request_bytes: 123,
    tag: null,
    ...change,
  };
}

export function attempt(change: Partial<AttemptRow> = {}): AttemptRow {
  return {
    tier: 1,
    connection: 'main',
    provider: 'openai',
    model: 'gpt-4o-mini',
    state: 'finished',
    skip_reason: null,
    class: null,
    upstream_status: 200,
    message: null,
    bytes: 5312,
    started_ms: 0.4,
    headers_ms: 80.1,
    first_content_ms: 91.2,
    duration_ms: 803.7,
    usage: null,
    ...change,
  };
}

export function finished(row: AdmittedRow = admitted(), change: Partial<CallRow> = {}): CallRow {
  return {
    ...row,
    finished_at: new Date(Date.parse(row.created_at) + 804).toISOString(),
    state: 'finished',
    replay: 'BYPASS',
    status: 200,
    error_code: null,
    tier: 1,
    connection_id: 'conn_test',
    provider: 'openai',
    model: 'gpt-4o-mini',
    model_reported: 'gpt-4o-mini-2024-07-18',
    flushed_bytes: 5312,
    malformed_events: 0,
    finish_reason: 'stop',
    alert_class: null,
    attempts: [attempt()],
    usage: { prompt_tokens: 69, completion_tokens: 20, total_tokens: 89, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null },
    usage_source: 'provider',
    usage_estimated: [],
    cost_nano_usd: 22350,
    price_version: 'test',
    first_content_ms: 91.6,
    duration_ms: 804.1,
    eco: null,
    savers: null,
    tokens_before: null,
    tokens_after: null,
    tokenizer: null,
    arm: null,
    conversation: null,
    prompt_cost_nano_usd: null,
    avoided_nano_usd: null,
    budget_nano_usd: null,
    ...change,
  };
}

/** Keeps what was said. */
export function memoryLog(): Log & { lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}
