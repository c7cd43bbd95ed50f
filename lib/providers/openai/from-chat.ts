import { type Unrepresentable, unsupported } from '../../wire';
import type { WireRequestInput } from '../adapter';

/** The canonical request, written out for this wire: only what OpenAI has no word for is in the way. */
export function bodyFrom({ chat, model, stream, withoutStreamOptions, quirks }: WireRequestInput): { body: string; dropped: readonly string[] } | Unrepresentable {
  if (chat === null) throw new Error('a request in neither its own nor the canonical language');
  if (chat.topK !== null) return unsupported('top_k', 'This wire has no `top_k`.');
  const body: Record<string, unknown> = { model, ...chat.body };
  if (stream) {
    body.stream = true;
    if (!withoutStreamOptions && quirks.streamOptions !== false) body.stream_options = { include_usage: true };
  }
  return { body: JSON.stringify(body), dropped: [] };
}
