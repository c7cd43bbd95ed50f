import { runtime } from '@/lib/boot';

export const dynamic = 'force-dynamic';

/** A map of the product for language models and the tools around them. */
export async function GET(): Promise<Response> {
  const { env } = await runtime();
  const base = env.publicUrl;
  return new Response(text(base), { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' } });
}

const text = (base: string): string => `# Ohm

> An OpenAI-compatible endpoint over many model providers. It tries the tiers of a route in order, fails over only while nothing has reached the client, and says in-band when a stream was cut.

- Completions: POST ${base}/v1/chat/completions, Authorization: Bearer ohm_sk_…
- Models that a key may use: GET ${base}/v1/models
- Every model that can be named, with prices: GET ${base}/v1/public/models (page: ${base}/models)
- What savers would take out of a prompt (paste it, nothing is stored): ${base}/waste
- The contract, in prose: ${base}/docs/streaming-failover
- What is true right now, with evidence: ${base}/v1/public/honesty (page: ${base}/honesty)
- Status: ${base}/v1/public/status (page: ${base}/status)
- Management API: ${base}/openapi.json

Rules for clients:
- A 200 stream that ends with a frame holding "error" and without [DONE] was truncated. What came before it is incomplete.
- Errors carry x-should-retry: false where the gateway has already retried.
- X-Ohm-Request-Id names the call's ledger row: GET ${base}/api/v1/calls/{id}.
`;
