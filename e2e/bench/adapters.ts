import { adapterFor, type Wire, WIRES } from '../../lib/providers';
import { chatCompletions } from '../../lib/surfaces';
import { createSseReader, type Frame } from '../../lib/wire';
import { median } from './load';

/** What one wire's adapter does with one kind of event, on one core. */
export interface AdapterFigures {
  wire: Wire;
  kind: string;
  /** Of one event, its framing included. */
  bytes: number;
  /** From bytes to events. */
  readPerSecond: number;
  /** From bytes to the bytes that a client of chat completions gets. */
  writtenPerSecond: number;
}

/** Events in one read from a socket. */
const PER_READ = 40;
const BYTES = 120;

/** Makes the n-th event with so many characters of text. */
type Make = (at: number, text: string) => string;

const chunk: Make = (_, text) => `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
const delta: Make = (_, text) => `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}\n\n`;
const candidate: Make = (_, text) => `data: {"candidates":[{"content":{"parts":[{"text":"${text}"}],"role":"model"},"index":0}]}\r\n\r\n`;
const output: Make = (_, text) => `data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"${text}"}\n\n`;

/** As the vendors send them: members that say nothing, padding, sequence numbers. */
const fullChunk: Make = (_, text) => `data: {"id":"chatcmpl-Bx7","object":"chat.completion.chunk","created":1700000000,"model":"m","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":"${text}"},"logprobs":null,"finish_reason":null}],"usage":null}\n\n`;
const padded: Make = (at, text) => `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}${' '.repeat(at % 12)}}\n\n`;
const counted: Make = (at, text) => `data: {"candidates":[{"content":{"parts":[{"text":"${text}"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":21,"candidatesTokenCount":${at},"totalTokenCount":${at + 21},"promptTokensDetails":[{"modality":"TEXT","tokenCount":21}]},"modelVersion":"m","responseId":"r1"}\r\n\r\n`;
const numbered: Make = (at, text) => `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":${at},"item_id":"msg_1","output_index":0,"content_index":0,"delta":"${text}","logprobs":[],"obfuscation":"${'x'.repeat(at % 16)}"}\n\n`;
const arguments_: Make = (at, text) => `event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"${text}"}${' '.repeat(at % 12)}}\n\n`;

const MESSAGE = `event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n`;
const opened = (index: number, block: object) => `event: content_block_start\ndata: ${JSON.stringify({ type: 'content_block_start', index, content_block: block })}\n\n`;
const TEXT = MESSAGE + opened(0, { type: 'text', text: '' });

const CASES: { wire: Wire; kind: string; make: Make; preamble?: string }[] = [
  { wire: 'openai', kind: '120 bytes', make: chunk },
  { wire: 'openai', kind: 'as the vendor sends', make: fullChunk },
  { wire: 'anthropic', kind: '120 bytes', make: delta, preamble: TEXT },
  { wire: 'anthropic', kind: 'as the vendor sends', make: padded, preamble: TEXT },
  { wire: 'anthropic', kind: 'arguments of a tool', make: arguments_, preamble: MESSAGE + opened(1, { type: 'tool_use', id: 't', name: 'f', input: {} }) },
  { wire: 'gemini', kind: '120 bytes', make: candidate },
  { wire: 'gemini', kind: 'as the vendor sends', make: counted },
  { wire: 'openai-responses', kind: '120 bytes', make: output },
  { wire: 'openai-responses', kind: 'as the vendor sends', make: numbered },
];

/** Every wire; medians over the rounds, in each of which all are measured in turn. */
export function measureAdapters(rounds: number, eventsARound: number): AdapterFigures[] {
  const missing = WIRES.filter((wire) => !CASES.some((each) => each.wire === wire));
  if (missing.length > 0) throw new Error(`no events are known of ${missing.join(', ')}`);
  const streams = CASES.map((each) => ({ ...each, reads: readsOf(each) }));
  const found = streams.map(() => ({ read: [] as number[], written: [] as number[] }));
  for (let round = -1; round < rounds; round++) {
    for (const [at, each] of streams.entries()) {
      const read = run(each, eventsARound, false);
      const written = run(each, eventsARound, true);
      if (round < 0) continue; // warming up
      found[at]!.read.push(read);
      found[at]!.written.push(written);
    }
  }
  return streams.map(({ wire, kind, reads }, at) => ({
    wire,
    kind,
    bytes: Math.round(reads.reduce((sum, read) => sum + read.length, 0) / reads.length / PER_READ),
    readPerSecond: median(found[at]!.read),
    writtenPerSecond: median(found[at]!.written),
  }));
}

function readsOf({ kind, make }: (typeof CASES)[0]): Buffer[] {
  const text = kind === '120 bytes' ? 'w'.repeat(BYTES - Buffer.byteLength(make(0, ''))) : ' word';
  return Array.from({ length: 25 }, (_, read) => Buffer.from(Array.from({ length: PER_READ }, (__, at) => make(100 + read * PER_READ + at, text)).join('')));
}

/** Events a second of CPU time. */
function run({ wire, preamble, reads, make }: (typeof CASES)[0] & { reads: Buffer[] }, most: number, write: boolean): number {
  const adapter = adapterFor(wire);
  const reader = adapter.streamReader();
  const writer = chatCompletions.writer({ own: adapter.dialect === chatCompletions.dialect, callId: 'c', createdS: 1, model: 'm', usageWish: 'asked', request: {} });
  let [events, characters] = [0, 0];
  const take = (frame: Frame) => {
    if (frame.events.length === 0 || frame.events[0]!.type === 'malformed') throw new Error(`${wire} reads nothing in ${frame.data}`);
    events++;
    if (write) characters += writer.frame(frame).length;
  };
  let begun = false;
  const sse = createSseReader({ onEvent: (data, name) => (begun ? take(reader.read(data, name)) : void reader.read(data, name)), onInvalid: () => {}, onStray: () => {}, onOverflow: () => {} });
  sse.feed(Buffer.from(preamble ?? make(0, 'x')));
  begun = true;
  const start = process.cpuUsage();
  for (let at = 0; events < most; at++) sse.feed(reads[at % reads.length]!);
  const { user, system } = process.cpuUsage(start);
  if (write && characters < events) throw new Error(`${wire}: nothing was written`);
  return events / ((user + system) / 1e6);
}
