import type { SurfaceName } from './test-requests';

/** What a client makes of an answer, the same for every API, so that they can be compared. */
export interface Reading {
  text: string;
  reasoning: string;
  refusal: string;
  calls: { id: string; name: string; arguments: string }[];
  customCalls: { id: string; name: string; input: string }[];
  /** In the words of chat completions. */
  finish: string;
  stopSequence: string | null;
  /** Something came that has to go back with the next turn. */
  signed: boolean;
  citations: { url: string; title: string }[];
  logprobs: { token: string; logprob: number }[];
  usage: { prompt: number; completion: number; cached: number; reasoning: number };
  /** The answer as the client puts it into its next request. */
  turn: object[];
}

type Members = Record<string, any>;

/** Reads an answer as a program would: a stream is put together first. */
export function readAnswer(surface: SurfaceName, text: string, stream: boolean): Reading {
  switch (surface) {
    case 'chat.completions':
      return readCompletion(stream ? joinChunks(dataOf(text)) : JSON.parse(text));
    case 'messages':
      return readMessage(stream ? joinMessage(dataOf(text)) : JSON.parse(text));
    case 'responses':
      return readResponse(stream ? dataOf(text).at(-1)!.response : JSON.parse(text));
  }
}

const dataOf = (stream: string): Members[] => [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as Members);

function joinChunks(chunks: Members[]): Members {
  const message: Members = { role: 'assistant', content: null, refusal: null };
  let [finish, usage, logprobs]: [string | null, Members | null, object[]] = [null, null, []];
  for (const { choices, usage: told } of chunks) {
    usage = told ?? usage;
    const [choice] = choices as Members[];
    if (choice === undefined) continue;
    finish = choice.finish_reason ?? finish;
    logprobs.push(...((choice.logprobs?.content as object[] | undefined) ?? []));
    for (const name of ['content', 'refusal', 'reasoning_content']) if (choice.delta[name]) message[name] = (message[name] ?? '') + choice.delta[name];
    for (const name of ['annotations', 'reasoning_details']) if (choice.delta[name]) (message[name] ??= []).push(...choice.delta[name]);
    for (const piece of choice.delta.tool_calls ?? []) {
      const call = ((message.tool_calls ??= [])[piece.index] ??= {});
      for (const name of ['id', 'type', 'extra_content']) if (piece[name]) call[name] = piece[name];
      for (const [kind, said] of [['function', 'arguments'], ['custom', 'input']] as const) {
        if (!piece[kind]) continue;
        const made = (call[kind] ??= { name: '', [said]: '' });
        made.name += piece[kind].name ?? '';
        made[said] += piece[kind][said] ?? '';
      }
    }
  }
  return { choices: [{ message, finish_reason: finish, logprobs: logprobs.length > 0 ? { content: logprobs } : null }], usage };
}

function readCompletion({ choices, usage }: Members): Reading {
  const { message, finish_reason: finish, logprobs } = choices[0] as Members;
  const calls: Members[] = message.tool_calls ?? [];
  return {
    text: message.content ?? '',
    reasoning: message.reasoning_content ?? '',
    refusal: message.refusal ?? '',
    calls: calls.filter((call) => call.type === 'function').map(({ id, function: made }) => ({ id, name: made.name, arguments: made.arguments })),
    customCalls: calls.filter((call) => call.type === 'custom').map(({ id, custom }) => ({ id, name: custom.name, input: custom.input })),
    finish,
    stopSequence: null,
    signed: (message.reasoning_details ?? []).length > 0 || calls.some((call) => call.extra_content),
    citations: (message.annotations ?? []).map(({ url_citation: { url, title } }: Members) => ({ url, title })),
    logprobs: (logprobs?.content ?? []).map(({ token, logprob }: Members) => ({ token, logprob })),
    usage: { prompt: usage.prompt_tokens, completion: usage.completion_tokens, cached: usage.prompt_tokens_details?.cached_tokens ?? 0, reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0 },
    turn: [message],
  };
}

function joinMessage(events: Members[]): Members {
  const message: Members = { content: [], usage: {} };
  for (const event of events) {
    if (event.type === 'message_start') Object.assign(message, event.message, { content: [] });
    if (event.type === 'content_block_start') message.content[event.index] = { ...event.content_block };
    if (event.type === 'message_delta') Object.assign(message, event.delta, { usage: { ...message.usage, ...event.usage } });
    if (event.type !== 'content_block_delta') continue;
    const block = message.content[event.index] as Members;
    const { delta } = event;
    if (delta.type === 'text_delta') block.text += delta.text;
    if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
    if (delta.type === 'signature_delta') block.signature = delta.signature;
    if (delta.type === 'input_json_delta') block.json = (block.json ?? '') + delta.partial_json;
    if (delta.type === 'citations_delta') (block.citations ??= []).push(delta.citation);
  }
  for (const block of message.content as Members[]) {
    if (block.type === 'tool_use') block.input = JSON.parse(block.json || '{}');
    delete block.json;
  }
  return message;
}

function readMessage({ content, stop_reason: stop, stop_sequence: sequence, usage }: Members): Reading {
  const of = (type: string) => (content as Members[]).filter((block) => block.type === type);
  return {
    text: of('text').map(({ text }) => text).join(''),
    reasoning: of('thinking').map(({ thinking }) => thinking).join(''),
    refusal: '',
    calls: of('tool_use').map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) })),
    customCalls: [],
    finish: STOPS[stop]!,
    stopSequence: sequence,
    signed: of('thinking').some(({ signature }) => signature) || of('redacted_thinking').length > 0,
    citations: of('text').flatMap(({ citations }) => citations ?? []).map(({ url, title }: Members) => ({ url, title })),
    logprobs: [],
    usage: {
      prompt: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      completion: usage.output_tokens,
      cached: usage.cache_read_input_tokens ?? 0,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
    turn: [{ role: 'assistant', content }],
  };
}

const STOPS: Record<string, string> = { end_turn: 'stop', stop_sequence: 'stop', max_tokens: 'length', tool_use: 'tool_calls', refusal: 'content_filter' };

function readResponse({ output, status, incomplete_details: incomplete, usage }: Members): Reading {
  const of = (type: string) => (output as Members[]).filter((item) => item.type === type);
  const parts = of('message').flatMap(({ content }) => content as Members[]);
  const texts = parts.filter(({ type }) => type === 'output_text');
  const called = of('function_call').length + of('custom_tool_call').length > 0;
  return {
    text: texts.map(({ text }) => text).join(''),
    reasoning: of('reasoning').flatMap(({ summary }) => summary).map(({ text }: Members) => text).join(''),
    refusal: parts.filter(({ type }) => type === 'refusal').map(({ refusal }) => refusal).join(''),
    calls: of('function_call').map((item) => ({ id: item.call_id, name: item.name, arguments: item.arguments })),
    customCalls: of('custom_tool_call').map((item) => ({ id: item.call_id, name: item.name, input: item.input })),
    finish: status === 'incomplete' ? (incomplete.reason === 'max_output_tokens' ? 'length' : incomplete.reason) : called ? 'tool_calls' : 'stop',
    stopSequence: null,
    signed: of('reasoning').some(({ encrypted_content: content }) => content) || of('function_call').some(({ extra_content: extra }) => extra),
    citations: texts.flatMap(({ annotations }) => annotations ?? []).map(({ url, title }: Members) => ({ url, title })),
    logprobs: texts.flatMap(({ logprobs }) => logprobs ?? []).map(({ token, logprob }: Members) => ({ token, logprob })),
    usage: { prompt: usage.input_tokens, completion: usage.output_tokens, cached: usage.input_tokens_details?.cached_tokens ?? 0, reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0 },
    turn: output as object[],
  };
}
