import { isObject, type Usage } from '../../wire';
import type { ClientError, EstimatedUsage } from '../surface';

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** What changes from one event to the next. */
interface State {
  status: ResponseStatus;
  /** JSON text. */
  output: string;
  /** JSON text. */
  usage: string;
  error?: ClientError;
  /** Why it is incomplete. */
  reason?: 'max_output_tokens' | 'content_filter';
}

/** The response object of one answer, as JSON text: it repeats the request's own members, as the API does. */
export interface ResponseObject {
  text(state: State): string;
  /** The same without what the request said: for events of which nobody wants more than a sign of life. */
  short(status: ResponseStatus): string;
}

export interface ResponseIdentity {
  id: string;
  createdS: number;
  model: string;
}

export function responseObject({ id, createdS, model }: ResponseIdentity, request: Readonly<Record<string, unknown>>): ResponseObject {
  const opening = `{"id":${JSON.stringify(id)},"object":"response","created_at":${createdS}`;
  const named = `"model":${JSON.stringify(model)}`;
  let echo: string | null = null;
  return {
    text({ status, output, usage, error, reason }) {
      echo ??= echoOf(request);
      const failed = error === undefined ? 'null' : JSON.stringify({ code: error.code, message: error.message, ...(error.metadata && { metadata: error.metadata }) });
      const details = reason === undefined ? 'null' : `{"reason":"${reason}"}`;
      return `${opening},"status":"${status}","background":false,"error":${failed},"incomplete_details":${details},${named},"output":${output},"usage":${usage},${echo}}`;
    },
    short: (status) => `${opening},"status":"${status}","error":null,"incomplete_details":null,${named},"output":[],"usage":null}`,
  };
}

/** Members of the request, with the API's defaults where they were left out, as the inside of a JSON object. */
function echoOf(request: Readonly<Record<string, unknown>>): string {
  const { reasoning, text, tools, metadata } = request;
  const echo: Record<string, unknown> = {
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    metadata: isObject(metadata) ? metadata : {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: null, summary: null, ...(isObject(reasoning) ? reasoning : {}) },
    store: request.store === true,
    temperature: request.temperature ?? 1,
    text: { format: { type: 'text' }, ...(isObject(text) ? text : {}) },
    tool_choice: request.tool_choice ?? 'auto',
    tools: Array.isArray(tools) ? tools : [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? 'disabled',
  };
  for (const name of ['prompt_cache_key', 'safety_identifier', 'user']) if (typeof request[name] === 'string') echo[name] = request[name];
  return JSON.stringify(echo).slice(1, -1);
}

/**
 * This API's `usage`: the provider's own where it speaks this API (a stored answer of such a tier). Else its clients
 * read the two details without asking whether they are there, so what nobody reported is 0 here; the ledger keeps it
 * unknown.
 */
export function responsesUsage({ promptTokens, completionTokens, totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens, reported }: Usage): object {
  if (reported?.dialect === 'openai-responses') return reported.usage;
  return {
    input_tokens: promptTokens ?? 0,
    input_tokens_details: { cached_tokens: cachedTokens ?? 0, ...(cacheWriteTokens === null ? {} : { cache_write_tokens: cacheWriteTokens }) },
    output_tokens: completionTokens ?? 0,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: totalTokens ?? (promptTokens ?? 0) + (completionTokens ?? 0),
  };
}

export function estimatedResponsesUsage({ usage, estimated }: EstimatedUsage): object {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  const figures = { promptTokens: input, completionTokens: output, totalTokens: total, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  return { ...responsesUsage(figures), source: 'estimate', estimated: estimated.map((name) => NAMES[name] ?? name) };
}

const NAMES: Partial<Record<string, string>> = { prompt_tokens: 'input_tokens', completion_tokens: 'output_tokens' };
