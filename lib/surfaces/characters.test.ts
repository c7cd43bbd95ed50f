import { describe, expect, test } from 'vitest';
import { chatCompletions } from './chat-completions';
import { completions } from './completions';
import { embeddings } from './embeddings';
import { messages } from './messages';
import { responses } from './responses';
import type { Surface } from './surface';

const LONG = 'y'.repeat(400_000);
const user = { role: 'user', content: 'hi' };
const called = { id: 'call_1', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: LONG }) } };

describe('every text that is sent counts, wherever it stands', () => {
  test.each<[string, Surface, Record<string, unknown>]>([
    ['a message', chatCompletions, { messages: [{ role: 'user', content: LONG }] }],
    ['a tool’s description', chatCompletions, { messages: [user], tools: [{ type: 'function', function: { name: 'f', description: LONG, parameters: { type: 'object' } } }] }],
    ['a tool’s schema', chatCompletions, { messages: [user], tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { a: { description: LONG } } } } }] }],
    ['a name in a tool’s schema', chatCompletions, { messages: [user], tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { [LONG]: {} } } } }] }],
    ['a tool of the older kind', chatCompletions, { messages: [user], functions: [{ name: 'f', parameters: { type: 'object', description: LONG } }] }],
    ['a call’s arguments', chatCompletions, { messages: [user, { role: 'assistant', content: null, tool_calls: [called] }, { role: 'tool', tool_call_id: 'call_1', content: 'r' }] }],
    ['a tool’s result', chatCompletions, { messages: [user, { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: LONG }] }] }],
    ['reasoning', chatCompletions, { messages: [user, { role: 'assistant', content: 'x', reasoning_content: LONG }] }],
    ['a refusal', chatCompletions, { messages: [user, { role: 'assistant', content: [{ type: 'refusal', refusal: LONG }] }] }],
    ['the schema of the answer', chatCompletions, { messages: [user], response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object', description: LONG } } } }],
    ['a predicted answer', chatCompletions, { messages: [user], prediction: { type: 'content', content: LONG } }],
    ['a member that only one provider knows', chatCompletions, { messages: [user], documents: [{ title: 't', snippet: LONG }] }],
    ['a label that is none', chatCompletions, { messages: [user, { role: 'tool', tool_call_id: LONG, content: '' }] }],
    ['the second of two prompts', completions, { prompt: ['a', LONG] }],
    ['what follows the prompt', completions, { prompt: 'a', suffix: LONG }],
    ['a system prompt', messages, { system: [{ type: 'text', text: LONG }], messages: [user] }],
    ['a tool of the Messages API', messages, { messages: [user], tools: [{ name: 'f', description: 'd', input_schema: { type: 'object', description: LONG } }] }],
    ['the input of its call', messages, { messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { data: LONG } }] }] }],
    ['its result', messages, { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: LONG }] }] }],
    ['a document of text', messages, { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: LONG } }] }] }],
    ['the schema of its answer', messages, { messages: [user], output_config: { format: { type: 'json_schema', schema: { description: LONG } } } }],
    ['instructions', responses, { instructions: LONG, input: 'hi' }],
    ['a tool of the Responses API', responses, { input: 'hi', tools: [{ type: 'function', name: 'f', description: LONG, parameters: {} }] }],
    ['the output of a call', responses, { input: [{ type: 'function_call_output', call_id: 'c', output: LONG }] }],
    ['a summary of reasoning', responses, { input: [{ type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: LONG }] }] }],
    ['a schema under text.format', responses, { input: 'hi', text: { format: { type: 'json_schema', name: 's', schema: { description: LONG } } } }],
    ['an input to embed', embeddings, { input: ['a', LONG] }],
    ['tokens to embed', embeddings, { input: [Array.from({ length: 100_000 }, (_, at) => at)] }],
  ])('%s', (_what, surface, body) => {
    const characters = surface.characters({ model: 'm', ...body });
    expect(characters).toBeGreaterThanOrEqual(LONG.length);
    expect(characters).toBeLessThan(LONG.length + 100);
  });
});

test('plain words are counted to the character, and the JSON of tools as JSON', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string', enum: ['a', 'b'] }, n: { minimum: 1.5, nullable: true, default: null } }, required: [] };
  expect(chatCompletions.characters({ model: 'a model', user: 'u', stream: true, stream_options: { include_usage: true }, max_tokens: 5, stop: ['x'], messages: [{ role: 'system', content: '123' }, { role: 'user', content: [{ type: 'text', text: '4567' }] }] })).toBe(7);
  expect(chatCompletions.characters({ messages: [], tools: [{ type: 'function', function: { name: 'f', description: 'de', parameters, strict: true } }] })).toBe(3 + JSON.stringify(parameters).length);
});

describe('the characters of base64 are no text: an attachment counts as 1,000 tokens, whatever its size', () => {
  test.each<[string, Surface, unknown]>([
    ['an image', chatCompletions, { type: 'image_url', image_url: { url: `data:image/png;base64,${LONG}` } }],
    ['a sound', chatCompletions, { type: 'input_audio', input_audio: { data: LONG, format: 'wav' } }],
    ['a file', chatCompletions, { type: 'file', file: { file_data: LONG } }],
    ['an image of the Messages API', messages, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: LONG } }],
    ['one by its address', messages, { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
    ['one in a result', messages, { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: LONG } }] }],
    ['an image of the Responses API', responses, { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${LONG}` }],
    ['a file of its own', responses, { type: 'input_file', file_id: 'file_1' }],
  ])('%s', (_what, surface, part) => {
    const content = [{ type: surface === responses ? 'input_text' : 'text', text: '1234' }, part];
    expect(surface.characters(surface === responses ? { input: [{ role: 'user', content }] } : { messages: [{ role: 'user', content }] })).toBe(4 + 4_000);
  });
});
