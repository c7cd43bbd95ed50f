import type { SaverRecord } from '../savers';
import type { SurfaceId } from '../surfaces';
import type { FailureClass } from '../wire';

export type CallState = 'finished' | 'truncated' | 'rejected' | 'aborted' | 'lost';
export type AttemptState = 'failed' | 'finished' | 'truncated' | 'aborted' | 'skipped';
export type SkipReason = 'degraded' | 'cannot_represent' | 'budget' | 'deadline';

/** One upstream request (each retry is one of its own), or one tier that was skipped. */
export interface AttemptRow {
  /** 1-based position of the tier in its route. */
  tier: number;
  /** Connection name. */
  connection: string;
  /** Preset id of the connection. */
  provider: string;
  model: string;
  state: AttemptState;
  skip_reason: SkipReason | null;
  class: FailureClass | null;
  upstream_status: number | null;
  /** The failure's internal sentence: no credentials. */
  message: string | null;
  /** Bytes of this attempt that reached the client's socket. */
  bytes: number;
  /** Offset from the call's start, ms. */
  started_ms: number;
  /** Offsets from the attempt's own start, ms, null when the moment never came. */
  headers_ms: number | null;
  first_content_ms: number | null;
  duration_ms: number;
  /** Usage that a failed attempt reported: kept apart from the call's own. */
  usage: UsageRow | null;
}

export interface UsageRow {
  prompt_tokens: number | null;
  completion_tokens: number | null;
  total_tokens: number | null;
  cached_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
}

/** How an eco tier came to its order: what each candidate would have cost this request, by estimate. */
export interface EcoRow {
  /** 1-based position of the tier in its route. */
  tier: number;
  /** What the prices were compared for: tokens of the prompt, by estimate, and of the longest answer that is paid for. */
  prompt_tokens: number;
  completion_tokens: number;
  /** Where the latter is from: the request's own limit, or the stated default. */
  completion_source: 'request' | 'default';
  /** Those that could serve, cheapest first, then those that could not. */
  candidates: EcoCandidateRow[];
  /** Candidates beyond the bound of what is kept. */
  not_listed: number;
  /** The first that was asked; null when none was. */
  chosen: { connection: string; model: string } | null;
}

export interface EcoCandidateRow {
  connection: string;
  model: string;
  /** Integer nano-USD for these tokens; null without a known price. */
  cost_nano_usd: number | null;
  price_version: string | null;
  /** Why it was no candidate for this request; null for those that were. */
  left_out: 'unpriced' | 'context_length' | 'max_output' | 'tools' | 'images' | 'pdf' | 'audio' | 'json_schema' | 'reasoning' | 'operation' | null;
}

/** Journalled before the first upstream byte: enough to close the call as `lost` if the process dies. */
export interface AdmittedRow {
  id: string;
  workspace_id: string;
  key_id: string;
  /** ISO 8601, UTC, ms. */
  created_at: string;
  /** Name, `direct` or `private`. Null, like the next two, in the row of a call that was refused before it was read. */
  route: string | null;
  requested_model: string | null;
  surface: SurfaceId;
  stream: boolean | null;
  commit: 'first_content' | 'complete';
  /** Bytes of the request body. */
  request_bytes: number;
  /** What the caller named it by in `X-Ohm-Tag`: its usage is summed by it. Null without one. */
  tag: string | null;
}

/**
 * The one ledger row of a call. Its member names are the columns' names: the same object is
 * journalled, drained into PostgreSQL and served by the management API.
 */
export interface CallRow extends AdmittedRow {
  /** ISO 8601, UTC, ms. Of a `lost` call: when its loss was noticed. */
  finished_at: string;
  state: CallState;
  /** Null in state `lost`, and where an answer was stored and the call was refused for its rates. */
  replay: 'HIT' | 'MISS' | 'BYPASS' | null;
  /** HTTP status that the client got; null when it left before any. */
  status: number | null;
  /** Machine code of the error that the client got, e.g. `stream_truncated`; null on success. */
  error_code: string | null;
  /** 1-based tier that served or was cut; null when none committed. */
  tier: number | null;
  connection_id: string | null;
  provider: string | null;
  model: string | null;
  /** What the provider itself called the model. */
  model_reported: string | null;
  /**
   * Body bytes handed to the client's socket. Of a call whose client left during the last write, those before that
   * write. Null where nobody knows: in state `lost`, and in `aborted` where that write was larger than 64 KiB.
   */
  flushed_bytes: number | null;
  /** Null only in state `lost`. */
  malformed_events: number | null;
  finish_reason: string | null;
  /** Failure class + moment, e.g. `rate_limited.after_content`, `stalled.before_content`; null when nothing failed. */
  alert_class: string | null;
  attempts: AttemptRow[];
  /** One for each eco tier that the walk came to; null where the route has none. */
  eco?: EcoRow[] | null;
  usage: UsageRow | null;
  usage_source: 'provider' | 'estimate' | null;
  /** The members of `usage` that were estimated. */
  usage_estimated: (keyof UsageRow)[];
  /** Integer nano-USD (1e-9 USD); null when the price or the usage is unknown. */
  cost_nano_usd: number | null;
  /** Which price table the cost came from; null with an unknown price. */
  price_version: string | null;
  first_content_ms: number | null;
  /** Null only in state `lost`. */
  duration_ms: number | null;
  // What follows is there for calls of keys with savers or a hold-out only; null and left out mean the same.
  /** What each saver that did something, or was undone, did. */
  savers?: SaverRecord[] | null;
  /** Tokens of the request's texts as they were received and as they were sent, by `tokenizer`; null until, and where not, counted. */
  tokens_before?: number | null;
  tokens_after?: number | null;
  /** What counted them: an encoding's name, behind `~` where it stands in for a tokenizer that is not public. */
  tokenizer?: string | null;
  /** The conversation is rewritten, or left as it is for comparison. Null: savers were off. */
  arm?: 'treated' | 'holdout' | null;
  /** Keyed hash of the key and the conversation's first messages. */
  conversation?: string | null;
  /** The prompt's part of the cost, by the same prices; null like the cost. */
  prompt_cost_nano_usd?: number | null;
  /** Of a HIT: what the stored usage would have cost at the price in force; null where no price is known. */
  avoided_nano_usd?: number | null;
  /** What hard budgets are charged where the cost is not known: no less than it may be. Null and left out mean the same: as the cost. */
  budget_nano_usd?: number | null;
}
