import { createSseReader } from './sse-reader';

/** Events a second on one core: `npx tsx lib/wire/sse-reader.bench.ts`. Printed, never asserted. */
const EVENT_BYTES = 200;
const PER_READ = 40;
const ROUNDS = 60_000;

function measure(name: string, letter: string): void {
  const frame = `data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"${letter.repeat(EVENT_BYTES - 70)}"}}]}\n\n`;
  const read = Buffer.from(frame.repeat(PER_READ));
  const cut = 117; // every read ends inside a line
  const shifted = Buffer.concat([read.subarray(cut), read.subarray(0, cut)]);
  for (const [kind, chunk] of [['whole frames', read], ['cut frames', shifted]] as const) {
    let events = 0;
    const reader = createSseReader({
      onEvent: () => void events++,
      onInvalid: () => {},
      onStray: () => {},
      onOverflow: () => {},
    });
    const start = performance.now();
    for (let i = 0; i < ROUNDS; i++) reader.feed(chunk);
    const seconds = (performance.now() - start) / 1000;
    console.log(`${name}, ${kind}: ${(events / seconds / 1e6).toFixed(2)} M events/s, ${((chunk.length * ROUNDS) / seconds / 1e6).toFixed(0)} MB/s`);
  }
}

for (let i = 0; i < 2; i++) {
  measure('ascii', 'a');
  measure('two-byte characters', 'é');
  measure('three-byte characters', '語');
}
