import { describe, expect, it } from 'vitest';
import { ask, type Body, HI } from './test-request';

describe('tools', () => {
  const tool = (name: string, rest: Body = {}) => ({ type: 'function', function: { name, ...rest } });
  const tools = [tool('a'), tool('b')];
  const NO_INPUT = { type: 'object', properties: {} };

  it('have a schema, and descriptions and strictness where they were given', () => {
    expect(ask({ tools: [tool('a', { description: 'd', strict: false, parameters: { properties: { x: {} } } }), tool('b', { parameters: null, strict: null })] }).body.tools).toEqual([
      { name: 'a', description: 'd', input_schema: { type: 'object', properties: { x: {} } } },
      { name: 'b', input_schema: NO_INPUT },
    ]);
    const strict = { strict: true, parameters: { type: 'object', properties: { x: { type: 'integer', minimum: 3 } }, additionalProperties: false } };
    const made = ask({ tools: [tool('a', strict)] });
    expect(made).toMatchObject({ body: { tools: [{ strict: true, input_schema: { properties: { x: { type: 'integer', description: 'minimum: 3' } } } }] }, dropped: ['tools[].parameters.minimum'] });
    expect(made.body.tools[0].input_schema.properties.x).not.toHaveProperty('minimum');
    expect(ask({ tools: [tool('a', strict)] }, 'claude-3-7-sonnet-latest')).toMatchObject({ body: { tools: [{ input_schema: strict.parameters }] }, dropped: ['tools[].strict'] });
  });

  it.each<[unknown, unknown]>([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ type: 'function', function: { name: 'b' } }, { type: 'tool', name: 'b' }],
    [null, undefined],
  ])('chosen as %j', (tool_choice, choice) => {
    expect(ask({ tools, tool_choice }).body.tool_choice).toEqual(choice);
  });

  it.each<[unknown, unknown]>([
    [undefined, { type: 'auto', disable_parallel_tool_use: true }],
    ['required', { type: 'any', disable_parallel_tool_use: true }],
    [{ type: 'function', function: { name: 'b' } }, { type: 'tool', name: 'b', disable_parallel_tool_use: true }],
    ['none', { type: 'none' }],
  ])('one at a time, chosen as %j', (tool_choice, choice) => {
    expect(ask({ tools, tool_choice, parallel_tool_calls: false }).body.tool_choice).toEqual(choice);
  });

  it('may be narrowed to those that are allowed', () => {
    const allowed = (mode: string) => ({ type: 'allowed_tools', allowed_tools: { mode, tools: [tool('b')] } });
    expect(ask({ tools, tool_choice: allowed('auto') }).body).toMatchObject({ tools: [{ name: 'b' }], tool_choice: { type: 'auto' } });
    expect(ask({ tools, tool_choice: allowed('required') }).body).toMatchObject({ tools: [{ name: 'b' }], tool_choice: { type: 'any' } });
  });

  it.each<[Body, string]>([
    [{ tools: [tool('a'), { type: 'custom', custom: { name: 'b' } }] }, 'tools[1]'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0]'],
    [{ tools: [tool('')] }, 'tools[0]'],
    [{ tools: [null] }, 'tools[0]'],
    [{ tools: 'a' }, 'tools'],
    [{ tools: [tool('a', { parameters: [] })] }, 'tools[0].function.parameters'],
    [{ functions: [{}] }, 'functions[0]'],
    [{ tools, tool_choice: { type: 'custom', custom: { name: 'b' } } }, 'tool_choice'],
    [{ tools, tool_choice: 'any' }, 'tool_choice'],
    [{ tools, tool_choice: '__proto__' }, 'tool_choice'],
    [{ tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'some', tools: [] } } }, 'tool_choice'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ functions: [], function_call: { name: 'a' } }, 'function_call'],
  ])('%j is refused by name', (body, param) => {
    expect(ask(body).why).toMatchObject({ param });
  });

  it('cannot be forced on models that refuse it', () => {
    for (const model of ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1']) expect(ask({ tools, tool_choice: 'required' }, model).why).toMatchObject({ param: 'tool_choice' });
    expect(ask({ tools, tool_choice: 'required' }, 'claude-opus-5').why).toBeNull();
  });

  it('of a conversation that goes on without any are still defined, and none may be called', () => {
    const messages = [...HI, { role: 'assistant', tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }] }, { role: 'tool', tool_call_id: 'x', content: 'b' }];
    expect(ask({ messages }).body).toMatchObject({ tools: [{ name: 'f', input_schema: NO_INPUT }], tool_choice: { type: 'none' } });
    expect(ask({ tool_choice: 'auto', parallel_tool_calls: false }).body).not.toHaveProperty('tool_choice');
  });
});

describe('reasoning effort', () => {
  const thinking = (reasoning_effort: unknown, model: string, rest: Body = {}) => {
    const { body, dropped, why } = ask({ reasoning_effort, ...rest }, model);
    return { thinking: body.thinking, effort: body.output_config?.effort, dropped, why };
  };
  const adaptive = { type: 'adaptive', display: 'summarized' };
  const budget = (tokens: number) => ({ type: 'enabled', budget_tokens: tokens });

  it.each<[unknown, string, unknown, string | undefined, string[]]>([
    [undefined, 'claude-opus-5', undefined, undefined, []],
    [null, 'claude-sonnet-4-5', undefined, undefined, []],
    ['none', 'claude-opus-5', { type: 'disabled' }, undefined, []],
    ['none', 'claude-opus-4-6', { type: 'disabled' }, undefined, []],
    ['none', 'claude-sonnet-5-5', { type: 'between_tools' }, undefined, []],
    ['none', 'claude-opus-5-5', undefined, 'low', ['reasoning_effort']],
    ['none', 'claude-fable-5', undefined, 'low', ['reasoning_effort']],
    ['none', 'claude-sonnet-4-5', { type: 'disabled' }, undefined, []],
    ['none', 'claude-3-haiku-20240307', undefined, undefined, []],
    ['minimal', 'claude-opus-5', adaptive, 'low', []],
    ['low', 'claude-opus-5', adaptive, 'low', []],
    ['medium', 'claude-sonnet-4-6', adaptive, 'medium', []],
    ['high', 'claude-opus-5', adaptive, 'high', []],
    ['xhigh', 'claude-opus-4-6', adaptive, 'max', []],
    ['xhigh', 'claude-opus-4-7', adaptive, 'xhigh', []],
    ['max', 'claude-opus-4-6', adaptive, 'max', []],
    ['minimal', 'claude-sonnet-4-5', budget(1024), undefined, []],
    ['low', 'claude-sonnet-4-5', budget(1024), undefined, []],
    ['medium', 'claude-3-7-sonnet-20250219', budget(8192), undefined, []],
    ['high', 'claude-opus-4-1', budget(24_576), undefined, []],
    ['xhigh', 'claude-sonnet-4-5', budget(32_768), undefined, []],
    ['max', 'claude-opus-4-1', budget(31_999), undefined, []],
    ['high', 'claude-3-haiku-20240307', undefined, undefined, ['reasoning_effort']],
  ])('%s of %s', (effort, model, said, word, dropped) => {
    expect(thinking(effort, model)).toEqual({ thinking: said, effort: word, dropped, why: null });
  });

  it('stays below the client’s own limit, or thinking is left out', () => {
    expect(thinking('high', 'claude-sonnet-4-5', { max_tokens: 4000 })).toMatchObject({ thinking: budget(3999), dropped: [] });
    expect(thinking('high', 'claude-sonnet-4-5', { max_tokens: 1025 })).toMatchObject({ thinking: budget(1024), dropped: [] });
    expect(thinking('low', 'claude-sonnet-4-5', { max_tokens: 1024 })).toMatchObject({ thinking: undefined, dropped: ['reasoning_effort'] });
  });

  it.each<[string, Body]>([
    ['a forced tool', { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' }],
    ['a temperature', { temperature: 0.5 }],
    ['a narrow top_p', { top_p: 0.5 }],
    ['an answer to be continued', { messages: [...HI, { role: 'assistant', content: 'a' }] }],
    ['a tool’s result whose call was not thought of with a signature', { messages: [...HI, { role: 'assistant', tool_calls: [{ id: 'x', function: { name: 'f', arguments: '' } }] }, { role: 'tool', tool_call_id: 'x', content: 'b' }] }],
  ])('by budget gives way to %s', (_, rest) => {
    expect(thinking('high', 'claude-sonnet-4-5', rest)).toMatchObject({ thinking: undefined, dropped: ['reasoning_effort'], why: null });
  });

  it('goes on through a tool’s result where the thinking came back signed', () => {
    const signed = { reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1' }] };
    const messages = [...HI, { role: 'assistant', tool_calls: [{ id: 'x', function: { name: 'f', arguments: '' } }], ...signed }, { role: 'tool', tool_call_id: 'x', content: 'b' }];
    expect(thinking('high', 'claude-sonnet-4-5', { messages })).toMatchObject({ thinking: budget(24_576), dropped: [] });
    expect(thinking('high', 'claude-opus-5', { messages: messages.map(({ ...message }: Body) => (delete message.reasoning_details, message)) })).toMatchObject({ thinking: adaptive, dropped: [] });
  });

  it.each(['extreme', 7, {}, '__proto__'])('%j is refused by name', (effort) => {
    expect(thinking(effort, 'claude-opus-5').why).toMatchObject({ param: 'reasoning_effort', code: 'unsupported_value' });
  });
});

describe('output by a schema', () => {
  const format = (schema: unknown, model?: string) => ask({ response_format: { type: 'json_schema', json_schema: { name: 'n', strict: true, schema } } }, model);

  it('loses limits into descriptions, at every depth, and names them', () => {
    const made = format({
      type: 'object',
      properties: { list: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: [{ type: 'string', pattern: 'a', description: 'd' }, { $ref: '#/$defs/n' }] } }, minimum: { type: 'integer' } },
      required: ['list'],
      $defs: { n: { type: 'number', exclusiveMinimum: 0, multipleOf: 2 } },
    });
    expect(made.body.output_config.format).toEqual({
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { list: { type: 'array', minItems: 1, description: 'maxItems: 3', items: { anyOf: [{ type: 'string', description: 'd. pattern: "a"' }, { $ref: '#/$defs/n' }] } }, minimum: { type: 'integer' } },
        required: ['list'],
        $defs: { n: { type: 'number', description: 'exclusiveMinimum: 0, multipleOf: 2' } },
        additionalProperties: false,
      },
    });
    expect(made.dropped).toEqual(['maxItems', 'pattern', 'exclusiveMinimum', 'multipleOf'].map((name) => `response_format.${name}`));
  });

  it('goes with an effort', () => {
    const response_format = { type: 'json_schema', json_schema: { schema: { type: 'object', properties: {}, additionalProperties: false } } };
    expect(ask({ response_format, reasoning_effort: 'low' }, 'claude-opus-5').body.output_config).toMatchObject({ effort: 'low', format: { type: 'json_schema' } });
  });

  it('closes objects, and says so where they were open', () => {
    expect(format({ type: 'object', properties: {}, additionalProperties: true })).toMatchObject({ dropped: ['response_format.additionalProperties'] });
    expect(format({ type: 'object', properties: { a: { type: 'object', additionalProperties: { type: 'string' } } } }).why).toMatchObject({ param: 'response_format.json_schema.schema.properties.a.additionalProperties' });
  });

  it.each<[unknown, string, string]>([
    [{ type: 'json_object' }, 'claude-opus-5', 'response_format'],
    [{ type: 'grammar' }, 'claude-opus-5', 'response_format'],
    ['json', 'claude-opus-5', 'response_format'],
    [{ type: 'json_schema' }, 'claude-opus-5', 'response_format'],
    [{ type: 'json_schema', json_schema: { schema: [] } }, 'claude-opus-5', 'response_format.json_schema.schema'],
    [{ type: 'json_schema', json_schema: { schema: {} } }, 'claude-sonnet-4-20250514', 'response_format'],
  ])('%j is refused for %s', (response_format, model, param) => {
    expect(ask({ response_format }, model).why).toMatchObject({ param, code: 'unsupported_value' });
  });

  it('text is what it always is', () => {
    expect(ask({ response_format: { type: 'text' } }).body).not.toHaveProperty('output_config');
  });
});
