import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { HumanMessage, ToolMessage, type AIMessageChunk } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, type LanguageModel, Output, stepCountIs, streamText, tool as aiTool } from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';

/** One library as a program would use it, for every line of the matrix. */
export interface Client {
  /** The package, and which part of it. */
  name: string;
  /** As the ledger calls the API that it speaks. */
  surface: string;
  /** The words as they came. */
  streamed(model: string): Promise<string[]>;
  whole(model: string): Promise<string>;
  /** Streamed; the tools that the model calls are run, their results go back, and the next answer is the last. */
  toolTrip(model: string): Promise<{ calls: WeatherInput[]; text: string }>;
  /** An answer that has to follow a schema, checked by the library. */
  structured(model: string): Promise<unknown>;
  /** Leaves a stream after its first word. */
  leave(model: string): Promise<void>;
  /** Reads a stream to its bitter end. */
  untilError(model: string): Promise<{ text: string; error: unknown }>;
  /** What the library throws when a streamed call is refused: the status as it shows it. */
  refused(model: string): Promise<number | undefined>;
}

export interface WeatherInput {
  city: string;
}

/** What the tool of every client says. */
export const weatherIn = (city: string): string => `${city}: 3 degrees`;

const PROMPT = 'How warm is it?';
const WEATHER = { name: 'weather', description: 'How warm it is in a city' };
const weatherInput = z.object({ city: z.string() });
const Place = z.object({ city: z.string(), degrees: z.number() });
const JSON_SCHEMA = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };

interface Door {
  url: string;
  key: string;
  /** How the library reaches it. */
  fetch: typeof fetch;
}

/** Every client that the matrix has, against this installation. */
export const clientsOf = (door: Door): Client[] => [openaiChat, openaiResponses, anthropicMessages, aiCompatible, aiAnthropic, langchain].map((client) => client(door));

function openaiChat({ url, key, fetch }: Door): Client {
  const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, fetch, maxRetries: 0 }).chat;
  const ask = (model: string) => ({ model, messages: [{ role: 'user' as const, content: PROMPT }] });
  const tools = [{ type: 'function' as const, function: { ...WEATHER, parameters: JSON_SCHEMA } }];
  const words = async (model: string, seen: (word: string) => void, each: () => boolean = () => false) => {
    for await (const chunk of await completions.create({ ...ask(model), stream: true })) {
      const word = chunk.choices[0]?.delta.content;
      if (word) seen(word);
      if (word && each()) break;
    }
  };
  return {
    name: 'openai, chat',
    surface: 'chat.completions',
    ...readers(words),
    whole: async (model) => (await completions.create(ask(model))).choices[0]!.message.content ?? '',
    async toolTrip(model) {
      const first = (await completions.stream({ ...ask(model), tools }).finalChatCompletion()).choices[0]!.message;
      const calls = first.tool_calls!.map((call) => ({ id: call.id, input: JSON.parse((call as { function: { arguments: string } }).function.arguments) as WeatherInput }));
      const results = calls.map(({ id, input }) => ({ role: 'tool' as const, tool_call_id: id, content: weatherIn(input.city) }));
      const text = (await completions.stream({ ...ask(model), tools, messages: [...ask(model).messages, first, ...results] }).finalContent()) ?? '';
      return { calls: calls.map(({ input }) => input), text };
    },
    structured: async (model) => (await completions.parse({ ...ask(model), response_format: zodResponseFormat(Place, 'place') })).choices[0]!.message.parsed,
  };
}

function openaiResponses({ url, key, fetch }: Door): Client {
  const { responses } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, fetch, maxRetries: 0 });
  const tools = [{ type: 'function' as const, ...WEATHER, parameters: { ...JSON_SCHEMA, additionalProperties: false }, strict: true }];
  const words = async (model: string, seen: (word: string) => void, each: () => boolean = () => false) => {
    for await (const event of await responses.create({ model, input: PROMPT, stream: true })) {
      if (event.type !== 'response.output_text.delta') continue;
      seen(event.delta);
      if (each()) break;
    }
  };
  return {
    name: 'openai, responses',
    surface: 'responses',
    ...readers(words),
    whole: async (model) => (await responses.create({ model, input: PROMPT })).output_text,
    async toolTrip(model) {
      const first = await responses.stream({ model, input: PROMPT, tools }).finalResponse();
      const calls = first.output.filter((item) => item.type === 'function_call').map((item) => ({ item, input: JSON.parse(item.arguments) as WeatherInput }));
      const results = calls.map(({ item, input }) => ({ type: 'function_call_output' as const, call_id: item.call_id, output: weatherIn(input.city) }));
      // As its documentation has it: everything that was answered goes back.
      const input = [{ role: 'user' as const, content: PROMPT }, ...(first.output as OpenAI.Responses.ResponseInputItem[]), ...results];
      const last = await responses.stream({ model, input, tools }).finalResponse();
      const text = last.output.flatMap((item) => (item.type === 'message' ? item.content : [])).map((part) => (part.type === 'output_text' ? part.text : '')).join('');
      return { calls: calls.map(({ input: given }) => given), text };
    },
    structured: async (model) => (await responses.parse({ model, input: PROMPT, text: { format: zodTextFormat(Place, 'place') } })).output_parsed,
  };
}

function anthropicMessages({ url, key, fetch }: Door): Client {
  const { messages } = new Anthropic({ baseURL: url, apiKey: key, fetch, maxRetries: 0 });
  const ask = (model: string) => ({ model, max_tokens: 500, messages: [{ role: 'user' as const, content: PROMPT }] });
  const tools = [{ ...WEATHER, input_schema: JSON_SCHEMA }];
  const words = async (model: string, seen: (word: string) => void, each: () => boolean = () => false) => {
    for await (const event of await messages.create({ ...ask(model), stream: true })) {
      if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
      seen(event.delta.text);
      if (each()) break;
    }
  };
  return {
    name: '@anthropic-ai/sdk',
    surface: 'messages',
    ...readers(words),
    whole: async (model) => (await messages.create(ask(model))).content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    async toolTrip(model) {
      const first = await messages.stream({ ...ask(model), tools }).finalMessage();
      const calls = first.content.filter((block) => block.type === 'tool_use');
      const results = calls.map((call) => ({ type: 'tool_result' as const, tool_use_id: call.id, content: weatherIn((call.input as WeatherInput).city) }));
      const text = await messages.stream({ ...ask(model), tools, messages: [...ask(model).messages, { role: 'assistant', content: first.content }, { role: 'user', content: results }] }).finalText();
      return { calls: calls.map(({ input }) => input as WeatherInput), text };
    },
    structured: async (model) => (await messages.parse({ ...ask(model), output_config: { format: zodOutputFormat(Place) } })).parsed_output,
  };
}

function aiCompatible({ url, key, fetch }: Door): Client {
  const provider = createOpenAICompatible({ name: 'ohm', baseURL: `${url}/v1`, apiKey: key, fetch, includeUsage: true, supportsStructuredOutputs: true });
  return aiSdk('@ai-sdk/openai-compatible', 'chat.completions', (model) => provider(model));
}

function aiAnthropic({ url, key, fetch }: Door): Client {
  const provider = createAnthropic({ baseURL: `${url}/v1`, apiKey: key, fetch });
  return aiSdk('@ai-sdk/anthropic', 'messages', (model) => provider(model));
}

/** Vercel's AI SDK, over whichever of its providers. */
function aiSdk(name: string, surface: string, modelOf: (model: string) => LanguageModel): Client {
  const ask = (model: string) => ({ model: modelOf(model), prompt: PROMPT, maxRetries: 0, maxOutputTokens: 500 });
  const words = async (model: string, seen: (word: string) => void, each: () => boolean = () => false) => {
    const leaving = new AbortController();
    const { fullStream } = streamText({ ...ask(model), abortSignal: leaving.signal, onError: () => undefined });
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type !== 'text-delta') continue;
      seen(part.text);
      if (each()) leaving.abort();
    }
  };
  const structuredBy = { anthropic: { structuredOutputMode: 'outputFormat' as const } };
  return {
    name,
    surface,
    ...readers(words),
    whole: async (model) => (await generateText(ask(model))).text,
    async toolTrip(model) {
      const calls: WeatherInput[] = [];
      const weather = aiTool({
        description: WEATHER.description,
        inputSchema: weatherInput,
        execute: (input) => {
          calls.push(input);
          return weatherIn(input.city);
        },
      });
      return { calls, text: await streamText({ ...ask(model), tools: { weather }, stopWhen: stepCountIs(2) }).text };
    },
    structured: async (model) => (await generateText({ ...ask(model), output: Output.object({ schema: Place }), providerOptions: structuredBy })).output,
  };
}

function langchain({ url, key, fetch }: Door): Client {
  const chat = (model: string) => new ChatOpenAI({ model, apiKey: key, configuration: { baseURL: `${url}/v1`, fetch }, maxRetries: 0 });
  const words = async (model: string, seen: (word: string) => void, each: () => boolean = () => false) => {
    for await (const chunk of await chat(model).stream(PROMPT)) {
      if (chunk.text === '') continue;
      seen(chunk.text);
      if (each()) break;
    }
  };
  const weather = langchainTool(({ city }: WeatherInput) => weatherIn(city), { ...WEATHER, schema: weatherInput });
  return {
    name: '@langchain/openai',
    surface: 'chat.completions',
    ...readers(words),
    whole: async (model) => (await chat(model).invoke(PROMPT)).text,
    async toolTrip(model) {
      const agent = chat(model).bindTools([weather]);
      let first: AIMessageChunk | null = null;
      for await (const chunk of await agent.stream(PROMPT)) first = first === null ? chunk : first.concat(chunk);
      const calls = first!.tool_calls ?? [];
      const results = await Promise.all(calls.map(async (call) => (await weather.invoke({ ...call, type: 'tool_call' })) as ToolMessage));
      const last = await agent.invoke([new HumanMessage(PROMPT), first!, ...results]);
      return { calls: calls.map(({ args }) => args as WeatherInput), text: last.text };
    },
    structured: (model) => chat(model).withStructuredOutput(Place, { name: 'place' }).invoke(PROMPT),
  };
}

type Words = (model: string, seen: (word: string) => void, each?: () => boolean) => Promise<void>;

/** What is made of reading words alike in every client. */
function readers(words: Words): Pick<Client, 'streamed' | 'leave' | 'untilError' | 'refused'> {
  const thrownBy = async (model: string, seen: (word: string) => void): Promise<unknown> => {
    try {
      await words(model, seen);
      return null;
    } catch (error) {
      return error;
    }
  };
  return {
    async streamed(model) {
      const seen: string[] = [];
      await words(model, (word) => void seen.push(word));
      return seen;
    },
    leave: (model) => words(model, () => undefined, () => true),
    async untilError(model) {
      let text = '';
      const error = await thrownBy(model, (word) => void (text += word));
      return { text, error };
    },
    async refused(model) {
      const error = (await thrownBy(model, () => undefined)) as { status?: number; statusCode?: number } | null;
      return error?.status ?? error?.statusCode;
    },
  };
}
