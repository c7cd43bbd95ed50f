import { anthropic, type Answer, type Contact, gemini, openai, responses, type Step } from '../harness';

/** What the upstreams of the client matrix say, in each wire, and what of a request can be read in it. */
export interface WireWords {
  /** A whole answer of these words, as the request asks for it: streamed or not. */
  answer(contact: Contact, ...words: string[]): Answer;
  /** The model calls tools, and says nothing else. */
  calls(contact: Contact, calls: readonly ToolCall[]): Answer;
  /** Headers and what comes before any content, then the connection is reset. Not streamed: half a body. */
  deadBeforeContent(contact: Contact): Answer;
  /** One word, then the connection is reset. */
  cutAfter(word: string): Answer;
  /** One word, then silence. */
  silentAfter(word: string): Answer;
  /** A refusal for too many requests. */
  limited(): Answer;
  /** Results of tools in the request's last turn, in order: the call's id and the words. */
  resultsIn(body: Body): { id: string; text: string }[];
  /** Names of the functions that the request offers. */
  toolsIn(body: Body): string[];
  /** The JSON schema that the answer has to follow; undefined where none is asked for. */
  schemaIn(body: Body): unknown;
}

export interface ToolCall {
  id: string;
  name: string;
  input: object;
}

/** A request in one of four dialects, read by path. */
export type Body = Record<string, any>;

export type WireName = 'openai' | 'anthropic' | 'gemini' | 'openai-responses';

/** One wire says in the path that it wants a stream, the others in the body. */
const streamed = ({ path, body }: Contact): boolean => path.includes(':streamGenerateContent') || (JSON.parse(body) as { stream?: boolean }).stream === true;

/** The model that a request asks for: one wire has it in the path. */
export const modelAsked = ({ path, body }: Contact): string => /\/models\/([^/:]+):/.exec(path)?.[1] ?? (JSON.parse(body) as { model: string }).model;

/** A JSON body that ends in its middle: what a provider that dies while it answers leaves. */
const halfBody: Answer = [{ head: 200, headers: { 'content-type': 'application/json', 'content-length': '500' } }, { send: '{"id":"half"' }, 'reset'];
const cut = (contact: Contact, ...steps: Step[]): Answer => (streamed(contact) ? [openai.sseHead(), ...steps, 'reset'] : halfBody);
const RETRY = { 'retry-after': '30' };

const openaiCall = ({ id, name, input }: ToolCall) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } });

const chat: WireWords = {
  answer: (contact, ...words) => (streamed(contact) ? openai.streamOf(...words) : openai.jsonOf(words.join(''))),
  calls(contact, calls) {
    if (!streamed(contact)) return openai.json(200, { ...openai.completion(''), choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: calls.map(openaiCall) }, finish_reason: 'tool_calls' }] });
    const pieces = calls.flatMap((call, index) => {
      const { id, type, function: made } = openaiCall(call);
      const [half, rest] = halves(made.arguments);
      return [{ tool_calls: [{ index, id, type, function: { name: made.name, arguments: half } }] }, { tool_calls: [{ index, function: { arguments: rest } }] }];
    });
    return [openai.sseHead(), openai.role(), ...pieces.map((delta) => openai.frame(openai.chunk(delta))), openai.finish('tool_calls'), openai.usage(), openai.DONE, 'end'];
  },
  deadBeforeContent: (contact) => cut(contact, openai.role()),
  cutAfter: (word) => [openai.sseHead(), openai.role(), openai.text(word), 'reset'],
  silentAfter: (word) => [openai.sseHead(), openai.role(), openai.text(word), 'stall'],
  limited: () => openai.error(429, 'slow down', { type: 'requests', code: 'rate_limit_exceeded', headers: RETRY }),
  resultsIn: (body) => body.messages.filter((message: Body) => message.role === 'tool').map((message: Body) => ({ id: message.tool_call_id, text: textOf(message.content) })),
  toolsIn: (body) => (body.tools ?? []).map((tool: Body) => tool.function.name),
  schemaIn: (body) => body.response_format?.json_schema?.schema,
};

const messages: WireWords = {
  answer: (contact, ...words) => (streamed(contact) ? anthropic.streamOf(...words) : anthropic.jsonOf(words.join(''))),
  calls(contact, calls) {
    if (!streamed(contact)) return anthropic.json(200, { ...anthropic.message(''), content: calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })), stop_reason: 'tool_use' });
    const blocks = calls.flatMap(({ id, name, input }, index) => [
      anthropic.open(index, { type: 'tool_use', id, name, input: {} }),
      ...halves(JSON.stringify(input)).map((json) => anthropic.delta(index, { type: 'input_json_delta', partial_json: json })),
      anthropic.close(index),
    ]);
    return [anthropic.sseHead(), anthropic.start(), ...blocks, anthropic.finish('tool_use'), anthropic.stop, 'end'];
  },
  deadBeforeContent: (contact) => cut(contact, anthropic.start(), anthropic.ping, anthropic.open(0)),
  cutAfter: (word) => [anthropic.sseHead(), anthropic.start(), anthropic.open(0), anthropic.text(word), 'reset'],
  silentAfter: (word) => [anthropic.sseHead(), anthropic.start(), anthropic.open(0), anthropic.text(word), 'stall'],
  limited: () => anthropic.error(429, 'rate_limit_error', 'slow down', RETRY),
  resultsIn: (body) => body.messages.at(-1).content.filter((block: Body) => block.type === 'tool_result').map((block: Body) => ({ id: block.tool_use_id, text: textOf(block.content) })),
  toolsIn: (body) => (body.tools ?? []).map((tool: Body) => tool.name),
  schemaIn: (body) => body.output_config?.format?.schema,
};

const generate: WireWords = {
  answer: (contact, ...words) => (streamed(contact) ? gemini.streamOf(...words) : gemini.jsonOf(words.join(''))),
  calls(contact, calls) {
    const parts = calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
    if (!streamed(contact)) return gemini.json(200, gemini.candidate(parts, { finishReason: 'STOP' }));
    return [gemini.sseHead(), ...parts.map((part) => gemini.frame(gemini.candidate([part]))), gemini.finish(), 'end'];
  },
  deadBeforeContent: (contact) => cut(contact, gemini.preamble()),
  cutAfter: (word) => [gemini.sseHead(), gemini.text(word), 'reset'],
  silentAfter: (word) => [gemini.sseHead(), gemini.text(word), 'stall'],
  limited: () => gemini.json(429, gemini.errorObject(429, 'RESOURCE_EXHAUSTED', 'slow down'), RETRY),
  resultsIn: (body) => body.contents.at(-1).parts.filter((part: Body) => part.functionResponse).map(({ functionResponse: given }: Body) => ({ id: given.id, text: String(given.response.output ?? JSON.stringify(given.response)) })),
  toolsIn: (body) => (body.tools ?? []).flatMap((tool: Body) => tool.functionDeclarations ?? []).map((tool: Body) => tool.name),
  schemaIn: (body) => body.generationConfig?.responseJsonSchema,
};

const items: WireWords = {
  answer: (contact, ...words) => (streamed(contact) ? responses.streamOf(...words) : responses.jsonOf(words.join(''))),
  calls(contact, calls) {
    const made = calls.map(({ id, name, input }, at) => ({ type: 'function_call', id: `fc_${at}`, call_id: id, name, arguments: JSON.stringify(input), status: 'completed' }));
    const whole = { ...responses.IDENTITY, status: 'completed', error: null, incomplete_details: null, output: made, usage: responses.USAGE };
    if (!streamed(contact)) return openai.json(200, whole);
    let sequence = 1;
    const ladder = made.flatMap((item, at) => [
      responses.event('response.output_item.added', sequence++, { output_index: at, item: { ...item, arguments: '', status: 'in_progress' } }),
      ...halves(item.arguments).map((delta) => responses.event('response.function_call_arguments.delta', sequence++, { item_id: item.id, output_index: at, delta })),
      responses.event('response.function_call_arguments.done', sequence++, { item_id: item.id, output_index: at, arguments: item.arguments }),
      responses.event('response.output_item.done', sequence++, { output_index: at, item }),
    ]);
    return [openai.sseHead(), ...responses.preamble().slice(0, 1), ...ladder, responses.event('response.completed', sequence, { response: whole }), 'end'];
  },
  deadBeforeContent: (contact) => cut(contact, ...responses.preamble()),
  cutAfter: (word) => [openai.sseHead(), ...responses.preamble(), responses.text(word), 'reset'],
  silentAfter: (word) => [openai.sseHead(), ...responses.preamble(), responses.text(word), 'stall'],
  limited: () => openai.error(429, 'slow down', { type: 'requests', code: 'rate_limit_exceeded', headers: RETRY }),
  resultsIn: (body) => body.input.filter((item: Body) => item.type === 'function_call_output').map((item: Body) => ({ id: item.call_id, text: textOf(item.output) })),
  toolsIn: (body) => (body.tools ?? []).map((tool: Body) => tool.name),
  schemaIn: (body) => body.text?.format?.schema,
};

export const WIRES: Record<WireName, WireWords> = { openai: chat, anthropic: messages, gemini: generate, 'openai-responses': items };
export const WIRE_NAMES = Object.keys(WIRES) as WireName[];

const halves = (text: string): [string, string] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

/** Words of a content that may be a string or a list of parts. */
const textOf = (content: unknown): string => (typeof content === 'string' ? content : ((content ?? []) as { text?: string }[]).map(({ text }) => text ?? '').join(''));
