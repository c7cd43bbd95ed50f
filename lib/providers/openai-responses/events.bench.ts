import { createSseReader } from '../../wire';
import { openaiResponses } from '.';

/** Events a second on one core: `npx tsx lib/providers/openai-responses/events.bench.ts`. Printed, never asserted. */
const PER_READ = 40;
const ROUNDS = 25_000;

function measure(name: string, frameAt: (n: number) => string): void {
  let sequence = 4;
  const chunks = Array.from({ length: 50 }, () => Buffer.from(Array.from({ length: PER_READ }, () => frameAt(sequence++)).join('')));
  let events = 0;
  const reader = openaiResponses.streamReader();
  const sse = createSseReader({ onEvent: (data, event) => void (events += reader.read(data, event).events.length), onInvalid: () => {}, onStray: () => {}, onOverflow: () => {} });
  const start = performance.now();
  for (let i = 0; i < ROUNDS; i++) sse.feed(chunks[i % chunks.length]!);
  const seconds = (performance.now() - start) / 1000;
  console.log(`${name} (${frameAt(100).length} bytes): ${Math.round(events / seconds).toLocaleString('en')} events/s`);
}

const delta = (n: number, text: string, rest = '') =>
  `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":${n},"item_id":"msg_1","output_index":0,"content_index":0,"delta":"${text}"${rest}}\n\n`;

for (let i = 0; i < 2; i++) {
  measure('short', (n) => `data: {"type":"response.output_text.delta","sequence_number":${n},"output_index":0,"content_index":0,"delta":"word"}\n\n`);
  measure('as OpenAI sends them', (n) => delta(n, ' word', `,"logprobs":[],"obfuscation":"${'x'.repeat(n % 16)}"`));
}
