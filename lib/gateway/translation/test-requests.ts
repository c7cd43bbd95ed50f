import type { Wire } from '../../providers';

export const SURFACES = { 'chat.completions': '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' } as const;
export type SurfaceName = keyof typeof SURFACES;

/** What a tier of some wire makes of a translated request: which names the client is told depends on its API. */
export type Outcome =
  /** Members of the body that it gets, and the hints that the client is told were lost. */
  | { body: object; dropped?: string | Partial<Record<SurfaceName, string>> }
  /** No tier of it can be asked: 400 with this param. Where an API is not listed, it is sent this body. */
  | { refused: string | Partial<Record<SurfaceName, string>>; body?: object };

/** One thing that a client can ask for. */
export interface Asked {
  name: string;
  /** In the words of each API; left out where it has none. */
  ask: Partial<Record<SurfaceName, object>>;
  /** What each wire is sent, or what the client is told. A wire of the client's own API gets what the client wrote. */
  sent: Record<Wire, Outcome>;
  /** Where a streamed request fares otherwise. */
  streamed?: Partial<Record<Wire, Outcome>>;
}

/** Models of which it is known what they can. */
export const MODELS: Record<Wire, string> = { openai: 'gpt-5.6-sol', anthropic: 'claude-sonnet-4-6', gemini: 'gemini-3.5-flash', 'openai-responses': 'gpt-5.6-sol' };

export const WIRE_OF: Record<SurfaceName, Wire> = { 'chat.completions': 'openai', messages: 'anthropic', responses: 'openai-responses' };

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const chatTool = { type: 'function', function: { name: 'weather', description: 'Warmth', parameters: SCHEMA } };
const messagesTool = { name: 'weather', description: 'Warmth', input_schema: SCHEMA };
const flatTool = { type: 'function', name: 'weather', description: 'Warmth', parameters: SCHEMA, strict: false };
const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0xLjQK';
const WAV = 'UklGRg==';
const INHERITED = { constructor: 1, toString: 'x', valueOf: {}, hasOwnProperty: true };
const hello = [{ role: 'user', content: 'hello' }];

/** The same question with a part beside its text, in each API. */
const parts = (chat: object | null, messages: object | null, responses: object | null): Asked['ask'] => ({
  ...(chat === null ? {} : { 'chat.completions': { messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, chat] }] } }),
  ...(messages === null ? {} : { messages: { messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, messages] }] } }),
  ...(responses === null ? {} : { responses: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'look' }, responses] }] } }),
});

const tools = (choice: { chat?: object; messages?: object; responses?: object }, tool = { chat: chatTool as object, messages: messagesTool as object, responses: flatTool as object }): Asked['ask'] => ({
  'chat.completions': { tools: [tool.chat], ...choice.chat },
  messages: { tools: [tool.messages], ...choice.messages },
  responses: { tools: [tool.responses], ...choice.responses },
});

export const ASKED: readonly Asked[] = [
  {
    name: 'parallel tool calls and their results',
    ask: {
      'chat.completions': {
        tools: [chatTool],
        messages: [...hello, { role: 'assistant', content: null, tool_calls: [call('A', 'Oslo'), call('B', 'Rome')] }, { role: 'tool', tool_call_id: 'call_A', content: '3' }, { role: 'tool', tool_call_id: 'call_B', content: '18' }],
      },
      messages: {
        tools: [messagesTool],
        messages: [...hello, { role: 'assistant', content: [use('A', 'Oslo'), use('B', 'Rome')] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_A', content: '3' }, { type: 'tool_result', tool_use_id: 'call_B', content: [{ type: 'text', text: '18' }] }] }],
      },
      responses: {
        tools: [flatTool],
        input: [...hello, item('A', 'Oslo'), item('B', 'Rome'), { type: 'function_call_output', call_id: 'call_A', output: '3' }, { type: 'function_call_output', call_id: 'call_B', output: '18' }],
      },
    },
    sent: {
      openai: { body: { messages: [{}, { role: 'assistant', content: null, tool_calls: [call('A', 'Oslo'), call('B', 'Rome')] }, { role: 'tool', tool_call_id: 'call_A', content: '3' }, { role: 'tool', tool_call_id: 'call_B', content: '18' }], tools: [chatTool] } },
      anthropic: { body: { messages: [{}, { role: 'assistant', content: [use('A', 'Oslo'), use('B', 'Rome')] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_A', content: '3' }, { type: 'tool_result', tool_use_id: 'call_B', content: '18' }] }], tools: [messagesTool] } },
      gemini: {
        body: {
          contents: [{}, { role: 'model', parts: [functionCall('A', 'Oslo'), functionCall('B', 'Rome')] }, { role: 'user', parts: [functionResponse('A', '3'), functionResponse('B', '18')] }],
          tools: [{ functionDeclarations: [{ name: 'weather', description: 'Warmth', parametersJsonSchema: SCHEMA }] }],
        },
      },
      'openai-responses': { body: { input: [{}, item('A', 'Oslo'), item('B', 'Rome'), { type: 'function_call_output', call_id: 'call_A', output: '3' }, { type: 'function_call_output', call_id: 'call_B', output: '18' }], tools: [flatTool] } },
    },
  },
  { name: 'tool choice: auto', ask: tools({ chat: { tool_choice: 'auto' }, messages: { tool_choice: { type: 'auto' } }, responses: { tool_choice: 'auto' } }), sent: chosen('auto', { type: 'auto' }, { mode: 'AUTO' }, 'auto') },
  { name: 'tool choice: none', ask: tools({ chat: { tool_choice: 'none' }, messages: { tool_choice: { type: 'none' } }, responses: { tool_choice: 'none' } }), sent: chosen('none', { type: 'none' }, { mode: 'NONE' }, 'none') },
  { name: 'tool choice: any', ask: tools({ chat: { tool_choice: 'required' }, messages: { tool_choice: { type: 'any' } }, responses: { tool_choice: 'required' } }), sent: chosen('required', { type: 'any' }, { mode: 'ANY' }, 'required') },
  { name: 'tool choice: one', ask: tools({ chat: { tool_choice: { type: 'function', function: { name: 'weather' } } }, messages: { tool_choice: { type: 'tool', name: 'weather' } }, responses: { tool_choice: { type: 'function', name: 'weather' } } }), sent: chosen({ type: 'function', function: { name: 'weather' } }, { type: 'tool', name: 'weather' }, { mode: 'ANY', allowedFunctionNames: ['weather'] }, { type: 'function', name: 'weather' }) },
  { name: 'one call at a time', ask: tools({ chat: { parallel_tool_calls: false }, messages: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, responses: { parallel_tool_calls: false } }), sent: {
      openai: { body: { parallel_tool_calls: false } },
      anthropic: { body: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } } },
      gemini: { body: {}, dropped: { 'chat.completions': 'parallel_tool_calls', messages: 'tool_choice.disable_parallel_tool_use', responses: 'parallel_tool_calls' } },
      'openai-responses': { body: { parallel_tool_calls: false } },
    } },
  { name: 'a custom tool', ask: { 'chat.completions': { tools: [{ type: 'custom', custom: { name: 'shell', description: 'Run' } }] }, responses: { tools: [{ type: 'custom', name: 'shell', description: 'Run' }] } }, sent: {
      openai: { body: { tools: [{ type: 'custom', custom: { name: 'shell', description: 'Run' } }] } },
      anthropic: { refused: 'tools[0]' },
      gemini: { refused: 'tools[0].type' },
      'openai-responses': { body: { tools: [{ type: 'custom', name: 'shell', description: 'Run' }] } },
    } },
  {
    name: 'an answer by a JSON schema',
    ask: {
      'chat.completions': { response_format: { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA, strict: true } } },
      messages: { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
      responses: { text: { format: { type: 'json_schema', name: 'place', schema: SCHEMA, strict: true } } },
    },
    sent: {
      openai: { body: { response_format: { type: 'json_schema', json_schema: { schema: SCHEMA, strict: true } } } },
      anthropic: { body: { output_config: { format: { type: 'json_schema', schema: SCHEMA } } } },
      gemini: { body: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: SCHEMA } } },
      'openai-responses': { body: { text: { format: { type: 'json_schema', schema: SCHEMA, strict: true } } } },
    },
  },
  { name: 'any JSON object', ask: { 'chat.completions': { response_format: { type: 'json_object' } }, responses: { text: { format: { type: 'json_object' } } } }, sent: {
      openai: { body: { response_format: { type: 'json_object' } } },
      anthropic: { refused: { 'chat.completions': 'response_format', responses: 'text.format' } },
      gemini: { body: { generationConfig: { responseMimeType: 'application/json' } } },
      'openai-responses': { body: { text: { format: { type: 'json_object' } } } },
    } },
  { name: 'an image as data', ask: parts({ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }, { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }), sent: seen({ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }, { inlineData: { mimeType: 'image/png', data: PNG } }, { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }) },
  { name: 'an image by address', ask: parts({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }, { type: 'input_image', image_url: 'https://example.com/a.png' }), sent: seen({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }, { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } }, { type: 'input_image', image_url: 'https://example.com/a.png' }) },
  { name: 'a PDF', ask: parts({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } }, { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }, { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` }), sent: {
      ...seen({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } }, { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }, {}, { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` }),
      gemini: { body: { contents: [{ parts: [{ text: 'look' }, { inlineData: { mimeType: 'application/pdf', data: PDF } }] }] }, dropped: 'file.filename' },
    } },
  { name: 'an image as the result of a tool', ...resultOf(
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
      { inlineData: { mimeType: 'image/png', data: PNG } },
    ) },
  { name: 'a PDF as the result of a tool', ...resultOf(
      { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
      { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
      { inlineData: { mimeType: 'application/pdf', data: PDF } },
      'file.filename',
    ) },
  { name: 'a file that another provider keeps', ask: parts({ type: 'file', file: { file_id: 'file-1' } }, { type: 'document', source: { type: 'file', file_id: 'file-1' } }, { type: 'input_file', file_id: 'file-1' }), sent: {
      // Both are OpenAI's: a file of the account is one there and there.
      openai: { refused: { messages: 'messages[0].content[1].source' }, body: { messages: [{ content: [{}, { type: 'file', file: { file_id: 'file-1' } }] }] } },
      anthropic: { refused: { 'chat.completions': 'messages[0].content[1]', responses: 'input[0]' } },
      gemini: { refused: { 'chat.completions': 'messages[0].content[1].file.file_id', messages: 'messages[0].content[1].source', responses: 'input[0]' } },
      'openai-responses': { refused: { messages: 'messages[0].content[1].source' }, body: { input: [{ content: [{}, { type: 'input_file', file_id: 'file-1' }] }] } },
    } },
  { name: 'audio', ask: parts({ type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }, null, { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }), sent: {
      ...seen({ type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }, {}, { inlineData: { mimeType: 'audio/wav', data: WAV } }, {}),
      anthropic: { refused: { 'chat.completions': 'messages[0].content[1]', responses: 'input[0]' } },
      'openai-responses': { refused: { 'chat.completions': 'messages[0].content[1].type' } },
    } },
  { name: 'much reasoning', ask: { 'chat.completions': { reasoning_effort: 'high' }, messages: { max_tokens: 40_000, thinking: { type: 'enabled', budget_tokens: 30_000 } }, responses: { reasoning: { effort: 'high' } } }, sent: {
      openai: { body: { reasoning_effort: 'high' } },
      anthropic: { body: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } } },
      gemini: { body: { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true } } } },
      'openai-responses': { body: { reasoning: { effort: 'high', summary: 'auto' }, include: ['reasoning.encrypted_content'] } },
    } },
  { name: 'no reasoning', ask: { 'chat.completions': { reasoning_effort: 'none' }, messages: { thinking: { type: 'disabled' } }, responses: { reasoning: { effort: 'none' } } }, sent: {
      openai: { body: { reasoning_effort: 'none' } },
      anthropic: { body: { thinking: { type: 'disabled' } } },
      // It cannot be switched off: as little as there is, and that is said.
      gemini: { body: { generationConfig: { thinkingConfig: { thinkingLevel: 'MINIMAL' } } }, dropped: { 'chat.completions': 'reasoning_effort', messages: 'thinking', responses: 'reasoning.effort' } },
      'openai-responses': { body: { reasoning: { effort: 'none' } } },
    } },
  { name: 'stop sequences', ask: { 'chat.completions': { stop: ['END', 'STOP'] }, messages: { stop_sequences: ['END', 'STOP'] } }, sent: {
      openai: { body: { stop: ['END', 'STOP'] } },
      anthropic: { body: { stop_sequences: ['END', 'STOP'] } },
      gemini: { body: { generationConfig: { stopSequences: ['END', 'STOP'] } } },
      'openai-responses': { refused: { 'chat.completions': 'stop', messages: 'stop_sequences' } },
    } },
  { name: 'log probabilities', ask: { 'chat.completions': { logprobs: true, top_logprobs: 2 }, responses: { include: ['message.output_text.logprobs'], top_logprobs: 2 } }, sent: {
      openai: { body: { logprobs: true, top_logprobs: 2 } },
      anthropic: { refused: { 'chat.completions': 'logprobs', responses: 'include' } },
      gemini: { body: { generationConfig: { responseLogprobs: true, logprobs: 2 } } },
      'openai-responses': { body: { include: ['message.output_text.logprobs', 'reasoning.encrypted_content'], top_logprobs: 2 } },
    } },
  { name: 'a number of log probabilities without them', ask: { responses: { top_logprobs: 3 } }, sent: {
      openai: { body: {}, dropped: 'top_logprobs' },
      anthropic: { body: {}, dropped: 'top_logprobs' },
      gemini: { body: {}, dropped: 'top_logprobs' },
      'openai-responses': { body: {} },
    } },
  { name: 'a choice among no tools', ask: { responses: { tool_choice: 'required' } }, sent: {
      openai: { body: {}, dropped: 'tool_choice' },
      anthropic: { body: {}, dropped: 'tool_choice' },
      gemini: { body: {}, dropped: 'tool_choice' },
      'openai-responses': { body: {} },
    } },
  { name: 'top k', ask: { messages: { top_k: 40 } }, sent: {
      openai: { refused: 'top_k' },
      anthropic: { body: { top_k: 40 } },
      gemini: { body: { generationConfig: { topK: 40 } } },
      'openai-responses': { refused: 'top_k' },
    } },
  { name: 'a limit, a temperature', ask: { 'chat.completions': { max_completion_tokens: 77, temperature: 0.5 }, messages: { max_tokens: 77, temperature: 0.5 }, responses: { max_output_tokens: 77, temperature: 0.5 } }, sent: {
      openai: { body: { max_completion_tokens: 77, temperature: 0.5 } },
      anthropic: { body: { max_tokens: 77, temperature: 0.5 } },
      gemini: { body: { generationConfig: { maxOutputTokens: 77, temperature: 0.5 } } },
      'openai-responses': { body: { max_output_tokens: 77, temperature: 0.5 } },
    } },
  { name: 'more than one choice', ask: { 'chat.completions': { n: 2 } }, sent: {
      openai: { body: {} },
      anthropic: { refused: 'n' },
      gemini: { body: { generationConfig: { candidateCount: 2 } } },
      'openai-responses': { refused: 'n' },
    },
    streamed: { gemini: { refused: 'n' } } },
  { name: 'a refusal of an earlier turn', ask: { 'chat.completions': { messages: [...hello, { role: 'assistant', content: null, refusal: 'I will not.' }, ...hello] }, responses: { input: [...hello, { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not.' }] }, ...hello] } }, sent: {
      openai: { body: { messages: [{}, { role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not.' }] }, {}] } },
      anthropic: { body: { messages: [{}, { role: 'assistant', content: [{ type: 'text', text: 'I will not.' }] }, {}] } },
      gemini: { body: { contents: [{}, { role: 'model', parts: [{ text: 'I will not.' }] }, {}] } },
      'openai-responses': { body: { input: [{}, { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not.' }] }, {}] } },
    } },
  { name: 'an earlier turn in which the model said nothing', ask: {
      'chat.completions': { messages: [...hello, { role: 'assistant', content: '' }, ...hello] },
      messages: { messages: [...hello, { role: 'assistant', content: '' }, ...hello] },
      responses: { input: [...hello, { role: 'assistant', content: '' }, ...hello] },
    }, sent: {
      openai: { body: { messages: [{}, { role: 'assistant', content: '' }, {}] } },
      anthropic: { body: {}, dropped: { 'chat.completions': 'messages[]', responses: 'input[]' } },
      gemini: { body: { contents: [{}, { role: 'model', parts: [{ text: '' }] }, {}] } },
      'openai-responses': { body: {}, dropped: 'messages[]' },
    } },
  { name: 'a mark for the prompt cache', ask: { messages: { system: [{ type: 'text', text: 'long', cache_control: { type: 'ephemeral' } }] } }, sent: {
      openai: { body: {}, dropped: 'cache_control' },
      anthropic: { body: {} },
      gemini: { body: {}, dropped: 'cache_control' },
      'openai-responses': { body: { input: [{ role: 'system', content: [{ type: 'input_text', text: 'long', prompt_cache_breakpoint: { mode: 'explicit' } }] }, {}] } },
    } },
  { name: 'a seed and who asks', ask: { 'chat.completions': { seed: 7, user: 'u1' }, messages: { metadata: { user_id: 'u1' } }, responses: { user: 'u1' } }, sent: {
      openai: { body: {} },
      anthropic: { body: { metadata: { user_id: 'u1' } }, dropped: { 'chat.completions': 'seed' } },
      gemini: { body: {}, dropped: { 'chat.completions': 'user', messages: 'metadata.user_id', responses: 'user' } },
      'openai-responses': { body: {}, dropped: { 'chat.completions': 'seed' } },
    } },
  { name: 'unknown members of a message and of a part', ask: {
      'chat.completions': { messages: [{ role: 'user', foo: 1, content: [{ type: 'text', text: 'look', zz: 2 }] }] },
      messages: { messages: [{ role: 'user', foo: 1, content: [{ type: 'text', text: 'look', zz: 2 }] }] },
      responses: { input: [{ role: 'user', foo: 1, content: [{ type: 'input_text', text: 'look', zz: 2 }] }] },
    }, sent: {
      openai: { body: {}, dropped: { messages: 'foo, zz', responses: 'foo, zz' } },
      anthropic: { body: {}, dropped: 'foo, zz' },
      gemini: { body: {}, dropped: 'foo, zz' },
      'openai-responses': { body: {}, dropped: 'foo, zz' },
    } },
  { name: 'unknown members of a call and of its result', ask: {
      'chat.completions': { tools: [chatTool], messages: [...hello, { role: 'assistant', content: null, tool_calls: [{ ...call('A', 'Oslo'), aa: 1 }] }, { role: 'tool', tool_call_id: 'call_A', content: '3', bb: 2 }] },
      messages: { tools: [messagesTool], messages: [...hello, { role: 'assistant', content: [{ ...use('A', 'Oslo'), aa: 1 }] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_A', content: [{ type: 'text', text: '3', cc: 3 }], bb: 2 }] }] },
      responses: { tools: [flatTool], input: [...hello, { ...item('A', 'Oslo'), aa: 1 }, { type: 'function_call_output', call_id: 'call_A', output: [{ type: 'input_text', text: '3', cc: 3 }], bb: 2 }] },
    }, sent: {
      openai: { body: {}, dropped: { messages: 'aa, bb, cc', responses: 'aa, bb, cc' } },
      anthropic: { body: {}, dropped: { 'chat.completions': 'aa, bb', responses: 'aa, bb, cc' } },
      gemini: { body: {}, dropped: { 'chat.completions': 'aa, bb', messages: 'aa, bb, cc', responses: 'aa, bb, cc' } },
      'openai-responses': { body: {}, dropped: { 'chat.completions': 'aa, bb', messages: 'aa, bb, cc' } },
    } },
  { name: 'unknown members of a tool', ask: tools({}, { chat: { ...chatTool, aa: 1, function: { ...chatTool.function, bb: [2] } }, messages: { ...messagesTool, aa: 1 }, responses: { ...flatTool, aa: 1 } }), sent: {
      openai: { body: {}, dropped: { messages: 'tools.aa', responses: 'tools[].aa' } },
      anthropic: { body: {}, dropped: { 'chat.completions': 'tools[].aa, tools[].bb', responses: 'tools[].aa' } },
      gemini: { body: {}, dropped: { 'chat.completions': 'tools[].aa, tools[].bb', messages: 'tools.aa', responses: 'tools[].aa' } },
      'openai-responses': { body: {}, dropped: { 'chat.completions': 'tools[].aa, tools[].bb', messages: 'tools.aa' } },
    } },
  { name: 'a tool whose calls keep to its schema', ask: tools({}, { chat: { type: 'function', function: { ...chatTool.function, strict: true } }, messages: { ...messagesTool, strict: true }, responses: { ...flatTool, strict: true } }), sent: {
      openai: { body: { tools: [{ function: { strict: true } }] } },
      anthropic: { body: { tools: [{ strict: true }] } },
      gemini: { body: { tools: [{ functionDeclarations: [{ name: 'weather' }] }] }, dropped: 'tools[].strict' },
      'openai-responses': { body: { tools: [{ strict: true }] } },
    } },
  { name: 'an answer by a schema that is described', ask: {
      'chat.completions': { response_format: { type: 'json_schema', json_schema: { name: 'n', description: 'where', schema: SCHEMA, strict: true } } },
      responses: { text: { format: { type: 'json_schema', name: 'n', description: 'where', schema: SCHEMA, strict: true } } },
    }, sent: {
      openai: { body: { response_format: { json_schema: { description: 'where', schema: SCHEMA } } } },
      anthropic: { body: { output_config: { format: { schema: SCHEMA } } }, dropped: { 'chat.completions': 'response_format.description', responses: 'text.format.description' } },
      gemini: { body: { generationConfig: { responseJsonSchema: SCHEMA } }, dropped: { 'chat.completions': 'response_format.description', responses: 'text.format.description' } },
      'openai-responses': { body: { text: { format: { description: 'where', schema: SCHEMA } } } },
    } },
  { name: 'members that are called like something that every object has', ask: { 'chat.completions': INHERITED, messages: INHERITED, responses: INHERITED }, sent: {
      openai: { body: {}, dropped: Object.keys(INHERITED).join(', ') },
      anthropic: { body: {}, dropped: Object.keys(INHERITED).join(', ') },
      gemini: { body: {}, dropped: Object.keys(INHERITED).join(', ') },
      'openai-responses': { body: {}, dropped: Object.keys(INHERITED).join(', ') },
    } },
];

function call(letter: string, city: string): object {
  return { id: `call_${letter}`, type: 'function', function: { name: 'weather', arguments: JSON.stringify({ city }) } };
}
function use(letter: string, city: string): object {
  return { type: 'tool_use', id: `call_${letter}`, name: 'weather', input: { city } };
}
function item(letter: string, city: string): object {
  return { type: 'function_call', call_id: `call_${letter}`, name: 'weather', arguments: JSON.stringify({ city }) };
}
function functionCall(letter: string, city: string): object {
  return { functionCall: { id: `call_${letter}`, name: 'weather', args: { city } } };
}
function functionResponse(letter: string, output: string): object {
  return { functionResponse: { id: `call_${letter}`, name: 'weather', response: { output } } };
}

/** A tool that was called gives something to look at, in the words of each API that has them. */
function resultOf(block: object, part: object, media: object, dropped?: string): Pick<Asked, 'ask' | 'sent'> {
  const [result, output] = [(content: object[]) => ({ type: 'tool_result', tool_use_id: 'call_A', content }), (parts: object[]) => ({ type: 'function_call_output', call_id: 'call_A', output: parts })];
  return {
    ask: {
      messages: { tools: [messagesTool], messages: [...hello, { role: 'assistant', content: [use('A', 'Oslo')] }, { role: 'user', content: [result([{ type: 'text', text: 'look' }, block])] }] },
      responses: { tools: [flatTool], input: [...hello, item('A', 'Oslo'), output([{ type: 'input_text', text: 'look' }, part])] },
    },
    sent: {
      openai: { refused: { messages: 'messages[2].content[0]', responses: 'input[2]' } },
      anthropic: { body: { messages: [{}, {}, { role: 'user', content: [result([{ type: 'text', text: 'look' }, block])] }] } },
      gemini: { body: { contents: [{}, {}, { role: 'user', parts: [{ functionResponse: { id: 'call_A', name: 'weather', response: { output: 'look' }, parts: [media] } }] }] }, ...(dropped === undefined ? {} : { dropped }) },
      'openai-responses': { body: { input: [{}, {}, output([{ type: 'input_text', text: 'look' }, part])] } },
    },
  };
}

/** The choice among tools, as each wire spells it. */
function chosen(openai: unknown, anthropic: unknown, gemini: unknown, responses: unknown): Asked['sent'] {
  return { openai: { body: { tool_choice: openai } }, anthropic: { body: { tool_choice: anthropic } }, gemini: { body: { toolConfig: { functionCallingConfig: gemini } } }, 'openai-responses': { body: { tool_choice: responses } } };
}

/** The part beside the text, as each wire spells it. */
function seen(openai: object, anthropic: object, gemini: object, responses: object): Asked['sent'] {
  return {
    openai: { body: { messages: [{ content: [{ type: 'text', text: 'look' }, openai] }] } },
    anthropic: { body: { messages: [{ content: [{ type: 'text', text: 'look' }, anthropic] }] } },
    gemini: { body: { contents: [{ parts: [{ text: 'look' }, gemini] }] } },
    'openai-responses': { body: { input: [{ content: [{ type: 'input_text', text: 'look' }, responses] }] } },
  };
}
