import { runtime } from '@/lib/boot';

export const dynamic = 'force-dynamic';

/** A map of the product for language models and the tools around them. */
export async function GET(): Promise<Response> {
  const { env } = await runtime();
  const base = env.publicUrl;
  return new Response(text(base), { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' } });
}

const text = (base: string): string => `# Ohm

> One endpoint over many model providers, in OpenAI's and Anthropic's APIs. It tries the tiers of a route in order, fails over only while nothing has reached the client, and says in-band when a stream was cut.

- Chat completions: POST ${base}/v1/chat/completions, Authorization: Bearer ohm_sk_… (libraries for OpenAI: base URL ${base}/v1)
- Messages: POST ${base}/v1/messages and /v1/messages/count_tokens, x-api-key or Bearer (Anthropic's library and ANTHROPIC_BASE_URL: ${base}, without /v1)
- Responses, embeddings, old completions: POST ${base}/v1/responses, /v1/embeddings, /v1/completions
- APIs, snippets for each client, and what survives translation: ${base}/docs/apis
- Models that a key may use: GET ${base}/v1/models
- Every model that can be named, with prices: GET ${base}/v1/public/models (page: ${base}/models)
- What savers would take out of a prompt (paste it, nothing is stored): ${base}/waste
- MCP (Streamable HTTP): ${base}/mcp with Authorization: Bearer ohm_sk_…, one tool, ohm_providers: which routes and tiers a key may use and which a call would ask now. Readiness, not failover telemetry.
- The contract, in prose: ${base}/docs/streaming-failover
- What is true right now, with evidence: ${base}/v1/public/honesty (page: ${base}/honesty)
- Status: ${base}/v1/public/status (page: ${base}/status)
- Management API: ${base}/openapi.json

Rules for clients:
- A 200 stream that ends with a frame holding "error" and without [DONE] was truncated. What came before it is incomplete.
- Errors carry x-should-retry: false where the gateway has already retried.
- On /v1/messages a truncated stream ends in "event: error" without message_stop, on /v1/responses in response.failed.
- X-Ohm-Dropped-Params lists hints that the answering provider's API has no word for; what would change the answer is refused with 400 and its param.
- Send assistant messages back as they came, reasoning_details, thinking blocks and reasoning items included: providers want their signatures again.
- X-Ohm-Request-Id (call_…) names the call's ledger row: GET ${base}/api/v1/calls/{id}. A req_… made no call and has no row.
`;
