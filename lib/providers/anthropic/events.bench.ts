import { chatCompletions } from '../../surfaces';
import { createSseReader, type Frame } from '../../wire';
import type { WireAdapter } from '../adapter';
import { openai } from '../openai';
import { anthropic } from '.';

/**
 * Events a second on one core, and what translating costs beside passing through:
 * `npx tsx lib/providers/anthropic/events.bench.ts`. Printed, never asserted.
 */
const PER_READ = 40;
const ROUNDS = 12_000;

const usage = { input_tokens: 1, output_tokens: 1 };
const START = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage } })}\n\n`;
const block = (start: object) => `event: content_block_start\ndata: ${JSON.stringify({ type: 'content_block_start', index: 0, content_block: start })}\n\n`;
const delta = (change: object, padding: number) => `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: change }).slice(0, -1)}${' '.repeat(padding)}}\n\n`;
const chunk = (text: string) => `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`;

const WORD = 'seventeen chars. ';
const CASES: { name: string; adapter: WireAdapter; own: boolean; preamble: string; frames: string[] }[] = [
  { name: 'openai, passed through', adapter: openai, own: true, preamble: chunk(''), frames: Array.from({ length: PER_READ }, () => chunk(WORD)) },
  ...(
    [
      ['text', { type: 'text', text: '' }, (at: number) => delta({ type: 'text_delta', text: WORD }, at % 12)],
      ['text with escapes', { type: 'text', text: '' }, (at: number) => delta({ type: 'text_delta', text: 'said "so".\n' }, at % 12)],
      ['thinking', { type: 'thinking', thinking: '', signature: '' }, (at: number) => delta({ type: 'thinking_delta', thinking: WORD }, at % 12)],
      ['arguments', { type: 'tool_use', id: 't', name: 'f', input: {} }, (at: number) => delta({ type: 'input_json_delta', partial_json: '"city": "Oslo",' }, at % 12)],
    ] as const
  ).flatMap(([name, start, frame]) =>
    [true, false].map((own) => ({
      name: `anthropic ${name}, ${own ? 'passed through' : 'translated'}`,
      adapter: anthropic,
      own,
      preamble: START + block(start),
      frames: Array.from({ length: PER_READ }, (_, at) => frame(at)),
    })),
  ),
];

function measure({ name, adapter, own, preamble, frames }: (typeof CASES)[number], stage: 'adapter' | 'all'): void {
  const read = Buffer.from(frames.join(''));
  const reader = adapter.streamReader();
  const context = { own, callId: 'c', createdS: 1, model: 'm', usageWish: 'asked' as const, request: {} };
  const writer = own && adapter === anthropic ? relay() : chatCompletions.writer(context);
  let events = 0;
  let written = 0;
  const sse = createSseReader({
    onEvent: (data, eventName) => {
      const frame = reader.read(data, eventName);
      events++;
      if (stage === 'all') written += writer.frame(frame).length;
    },
    onInvalid: () => {},
    onStray: () => {},
    onOverflow: () => {},
  });
  sse.feed(Buffer.from(preamble));
  events = 0;
  const start = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) sse.feed(read);
  const { user, system } = process.cpuUsage(start);
  const perEvent = ((user + system) * 1000) / events;
  console.log(`${name}, ${stage === 'all' ? 'bytes to bytes' : 'bytes to events'}: ${(1000 / perEvent).toFixed(2)} M events/s, ${perEvent.toFixed(0)} ns each, ${Math.round(read.length / PER_READ)} bytes${written === 0 ? '' : `, ${Math.round(written / events)} written`}`);
}

/** As the writer of the same dialect does. */
function relay() {
  return { frame: (frame: Frame) => (frame.data === null ? '' : `event: ${frame.name}\ndata: ${frame.data}\n\n`) };
}

for (let round = 0; round < 2; round++) {
  for (const each of CASES) for (const stage of ['adapter', 'all'] as const) measure(each, stage);
  console.log('');
}
