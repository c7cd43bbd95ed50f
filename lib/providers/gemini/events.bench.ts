import { streamReader } from './events';

/** Events a second on one core: `npx tsx lib/providers/gemini/events.bench.ts`. Printed, never asserted. */
const PER_STREAM = 1_000;
const STREAMS = 600;

const KINDS: Record<string, (index: number) => string> = {
  'text, 120 bytes': (index) => padded(`{"candidates":[{"content":{"parts":[{"text":"word${index % 1_000} `, `"}],"role":"model"},"index":0}],"modelVersion":"gemini-3"}`, 120),
  'text with usage, as it comes': (index) =>
    `{"candidates":[{"content":{"parts":[{"text":" word${index}"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":${index},"totalTokenCount":${index + 49},"promptTokensDetails":[{"modality":"TEXT","tokenCount":9}],"thoughtsTokenCount":40},"modelVersion":"gemini-3-flash-preview","responseId":"abc"}`,
  thoughts: (index) => padded(`{"candidates":[{"content":{"parts":[{"text":"thought ${index} `, `","thought":true}],"role":"model"},"index":0}]}`, 120),
};

const padded = (before: string, after: string, bytes: number): string => before + 'x'.repeat(Math.max(0, bytes - before.length - after.length)) + after;

for (let round = 0; round < 2; round++) {
  for (const [name, make] of Object.entries(KINDS)) {
    const datas = Array.from({ length: PER_STREAM }, (_, index) => make(index));
    let events = 0;
    const start = performance.now();
    for (let stream = 0; stream < STREAMS; stream++) {
      const reader = streamReader();
      for (const data of datas) events += reader.read(data, '').events.length > 0 ? 1 : 0;
    }
    const seconds = (performance.now() - start) / 1000;
    console.log(`${name}: ${(events / seconds / 1000).toFixed(0)}k events/s`);
  }
}
