import * as z from 'zod';
import { cursor, limit } from './page';
import { modelName, moment, NOT_PLAIN, PLAIN_TEXT, reference, tag, timestamp } from './field';
import { saverReceipt, tokenizer } from './receipt';

const FAILURE_CLASSES = [
  'connect', 'rate_limited', 'quota', 'auth', 'not_found', 'server_error', 'overloaded', 'timeout', 'stalled', 'cut',
  'malformed', 'not_a_stream', 'too_large', 'context_length', 'invalid_request', 'content_policy', 'deadline', 'draining',
] as const;
const CALL_STATES = ['finished', 'truncated', 'rejected', 'aborted', 'lost'] as const;

const tokens = z.int().nullable();

export const usage = z
  .strictObject({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens,
    cached_tokens: tokens,
    cache_write_tokens: tokens,
    reasoning_tokens: tokens,
    source: z.enum(['provider', 'estimate']),
    estimated: z.array(z.string()).meta({ description: 'The members that were estimated.' }),
  })
  .meta({ description: 'Token counts: the provider’s own, else an estimate that says so.' });

export const attempt = z
  .strictObject({
    tier: z.int().meta({ description: '1-based place in the route.' }),
    connection: z.string(),
    provider: z.string(),
    model: z.string(),
    state: z.enum(['failed', 'finished', 'truncated', 'aborted', 'skipped']),
    skip_reason: z.enum(['degraded', 'cannot_represent', 'budget', 'deadline']).nullable(),
    class: z.enum(FAILURE_CLASSES).nullable(),
    upstream_status: z.int().nullable(),
    message: z.string().nullable(),
    bytes: z.int().meta({ description: 'Bytes of this attempt that reached the client; of a finished attempt of an aborted call, whose client left during the last write, that write is among them.' }),
    started_ms: z.number().nullable(),
    headers_ms: z.number().nullable(),
    first_content_ms: z.number().nullable(),
    duration_ms: z.number(),
    usage: z.looseObject({}).nullable(),
  })
  .meta({ description: 'One upstream request (a retry is one of its own), or a tier that was skipped.' });

const ecoChoice = z
  .strictObject({
    tier: z.int(),
    prompt_tokens: z.int().meta({ description: 'By estimate: what the prices were compared for.' }),
    completion_tokens: z.int(),
    completion_source: z.enum(['request', 'default']).meta({ description: 'The request’s own limit, or 1,024 tokens where it has none.' }),
    candidates: z
      .array(
        z.strictObject({
          connection: z.string(),
          model: z.string(),
          cost_nano_usd: z.int().nullable(),
          price_version: z.string().nullable(),
          left_out: z
            .enum(['unpriced', 'context_length', 'max_output', 'operation', 'tools', 'images', 'pdf', 'audio', 'json_schema', 'reasoning'])
            .nullable()
            .meta({ description: 'Why it was no candidate for this request: no known price, or what it cannot do.' }),
        }),
      )
      .meta({ description: 'Those that could serve, cheapest first, then those left out.' }),
    not_listed: z.int().meta({ description: 'Candidates beyond the first 40.' }),
    chosen: z.strictObject({ connection: z.string(), model: z.string() }).nullable().meta({ description: 'The first that was asked: the cheapest that was healthy. Null: none.' }),
  })
  .meta({ description: 'The choice of an eco tier.' });

export const call = z
  .strictObject({
    id: z.string(),
    created_at: timestamp,
    finished_at: timestamp.meta({ description: 'Of a lost call: when its loss was noticed.' }),
    key_id: z.string(),
    route: z.string().nullable(),
    requested_model: z.string().nullable(),
    surface: z.enum(['chat.completions', 'completions', 'messages', 'messages.count_tokens', 'responses', 'embeddings']),
    stream: z.boolean().nullable(),
    state: z.enum(CALL_STATES),
    commit: z.enum(['first_content', 'complete']),
    replay: z.enum(['HIT', 'MISS', 'BYPASS']).nullable().meta({ description: 'Null for a lost call, like the counts below: nobody knows. Null also where an answer was stored and the call was refused for its rates: it was neither served nor missing.' }),
    status: z.int().nullable().meta({ description: 'HTTP status that the client got.' }),
    error_code: z.string().nullable(),
    tier: z.int().nullable(),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    model_reported: z.string().nullable(),
    request_bytes: z.int(),
    tag: z.string().nullable().meta({ description: 'What the request named itself by in `X-Ohm-Tag`.' }),
    flushed_bytes: z.int().nullable().meta({ description: 'Body bytes handed to the client’s socket. Of a call whose client left, or was cut off, during the last write: those before that write, or null where it was larger than 64 KiB (a JSON answer is one write), since how much of it was taken is not known. Null for a lost call as well.' }),
    malformed_events: z.int().nullable(),
    finish_reason: z.string().nullable(),
    alert_class: z.string().nullable().meta({ description: 'Class and moment of the last attempt that failed: `before_content`, or `after_content` where that cut the answer. Earlier ones stand in `attempts`.' }),
    attempts: z.array(attempt),
    eco: z.array(ecoChoice).nullable().meta({ description: 'What each eco tier that the call met compared, and whom it chose; null where there was none.' }),
    usage: usage.nullable(),
    cost_nano_usd: z.int().nullable().meta({ description: 'At the price of the tier that served; of an aborted call without one, of the tier that was being asked when the client left, the last of `attempts`. Null: no known price.' }),
    price_version: z.string().nullable(),
    first_content_ms: z.number().nullable(),
    duration_ms: z.number().nullable(),
    tokens_before: z.int().nullable().meta({ description: 'Tokens of the request’s texts as they were received. Null where they were not counted (savers and hold-out off), and for a moment after a call whose end came before the count.' }),
    tokens_after: z.int().nullable().meta({ description: 'The same as they were sent.' }),
    tokenizer: tokenizer.nullable(),
    savers: z.array(saverReceipt).meta({ description: 'What each saver did that did something or was undone. Counts only: bodies are not kept.' }),
    arm: z.enum(['treated', 'holdout']).nullable().meta({ description: 'The conversation is rewritten, or left as it is for comparison. Null: savers were off.' }),
    conversation: z.string().nullable().meta({ description: 'Keyed hash of the key and the conversation’s first messages.' }),
    prompt_cost_nano_usd: z.int().nullable().meta({ description: 'The prompt’s part of the cost; only of calls with an arm.' }),
    avoided_nano_usd: z.int().nullable().meta({ description: 'Of a HIT: what the stored usage would have cost.' }),
    budget_nano_usd: z.int().nullable().meta({ description: 'What hard budgets were charged where `cost_nano_usd` is null because the provider’s figures contradict each other or are too large to be added up: all tokens at the plain rates, and no less than was set aside. Null otherwise.' }),
  })
  .meta({ description: 'The ledger row of one call.' });

export const keyReference = z.string().max(100, 'must have at most 100 characters').regex(PLAIN_TEXT, NOT_PLAIN).meta({ description: 'Id or name of a key.' });
export const routeReference = z.string().max(64, 'must have at most 64 characters').regex(PLAIN_TEXT, NOT_PLAIN).meta({ description: 'Route name.' });

/** Which calls: all of these must hold. */
export const callFilters = {
  key: keyReference.optional(),
  route: routeReference.optional(),
  state: z.enum(CALL_STATES, { error: `must be one of ${CALL_STATES.join(', ')}` }).optional(),
  class: z
    .string()
    .regex(/^[a-z_]+(\.(before|after)_content)?$/, 'must be a failure class, or one with ".before_content" or ".after_content"')
    .max(60)
    .optional()
    .meta({
      description:
        'Failure class that any attempt of the call met, e.g. `rate_limited`; or class and moment: `rate_limited.before_content` finds calls of which an attempt failed so before content, whatever became of them, `rate_limited.after_content` those that it cut. The alert of that name counts the same calls, but that one on `stalled` counts `timeout` too.',
    }),
  model: modelName.optional().meta({ description: 'The model that answered.' }),
  connection: reference('connection').optional().meta({ description: 'Id or name of the connection that answered.' }),
  tag: tag.optional(),
  from: moment.optional().meta({ description: 'Calls created at this moment or later.' }),
  to: moment.optional().meta({ description: 'Calls created before this moment.' }),
};

export const callListQuery = z.strictObject({ limit, cursor, ...callFilters });

export type CallView = z.output<typeof call>;
export type CallListQuery = z.output<typeof callListQuery>;

export const callPage = z
  .strictObject({ data: z.array(call), next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }) })
  .meta({ description: 'A page of calls, newest first.' });
