import type { CallRow } from '@/lib/metering/call-row';

/** A request of the call's shape for a shell: its own path and the members that its surface needs. Bodies are not kept, so "…" stands for what is not known. Pure. */
export function asCurl(publicUrl: string, call: Pick<CallRow, 'surface' | 'requested_model' | 'stream' | 'commit'>): string {
  const { path, body } = SHAPES[call.surface];
  const json = JSON.stringify({ model: call.requested_model ?? '…', ...(call.stream ? { stream: true } : {}), ...body });
  return [
    `curl ${call.stream ? '-N ' : ''}${publicUrl}${path}`,
    `  -H "Authorization: Bearer $OHM_API_KEY"`,
    `  -H 'Content-Type: application/json'`,
    ...(path.startsWith('/v1/messages') ? [`  -H 'anthropic-version: 2023-06-01'`] : []),
    ...(call.commit === 'complete' ? [`  -H 'X-Ohm-Commit: complete'`] : []),
    `  -d '${json.replaceAll("'", `'\\''`)}'`,
  ].join(' \\\n');
}

const messages = [{ role: 'user', content: '…' }];

const SHAPES: Record<CallRow['surface'], { path: string; body: object }> = {
  'chat.completions': { path: '/v1/chat/completions', body: { messages } },
  completions: { path: '/v1/completions', body: { prompt: '…' } },
  messages: { path: '/v1/messages', body: { max_tokens: 1024, messages } },
  'messages.count_tokens': { path: '/v1/messages/count_tokens', body: { messages } },
  responses: { path: '/v1/responses', body: { input: '…' } },
  embeddings: { path: '/v1/embeddings', body: { input: '…' } },
};
