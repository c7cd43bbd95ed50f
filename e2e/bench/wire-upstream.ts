import { createServer } from 'node:http';

/**
 * Providers of every wire that answer at once with 200 words, each word an event of its own, in the shape and with
 * the members that the vendor sends. `node wire-upstream.mjs <port>`
 */
const WORDS = Array.from({ length: 200 }, (_, at) => ` word${at}`);

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { type: string } & Record<string, unknown>): string => `event: ${value.type}\n${data(value)}`;

function openai(): string[] {
  const chunk = (choices: object[], rest: object = {}) => data({ id: 'chatcmpl-Bx7', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm', service_tier: 'default', system_fingerprint: 'fp_1', choices, ...rest });
  const delta = (change: object, reason: string | null = null) => chunk([{ index: 0, delta: change, logprobs: null, finish_reason: reason }], { usage: null });
  return [delta({ role: 'assistant', content: '', refusal: null }), ...WORDS.map((content) => delta({ content })), delta({}, 'stop'), chunk([], { usage: { prompt_tokens: 21, completion_tokens: 200, total_tokens: 221 } }), 'data: [DONE]\n\n'];
}

function anthropic(): string[] {
  const usage = { input_tokens: 21, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1, service_tier: 'standard' };
  return [
    event({ type: 'message_start', message: { id: 'msg_01', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null, usage } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    'event: ping\ndata: {"type": "ping"}\n\n',
    // It pads its events with spaces, so that their lengths tell nothing.
    ...WORDS.map((text, at) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }).replace(/\n\n$/, `${' '.repeat(at % 12)}\n\n`)),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 200 } }),
    event({ type: 'message_stop' }),
  ];
}

function gemini(): string[] {
  const frame = (candidate: object, count: number) => data({ candidates: [candidate], usageMetadata: { promptTokenCount: 21, candidatesTokenCount: count, totalTokenCount: 21 + count, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 21 }] }, modelVersion: 'm', responseId: 'r1' });
  return WORDS.map((text, at) => frame({ content: { parts: [{ text }], role: 'model' }, index: 0, ...(at === WORDS.length - 1 ? { finishReason: 'STOP' } : {}) }, at + 1));
}

function responses(): string[] {
  let sequence = 0;
  const say = (type: string, rest: object) => event({ type, sequence_number: sequence++, ...rest });
  const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'm', error: null, incomplete_details: null };
  const text = WORDS.join('');
  const item = (content: object[], status: string) => ({ id: 'msg_1', type: 'message', status, role: 'assistant', content });
  const part = (said: string) => ({ type: 'output_text', annotations: [], logprobs: [], text: said });
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const usage = { input_tokens: 21, input_tokens_details: { cached_tokens: 0 }, output_tokens: 200, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 221 };
  return [
    say('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } }),
    say('response.in_progress', { response: { ...response, status: 'in_progress', output: [], usage: null } }),
    say('response.output_item.added', { output_index: 0, item: item([], 'in_progress') }),
    say('response.content_part.added', { ...place, part: part('') }),
    ...WORDS.map((delta, at) => say('response.output_text.delta', { ...place, delta, logprobs: [], obfuscation: 'x'.repeat(at % 16) })),
    say('response.output_text.done', { ...place, text, logprobs: [] }),
    say('response.content_part.done', { ...place, part: part(text) }),
    say('response.output_item.done', { output_index: 0, item: item([part(text)], 'completed') }),
    say('response.completed', { response: { ...response, status: 'completed', output: [item([part(text)], 'completed')], usage } }),
  ];
}

const STREAMS: [RegExp, string[]][] = [
  [/\/chat\/completions$/, openai()],
  [/\/messages$/, anthropic()],
  [/:streamGenerateContent/, gemini()],
  [/\/responses$/, responses()],
];

const server = createServer({ keepAliveTimeout: 600_000, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  request.resume().on('end', () => {
    const frames = STREAMS.find(([path]) => path.test(request.url!))?.[1];
    if (frames === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const frame of frames) response.write(frame);
    response.end();
  });
});
server.timeout = 0;
server.listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4096 });
