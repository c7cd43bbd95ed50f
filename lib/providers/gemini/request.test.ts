import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ChatRequest, Unrepresentable } from '../../wire';
import { isUnrepresentable, type WireRequest } from '../adapter';
import { NO_QUIRKS, type Quirks } from '../quirks';
import { gemini } from '.';
import cases from './__fixtures__/requests.json';

interface Options {
  model?: string;
  stream?: boolean;
  topK?: number | null;
  apiKey?: string | null;
  quirks?: Quirks;
}

function ask(body: Record<string, unknown>, { model = 'gemini-3-flash-preview', stream = false, topK = null, apiKey = 'k', quirks = NO_QUIRKS }: Options = {}): WireRequest | Unrepresentable {
  const chat: ChatRequest = { body, topK };
  return gemini.request({ operation: 'chat', own: null, chat, model, stream, withoutStreamOptions: false, apiKey, headers: {}, quirks, maxOutputTokens: 65_536 });
}

const USER = { role: 'user', content: 'x' };
const sent = (body: Record<string, unknown>, options: Options = {}) => {
  const made = ask({ messages: [USER], ...body }, options);
  if (isUnrepresentable(made)) throw new Error(`refused: ${made.param}`);
  return { body: JSON.parse(made.body) as Record<string, any>, dropped: [...made.dropped], path: made.path, headers: made.headers };
};
const refused = (body: Record<string, unknown>, options: Options = {}) => {
  const made = ask({ messages: [USER], ...body }, options);
  return isUnrepresentable(made) ? made : null;
};
/** What becomes of one user message's parts. */
const parts = (content: unknown, options: Options = {}) => sent({ messages: [{ role: 'user', content }] }, options).body.contents[0].parts;
const config = (body: Record<string, unknown>, options: Options = {}) => sent(body, options).body.generationConfig;

describe('the request pairs', () => {
  const pairs = cases.flatMap((each: any) => [
    ...(each.gemini ? [{ name: each.name, from: each.openai, to: each.gemini, warnings: each.warnings?.gemini ?? [] }] : []),
    ...(each.gemini_level ? [each.gemini_level, each.gemini_budget].map((to) => ({ name: `${each.name} ${to.model}`, from: each.openai, to, warnings: [] })) : []),
  ]);

  it.each(pairs)('$name', ({ from, to, warnings }) => {
    const { model: _model, stream = false, stream_options: _options, ...body } = from;
    const made = sent(body, { stream, model: to.model });
    expect(made.body).toEqual(to.body);
    expect(made.dropped).toEqual(warnings);
    if (to.path) expect(`/v1beta${made.path}`).toBe(to.path);
  });

  it.each(cases.find(({ name }) => name === 'req-unsupported')!.cases!.map((each: any) => [JSON.stringify(each.openai_extra), each.openai_extra, each.gemini]))('%s', (_, extra, wanted: any) => {
    if (wanted.error) {
      const { param, code } = wanted.error.body.error;
      expect(refused(extra)).toMatchObject({ param, code });
    } else {
      const made = sent(extra);
      if (wanted.generationConfig) expect(made.body.generationConfig).toEqual(wanted.generationConfig);
      else if (wanted === 'accepted') expect(made).toMatchObject({ body: { contents: [{}] }, dropped: [] });
      else expect([made.body.generationConfig, made.dropped]).toEqual([{ seed: 7 }, ['prediction', 'prompt_cache_key', 'verbosity', 'store', 'service_tier']]);
    }
  });
});

describe('the address', () => {
  it.each([
    ['gemini-3-flash-preview', '/models/gemini-3-flash-preview'],
    ['models/gemini-2.5-pro', '/models/gemini-2.5-pro'],
    ['tunedModels/mine', '/tunedModels/mine'],
    ['../../v1/secrets', '/models/..%2F..%2Fv1%2Fsecrets'],
    ['tunedModels/../x', '/tunedModels/..%2Fx'],
    ['x?key=1#y', '/models/x%3Fkey%3D1%23y'],
    ['x:generateContent', '/models/x%3AgenerateContent'],
    ['%2e%2e/x', '/models/%252e%252e%2Fx'],
    ['\ud800', '/models/%EF%BF%BD'],
    ['a\r\nb', '/models/a%0D%0Ab'],
  ])('of %j is one segment', (model, path) => {
    expect(sent({}, { model }).path).toBe(`${path}:generateContent`);
    const made = sent({}, { model, stream: true }).path;
    expect(made).toBe(`${path}:streamGenerateContent?alt=sse`);
    expect(new URL(`https://host/v1beta${made}`).pathname).toBe(`/v1beta${path}:streamGenerateContent`);
  });

  it('never holds the key, which goes into its header', () => {
    const made = sent({}, { stream: true, apiKey: 'AIza-secret' });
    expect(made.path).not.toContain('secret');
    expect(made.headers).toMatchObject({ 'x-goog-api-key': 'AIza-secret', accept: 'text/event-stream', 'accept-encoding': 'identity', 'content-type': 'application/json' });
    expect(sent({}, { apiKey: null }).headers).not.toHaveProperty('x-goog-api-key');
    expect(sent({}, { quirks: { keyHeader: 'x-proxy-key', headers: { 'x-team': 'a' } } }).headers).toMatchObject({ 'x-proxy-key': 'k', 'x-team': 'a' });
  });

  it('of the list of models carries the key the same way, and its names lose their prefix', () => {
    expect(gemini.modelList('k', NO_QUIRKS)).toMatchObject({ path: expect.stringMatching(/^\/models(\?|$)/), headers: { 'x-goog-api-key': 'k' } });
    const list = { models: [{ name: 'models/gemini-3-flash', supportedGenerationMethods: ['generateContent'] }, { name: 'models/embedding-1', supportedGenerationMethods: ['embedContent'] }, { name: 'models/plain' }, { name: 7 }, null] };
    expect(gemini.listedModels(list)).toEqual(['gemini-3-flash', 'plain']);
    for (const none of [null, [], {}, { models: {} }, 'x']) expect(gemini.listedModels(none)).toBeNull();
  });
});

describe('instructions', () => {
  it('that lead become the system instruction, in order', () => {
    const made = sent({ messages: [{ role: 'developer', content: 'a' }, { role: 'system', content: [{ type: 'text', text: 'b' }] }, USER] });
    expect(made.body.systemInstruction).toEqual({ parts: [{ text: 'a' }, { text: 'b' }] });
  });

  it('that come later are refused, and so is a conversation of nothing else', () => {
    expect(refused({ messages: [USER, { role: 'system', content: 'late' }] })).toMatchObject({ param: 'messages[1].role' });
    expect(refused({ messages: [{ role: 'system', content: 'alone' }] })).toMatchObject({ param: 'messages' });
  });

  it('are text', () => {
    expect(refused({ messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }, USER] })).toMatchObject({ param: 'messages[0].content[0].type' });
  });
});

describe('what a user sends', () => {
  it('empty texts are left out', () => {
    expect(parts([{ type: 'text', text: '' }, { type: 'text', text: 'x' }])).toEqual([{ text: 'x' }]);
    expect(parts('')).toEqual([{ text: '' }]);
  });

  it.each([
    ['data:image/png;base64,AAAA', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    ['data:IMAGE/JPEG;charset=x;BASE64,AAAA', { inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } }],
    ['https://example.com/a.webp?x=1', { fileData: { mimeType: 'image/webp', fileUri: 'https://example.com/a.webp?x=1' } }],
    ['https://example.com/picture', { fileData: { fileUri: 'https://example.com/picture' } }],
  ])('the image %s', (url, wanted) => {
    expect(parts([{ type: 'image_url', image_url: { url } }])).toEqual([wanted]);
  });

  it.each(['http://example.com/a.jpg', 'gs://bucket/a.jpg', 'data:image/png,AAAA', 'data:;base64,AA', 'data:image/png;base64', 'file:///etc/passwd', '', 7, null])('the image %j is refused', (url) => {
    expect(refused({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] })).toMatchObject({ param: 'messages[0].content[0].image_url.url', code: 'unsupported_value' });
  });

  it('a public address goes only to models that fetch it, an uploaded file to all', () => {
    const image = (url: string) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
    expect(refused(image('https://example.com/a.jpg'), { model: 'gemini-2.0-flash' })).toMatchObject({ param: 'messages[0].content[0].image_url.url' });
    expect(refused(image('https://generativelanguage.googleapis.com/v1beta/files/abc'), { model: 'gemini-2.0-flash' })).toBeNull();
    expect(refused(image('https://example.com/a.jpg'), { model: 'gemini-2.5-flash' })).toBeNull();
  });

  it('the detail of images is a resolution where all ask for the same, else a lost hint', () => {
    const image = (detail?: string) => ({ type: 'image_url', image_url: { url: 'data:image/png;base64,AA', ...(detail ? { detail } : {}) } });
    const ofDetails = (...details: (string | undefined)[]) => {
      const { body, dropped } = sent({ messages: [{ role: 'user', content: details.map(image) }] });
      return [body.generationConfig?.mediaResolution, dropped];
    };
    expect(ofDetails('low', 'low')).toEqual(['MEDIA_RESOLUTION_LOW', []]);
    expect(ofDetails('high')).toEqual(['MEDIA_RESOLUTION_HIGH', []]);
    expect(ofDetails('auto', undefined)).toEqual([undefined, []]);
    expect(ofDetails('low', 'high')).toEqual([undefined, ['image_url.detail']]);
    expect(ofDetails('low', undefined)).toEqual([undefined, ['image_url.detail']]);
  });

  it('audio and PDFs go inline, by data and never by id', () => {
    expect(parts([{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }, { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } }])).toEqual([
      { inlineData: { mimeType: 'audio/wav', data: 'AA' } },
      { inlineData: { mimeType: 'audio/mp3', data: 'BB' } },
    ]);
    const made = sent({ messages: [{ role: 'user', content: [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } }] }] });
    expect(made.body.contents[0].parts).toEqual([{ inlineData: { mimeType: 'application/pdf', data: 'JVBE' } }]);
    expect(made.dropped).toEqual(['file.filename']);
    expect(refused({ messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] })).toMatchObject({ param: 'messages[0].content[0].file.file_id' });
    expect(refused({ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'A', format: 'flac' } }] }] })).toMatchObject({ param: 'messages[0].content[0].input_audio.format' });
  });

  it('names and cache breakpoints are hints', () => {
    const made = sent({ messages: [{ role: 'user', name: 'Ann', content: [{ type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } }] }] });
    expect(made.body.contents[0]).toEqual({ role: 'user', parts: [{ text: 'x' }] });
    expect(made.dropped).toEqual(['name', 'prompt_cache_breakpoint']);
  });
});

describe('an earlier answer', () => {
  const answered = (message: object, options: Options = {}) => sent({ messages: [USER, { role: 'assistant', ...message }, USER] }, options);

  it('is text, also where it was a refusal', () => {
    expect(answered({ content: [{ type: 'text', text: 'a' }, { type: 'refusal', refusal: 'b' }], refusal: 'c' }).body.contents[1]).toEqual({ role: 'model', parts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
    expect(answered({ content: null }).body.contents[1]).toEqual({ role: 'model', parts: [{ text: '' }] });
  });

  it('loses its thoughts, which are no hint to anybody, and gets its signatures back', () => {
    const made = answered({
      content: 'a',
      reasoning_content: 'hm',
      reasoning_details: [
        { type: 'reasoning.encrypted', data: 'S1', format: 'google-gemini-v1' },
        { type: 'reasoning.text', text: 'hm', signature: 'S2', format: 'google-gemini-v1' },
        { type: 'reasoning.text', text: 'hm', signature: 'CLAUDE', format: 'anthropic-claude-v1' },
      ],
    });
    expect(made.body.contents[1].parts).toEqual([{ text: 'a' }, { text: '', thoughtSignature: 'S1' }, { text: '', thoughtSignature: 'S2' }]);
    expect(made.dropped).toEqual(['reasoning_content', 'reasoning_details']);
  });

  const call = (id: string, args: unknown = '{}', extra: object = {}) => ({ id, type: 'function', function: { name: `f_${id}`, arguments: args }, ...extra });
  const result = (id: string, content: unknown = 'ok') => ({ role: 'tool', tool_call_id: id, content });
  const called = (calls: object[], results: object[] = [], rest: object = {}, options: Options = {}) => sent({ messages: [USER, { role: 'assistant', content: 'a', tool_calls: calls, ...rest }, ...results, USER] }, options).body.contents;

  it('has its calls with their signatures, from the call or from the details', () => {
    const signed = { extra_content: { google: { thought_signature: 'SIG' } } };
    expect(called([call('1', '{"a":1}', signed), call('2', '')])[1].parts).toEqual([
      { text: 'a' },
      { functionCall: { id: '1', name: 'f_1', args: { a: 1 } }, thoughtSignature: 'SIG' },
      { functionCall: { id: '2', name: 'f_2', args: {} } },
    ]);
    const details = { reasoning_details: [{ type: 'reasoning.encrypted', data: 'SIG', id: '1', format: 'google-gemini-v1' }] };
    expect(called([call('1')], [], details)[1].parts[1]).toEqual({ functionCall: { id: '1', name: 'f_1', args: {} }, thoughtSignature: 'SIG' });
  });

  it('gets the documented stand-in where a model wants a signature and none came, on the first call only', () => {
    const stand = (model: string) => called([call('1'), call('2')], [], {}, { model })[1].parts.map((part: any) => part.thoughtSignature);
    expect(stand('gemini-3-pro-preview')).toEqual([undefined, 'skip_thought_signature_validator', undefined]);
    expect(stand('gemini-flash-latest')).toEqual([undefined, 'skip_thought_signature_validator', undefined]);
    expect(stand('gemini-2.5-flash')).toEqual([undefined, undefined, undefined]);
  });

  it('has results as one content in the order of the calls, with the names that belong to their ids', () => {
    const contents = called([call('1'), call('2')], [result('2', '{"t":18}'), result('1', [{ type: 'text', text: '3 ' }, { type: 'text', text: 'degrees' }])]);
    expect(contents[2]).toEqual({
      role: 'user',
      parts: [
        { functionResponse: { id: '1', name: 'f_1', response: { output: '3 degrees' } } },
        { functionResponse: { id: '2', name: 'f_2', response: { t: 18 } } },
      ],
    });
    expect(contents[3]).toEqual({ role: 'user', parts: [{ text: 'x' }] });
  });

  it('images in a result stand beside what it says, where the model sees them there', () => {
    const image = (mime: string) => [{ type: 'text', text: '{"width":1}' }, { type: 'image_url', image_url: { url: `data:${mime};base64,AA==` } }];
    const messages = (content: unknown) => [USER, { role: 'assistant', tool_calls: [call('1')] }, result('1', content), USER];
    expect(called([call('1')], [result('1', image('image/png'))])[2].parts).toEqual([{ functionResponse: { id: '1', name: 'f_1', response: { width: 1 }, parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } }]);
    expect(refused({ messages: messages(image('image/gif')) })).toMatchObject({ param: 'messages[2].content' });
    expect(refused({ messages: messages([{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }]) })).toMatchObject({ param: 'messages[2].content' });
    expect(refused({ messages: messages(image('image/png')) }, { model: 'gemini-2.5-flash' })).toMatchObject({ param: 'messages[2].content[1].type' });
  });

  it.each([
    ['[1,2]', { output: '[1,2]' }],
    ['{broken', { output: '{broken' }],
    ['', { output: '' }],
    ['[tool error] no such file', { error: 'no such file' }],
    [`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, { output: `${'{"a":'.repeat(100)}1${'}'.repeat(100)}` }],
  ])('a result of %j', (content, response) => {
    expect(called([call('1')], [result('1', content)])[2].parts[0].functionResponse.response).toEqual(response);
  });

  it.each([['{"a":'], ['[1]'], ['7'], ['null'], [7], [`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`]])('arguments %.20j are refused, never repaired', (args) => {
    expect(refused({ messages: [USER, { role: 'assistant', tool_calls: [call('1', args)] }, USER] })).toMatchObject({ param: 'messages[1].tool_calls[0].function.arguments' });
  });

  it('a result that no call asked for is refused', () => {
    expect(refused({ messages: [USER, result('9'), USER] })).toMatchObject({ param: 'messages[1].tool_call_id' });
    expect(refused({ messages: [USER, result('__proto__'), USER] })).toMatchObject({ param: 'messages[1].tool_call_id' });
  });

  it('a call that is no function’s, and audio, are refused', () => {
    expect(refused({ messages: [USER, { role: 'assistant', tool_calls: [{ id: '1', type: 'custom', custom: { name: 'c', input: 'x' } }] }, USER] })).toMatchObject({ param: 'messages[1].tool_calls[0]' });
    expect(refused({ messages: [USER, { role: 'assistant', content: null, audio: { id: 'a' } }, USER] })).toMatchObject({ param: 'messages[1].audio' });
  });

  it('that was only begun is refused: it would start a new one', () => {
    expect(refused({ messages: [USER, { role: 'assistant', content: 'Once' }] })).toMatchObject({ param: 'messages[1].role' });
  });

  it('of the old kind has a function_call and its result', () => {
    const made = sent({ messages: [USER, { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } }, { role: 'function', name: 'f', content: 'ok' }] }, { model: 'gemini-2.5-flash' });
    expect(made.body.contents.slice(1)).toEqual([
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'ok' } } }] },
    ]);
    expect(made.dropped).toEqual([]);
  });
});

describe('tools', () => {
  const tool = (name: string, rest: object = {}) => ({ type: 'function', function: { name, ...rest } });
  const tools = [tool('a'), tool('b')];
  const choice = (wish: unknown) => {
    const { body } = sent({ tools, tool_choice: wish });
    return [body.toolConfig?.functionCallingConfig, body.tools[0].functionDeclarations.map(({ name }: any) => name)];
  };

  it('are function declarations, their schema as it was written', () => {
    const parameters = { type: 'object', properties: { x: { $ref: '#/$defs/y' } }, $defs: { y: { type: ['string', 'null'] } }, additionalProperties: false };
    expect(sent({ tools: [tool('a', { description: 'd', parameters, strict: true })] }).body.tools).toEqual([{ functionDeclarations: [{ name: 'a', description: 'd', parametersJsonSchema: parameters }] }]);
  });

  it('of another kind are refused', () => {
    expect(refused({ tools: [tool('a'), { type: 'custom', custom: { name: 'c' } }] })).toMatchObject({ param: 'tools[1].type' });
    expect(refused({ tools: 'x' })).toMatchObject({ param: 'tools' });
  });

  it('are chosen among', () => {
    const allowed = (mode: string) => ({ type: 'allowed_tools', allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'b' } }] } });
    expect(choice(undefined)).toEqual([undefined, ['a', 'b']]);
    expect(choice('auto')).toEqual([{ mode: 'AUTO' }, ['a', 'b']]);
    expect(choice('none')).toEqual([{ mode: 'NONE' }, ['a', 'b']]);
    expect(choice('required')).toEqual([{ mode: 'ANY' }, ['a', 'b']]);
    expect(choice({ type: 'function', function: { name: 'b' } })).toEqual([{ mode: 'ANY', allowedFunctionNames: ['b'] }, ['a', 'b']]);
    expect(choice(allowed('auto'))).toEqual([{ mode: 'AUTO' }, ['b']]);
    expect(choice(allowed('required'))).toEqual([{ mode: 'ANY', allowedFunctionNames: ['b'] }, ['a', 'b']]);
    for (const odd of [{ type: 'custom', custom: { name: 'c' } }, 'some', 7, {}]) expect(refused({ tools, tool_choice: odd })).toMatchObject({ param: 'tool_choice' });
  });

  it('that must not be called at once are a lost hint, where there are any', () => {
    expect(sent({ tools, parallel_tool_calls: false }).dropped).toEqual(['parallel_tool_calls']);
    expect(sent({ parallel_tool_calls: false }).dropped).toEqual([]);
    expect(sent({ tools, parallel_tool_calls: true }).dropped).toEqual([]);
  });

  it('have old names', () => {
    const made = sent({ functions: [{ name: 'a', parameters: {} }], function_call: { name: 'a' } });
    expect(made.body.tools).toEqual([{ functionDeclarations: [{ name: 'a', parametersJsonSchema: {} }] }]);
    expect(made.body.toolConfig).toEqual({ functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } });
    expect(made.dropped).toEqual([]);
  });
});

describe('settings', () => {
  it.each([
    [{ max_tokens: 5 }, { maxOutputTokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: 6 }, { maxOutputTokens: 6 }],
    [{ temperature: 2, top_p: 0.5 }, { temperature: 2, topP: 0.5 }],
    [{ seed: 0 }, { seed: 0 }],
    [{ frequency_penalty: -1 }, { frequencyPenalty: -1 }],
    [{ stop: 'a' }, { stopSequences: ['a'] }],
    [{ n: 3 }, { candidateCount: 3 }],
    [{ logprobs: true }, { responseLogprobs: true }],
    [{ logprobs: true, top_logprobs: 3 }, { responseLogprobs: true, logprobs: 3 }],
    [{ response_format: { type: 'json_object' } }, { responseMimeType: 'application/json' }],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { a: 1 } } } }, { responseMimeType: 'application/json', responseJsonSchema: { a: 1 } }],
  ])('%j', (body, wanted) => {
    expect(config(body)).toEqual(wanted);
    expect(sent(body).dropped).toEqual([]);
  });

  it('top_k comes from surfaces that have it', () => {
    expect(config({}, { topK: 40 })).toEqual({ topK: 40 });
  });

  it('that say what happens anyway vanish, and so does null', () => {
    const neutral = {
      ...{ temperature: 1, top_p: 1, n: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: {}, logprobs: false, top_logprobs: 0, response_format: { type: 'text' }, modalities: ['text'] },
      ...{ store: false, metadata: {}, service_tier: 'auto', stop: null, tools: null, tool_choice: null, user: null, reasoning_effort: null, audio: null, web_search_options: null, parallel_tool_calls: null, unknown: null },
    };
    const made = sent(neutral);
    expect([made.body, made.dropped]).toEqual([{ contents: [{ role: 'user', parts: [{ text: 'x' }] }] }, []]);
  });

  it.each([
    ['verbosity', 'low'], ['prediction', { type: 'content', content: 'x' }], ['prompt_cache_key', 'k'], ['prompt_cache_options', { ttl: '30m' }], ['prompt_cache_retention', '24h'], ['store', true],
    ['metadata', { a: 'b' }], ['service_tier', 'flex'], ['user', 'u'], ['safety_identifier', 's'], ['moderation', { policy: { input: { mode: 'score' } } }], ['top_logprobs', 2], ['what_is_this', 1],
  ])('the hint %s is named as lost', (name, value) => {
    expect(sent({ [name]: value }).dropped).toEqual([name]);
  });

  it.each([
    [{ logit_bias: { 1: 2 } }, 'logit_bias', 'unsupported_parameter'],
    [{ modalities: ['audio'] }, 'modalities', 'unsupported_value'],
    [{ audio: { voice: 'ash' } }, 'audio', 'unsupported_parameter'],
    [{ web_search_options: {} }, 'web_search_options', 'unsupported_parameter'],
    [{ moderation: { policy: { output: { mode: 'block' } } } }, 'moderation', 'unsupported_parameter'],
    [{ stop: ['1', '2', '3', '4', '5', '6'] }, 'stop', 'unsupported_value'],
    [{ stop: [7] }, 'stop', 'unsupported_value'],
    [{ response_format: { type: 'grammar' } }, 'response_format.type', 'unsupported_value'],
    [{ reasoning_effort: 'ultra' }, 'reasoning_effort', 'unsupported_value'],
    [{ reasoning_effort: 'toString' }, 'reasoning_effort', 'unsupported_value'],
  ])('%j is refused', (body, param, code) => {
    expect(refused(body)).toMatchObject({ param, code });
  });

  it('more than one choice cannot be streamed', () => {
    expect(refused({ n: 2 }, { stream: true })).toMatchObject({ param: 'n', code: 'unsupported_value' });
    expect(refused({ n: 1 }, { stream: true })).toBeNull();
  });
});

describe('effort', () => {
  const effort = (model: string, word: string, rest: object = {}) => {
    const { body, dropped } = sent({ reasoning_effort: word, ...rest }, { model });
    return [body.generationConfig?.thinkingConfig, dropped];
  };
  const level = (thinkingLevel: string) => ({ thinkingLevel, includeThoughts: true });
  const budget = (thinkingBudget: number) => ({ thinkingBudget, includeThoughts: true });
  const LOST = ['reasoning_effort'];

  it.each([
    ['gemini-3-flash-preview', 'none', { thinkingLevel: 'MINIMAL' }, LOST],
    ['gemini-3-flash-preview', 'minimal', level('MINIMAL'), []],
    ['gemini-3-flash-preview', 'low', level('LOW'), []],
    ['gemini-3-flash-preview', 'medium', level('MEDIUM'), []],
    ['gemini-3-flash-preview', 'high', level('HIGH'), []],
    ['gemini-3-flash-preview', 'xhigh', level('HIGH'), LOST],
    ['gemini-3-flash-preview', 'max', level('HIGH'), LOST],
    ['models/gemini-3.1-pro-preview', 'none', { thinkingLevel: 'LOW' }, LOST],
    ['gemini-3.1-pro-preview', 'minimal', level('LOW'), []],
    ['gemini-pro-latest', 'high', level('HIGH'), []],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }, []],
    ['gemini-2.5-flash', 'minimal', budget(512), []],
    ['gemini-2.5-flash', 'low', budget(1_024), []],
    ['gemini-2.5-flash', 'medium', budget(8_192), []],
    ['gemini-2.5-flash', 'high', budget(24_576), []],
    ['gemini-2.5-flash', 'max', budget(24_576), []],
    ['gemini-2.5-pro', 'xhigh', budget(32_768), []],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }, LOST],
    ['gemini-2.0-flash', 'high', undefined, LOST],
    ['gemini-2.0-flash', 'none', undefined, []],
    ['gemma-3-27b-it', 'high', undefined, LOST],
  ] as const)('%s, %s', (model, word, wanted, lost) => {
    expect(effort(model, word)).toEqual([wanted, lost]);
  });

  it('a budget stays below the limit that the client set', () => {
    expect(effort('gemini-2.5-flash', 'high', { max_tokens: 4_000 })).toEqual([budget(3_999), []]);
    expect(effort('gemini-2.5-flash-lite', 'low', { max_tokens: 300 })).toEqual([{ thinkingBudget: 0 }, LOST]);
    expect(effort('gemini-2.5-pro', 'low', { max_tokens: 100 })).toEqual([{ thinkingBudget: 128 }, LOST]);
  });

  it('absent says nothing', () => {
    expect(sent({ max_tokens: 5 }).body.generationConfig).toEqual({ maxOutputTokens: 5 });
  });
});

test('names the first thing that cannot be said, and never throws for what is no message at all', () => {
  for (const messages of [[null], [7], [[]], [{ role: 'user', content: 7 }], [{ role: 'user', content: [null] }], [{ role: 'user', content: [{ type: 'video' }] }], [{ role: 'user', content: [{ type: 'text', text: {} }] }], [{ role: 'wizard' }], [{ role: 'assistant', tool_calls: 'x' }, USER], [{ role: 'assistant', tool_calls: [null] }, USER], {}, 'x', null]) {
    expect(refused({ messages })?.param, JSON.stringify(messages)).toMatch(/^messages/);
  }
});

test('whatever a client writes into any member, the request is made or refused by the name of that member', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<any>({ toString: 1 }, { type: { toString: 1 } }, [{ type: 'function', function: { name: { toString: 1 } } }], '__proto__'));
  const message = fc.record({ role: fc.oneof(fc.constantFrom('system', 'user', 'assistant', 'tool', 'function'), odd), content: fc.oneof(fc.array(fc.record({ type: fc.oneof(fc.constantFrom('text', 'image_url', 'file', 'input_audio', 'refusal'), odd), text: odd, image_url: odd, file: odd, input_audio: odd }, { requiredKeys: [] })), odd), tool_calls: odd, function_call: odd, reasoning_details: odd, tool_call_id: odd, name: odd }, { requiredKeys: ['role'] });
  const names = ['tools', 'tool_choice', 'functions', 'function_call', 'stop', 'n', 'response_format', 'reasoning_effort', 'modalities', 'moderation', 'temperature', 'max_tokens', 'logprobs', 'top_logprobs', 'logit_bias', 'metadata'];
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), odd), fc.boolean(), fc.string(), (messages, rest, stream, model) => {
      const made = ask({ ...rest, messages }, { stream, model });
      if (isUnrepresentable(made)) expect(made.param).not.toBe('');
      else expect(JSON.parse(made.body).contents.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});
