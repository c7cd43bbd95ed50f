import { expect, it } from 'vitest';
import { surfaceAt } from '@/lib/surfaces';
import type { CallRow } from '@/lib/metering/call-row';
import { asCurl } from './as-curl';

it.each([
  ['chat.completions', '/v1/chat/completions', 'messages'],
  ['completions', '/v1/completions', 'prompt'],
  ['messages', '/v1/messages', 'messages'],
  ['messages.count_tokens', '/v1/messages/count_tokens', 'messages'],
  ['responses', '/v1/responses', 'input'],
  ['embeddings', '/v1/embeddings', 'input'],
] as [CallRow['surface'], string, string][])('a call of %s is shown at its own path, in its own shape', (surface, path, member) => {
  const shown = asCurl('http://ohm', { surface, requested_model: "it's", stream: false, commit: 'first_content' });
  expect(shown.split(' \\\n')[0]).toBe(`curl http://ohm${path}`);
  expect(surfaceAt(path)?.id).toBe(surface);
  const body = /-d '(.*)'$/s.exec(shown)![1]!.replaceAll(`'\\''`, "'");
  expect(JSON.parse(body)).toMatchObject({ model: "it's", [member]: expect.anything() });
});
