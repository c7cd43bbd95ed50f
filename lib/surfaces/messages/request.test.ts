import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isFault } from '../surface';
import { countTokens, messages } from './index';

type Body = Record<string, unknown>;

const ask = (rest: Body = {}): Body => ({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }], ...rest });
const user = (...content: Body[]) => ask({ messages: [{ role: 'user', content }] });

function canonical(body: Body) {
  const made = messages.canonical(body);
  if (!made.ok) throw new Error(`${made.why.param}: ${made.why.message}`);
  return { ...made, body: made.chat.body as Body & { messages: Body[] } };
}

const refused = (body: Body) => {
  const made = messages.canonical(body);
  return made.ok ? null : made.why;
};

describe('reading a request', () => {
  const fault = (body: Body) => {
    const read = messages.read(body);
    return isFault(read) ? read.param : null;
  };
  test.each([
    [{ model: '' }, 'model'],
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ max_tokens: '5' }, 'max_tokens'],
    [{ stream: 'yes' }, 'stream'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
    [{ max_tokens: 0 }, null],
    [{ unheard_of: 1, temperature: 9 }, null],
  ])('%o: %s', (rest, param) => expect(fault(ask(rest))).toBe(param));

  test('thinking asks for reasoning, unless it is switched off', () => {
    const asks = (thinking?: Body) => (messages.read(ask({ thinking })) as { asksForReasoning: boolean }).asksForReasoning;
    expect([asks(), asks({ type: 'disabled' }), asks({ type: 'enabled', budget_tokens: 1024 }), asks({ type: 'adaptive' })]).toEqual([false, false, true, true]);
  });

  test('a count needs no max_tokens and is never streamed', () => {
    expect(countTokens.read({ model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true })).toMatchObject({ model: 'm', stream: false });
  });

  test('every text counts towards the size of the request', () => {
    const body = ask({ system: [{ type: 'text', text: '123' }], messages: [{ role: 'user', content: [{ type: 'text', text: '45' }, { type: 'tool_result', content: [{ type: 'text', text: '6' }] }] }, { role: 'assistant', content: [{ type: 'thinking', thinking: '78' }, { type: 'tool_use', input: {} }] }] });
    expect(messages.characters(body)).toBe(10);
  });
});

describe('the canonical request', () => {
  test('the recorded request becomes the recorded one', () => {
    const { request, canonical: expected, dropped } = JSON.parse(readFileSync(new URL('./__fixtures__/req-inbound-anthropic.json', import.meta.url), 'utf8')) as Record<string, Body>;
    const made = canonical(request!);
    expect(made.body).toEqual(expected);
    expect(made.dropped).toEqual(dropped);
    expect(made.places).toEqual(['system', 'messages[0]', 'messages[1]', 'messages[2].content[0]', 'messages[2]']);
  });

  test('a system message stays at its place', () => {
    const { body } = canonical(ask({ system: 'a', messages: [{ role: 'user', content: 'b' }, { role: 'system', content: [{ type: 'text', text: 'c' }] }, { role: 'user', content: 'd' }] }));
    expect(body.messages.map(({ role, content }) => [role, content])).toEqual([['system', 'a'], ['user', 'b'], ['system', 'c'], ['user', 'd']]);
  });

  test('images and documents', () => {
    const { body } = canonical(
      user(
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' }, cache_control: { type: 'ephemeral' } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } },
        { type: 'document', title: 'T', context: 'C', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inner' }] }, cache_control: { type: 'ephemeral' } },
      ),
    );
    expect(body.messages[0]!.content).toEqual([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' }, prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
      { type: 'text', text: 'T\nC' },
      { type: 'text', text: 'words' },
      { type: 'text', text: 'inner', prompt_cache_breakpoint: { mode: 'explicit' } },
    ]);
  });

  test('results of tools come first, and keep their order and their breakpoint', () => {
    const { body } = canonical(
      user({ type: 'text', text: 'and?' }, { type: 'tool_result', tool_use_id: 'a', content: 'one' }, { type: 'tool_result', tool_use_id: 'b' }, { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'x' }, { type: 'text', text: 'y' }], cache_control: { type: 'ephemeral' } }),
    );
    expect(body.messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'xy', prompt_cache_breakpoint: { mode: 'explicit' } }] },
      { role: 'user', content: 'and?' },
    ]);
  });

  test.each([
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, 'none'],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 2049 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 16_385 } }, 'high'],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'max'],
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{}, undefined],
  ])('effort of %o is %s', (rest, effort) => expect(canonical(ask(rest)).body.reasoning_effort).toBe(effort));

  test.each([
    [{ type: 'auto' }, 'auto', undefined],
    [{ type: 'none' }, 'none', undefined],
    [{ type: 'any' }, 'required', undefined],
    [{ type: 'tool', name: 'f', disable_parallel_tool_use: true }, { type: 'function', function: { name: 'f' } }, false],
  ])('tool choice %o', (choice, expected, parallel) => {
    const { body } = canonical(ask({ tools: [{ name: 'f', input_schema: { type: 'object' }, strict: true }], tool_choice: choice }));
    expect([body.tool_choice, body.parallel_tool_calls]).toEqual([expected, parallel]);
    expect(body.tools).toEqual([{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }]);
  });

  test('a schema for the answer, sampling, and who is served', () => {
    const made = canonical(ask({ output_config: { format: { type: 'json_schema', schema: { type: 'object' } } }, temperature: 0.5, top_p: 0.9, top_k: 40, service_tier: 'standard_only', metadata: { user_id: 'u' } }));
    expect(made.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'output', schema: { type: 'object' }, strict: true } },
      temperature: 0.5, top_p: 0.9, service_tier: 'default', safety_identifier: 'u', max_completion_tokens: 5,
    });
    expect([made.chat.topK, made.dropped]).toEqual([40, []]);
  });

  test.each<[Body, string[]]>([
    [{ thinking: { type: 'adaptive', budget: 7, display: null } }, ['thinking.budget']],
    [{ metadata: { user_id: 'u', team: 't' } }, ['metadata.team']],
    [{ output_config: { effort: 3, zz: 1 } }, ['output_config.effort', 'output_config.zz']],
  ])('%j: what no member of a chat says is named', (rest, dropped) => expect(canonical(ask(rest)).dropped).toEqual(dropped));

  test('hints that get lost are named, neutral values are not', () => {
    const made = canonical(
      ask({
        cache_control: { type: 'ephemeral' }, speed: 'standard', diagnostics: { previous_message_id: null }, metadata: { user_id: 'u'.repeat(65) }, thinking: { type: 'adaptive', display: 'omitted' },
        tools: [{ name: 'f', input_schema: {}, cache_control: { type: 'ephemeral' }, eager_input_streaming: true }],
        messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: '' }, { type: 'text', text: 'a', citations: [{}] }] }, { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral', ttl: '1h' } }] }],
      }),
    );
    expect([...made.dropped].sort()).toEqual(['cache_control', 'cache_control.ttl', 'citations', 'diagnostics', 'metadata.user_id', 'thinking', 'thinking.display', 'tools.cache_control', 'tools.eager_input_streaming']);
    expect(made.body.messages[1]).toEqual({ role: 'assistant', content: 'a' });
  });
});

describe('what no other API can say is refused by the client’s own name for it', () => {
  test.each<[Body, string]>([
    [{ mcp_servers: [{ url: 'x' }] }, 'mcp_servers'],
    [{ container: 'c' }, 'container'],
    [{ context_management: { edits: [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }] } }, 'context_management.edits[1]'],
    [{ context_management: { trigger: 1 } }, 'context_management'],
    [{ fallbacks: [{}] }, 'fallbacks'],
    [{ inference_geo: 'eu' }, 'inference_geo'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0]'],
    [{ tool_choice: { type: 'odd' } }, 'tool_choice'],
    [{ output_config: { format: { type: 'xml' } } }, 'output_config.format'],
    [{ thinking: 'hard' }, 'thinking'],
    [{ thinking: {} }, 'thinking.type'],
    [{ thinking: { type: 'banana' } }, 'thinking.type'],
    [{ thinking: { type: 'constructor' } }, 'thinking.type'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ messages: [{ role: 'user', content: 'x' }, { role: 'assistant', content: 'Once' }] }, 'messages[1]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: [{ type: 'search_result' }] }] }, 'messages[0].content[0]'],
    [{ messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] }, 'messages[0].content[0].source'],
    [{ messages: [{ role: 'user', content: [{ type: 'document', citations: { enabled: true }, source: { type: 'text', data: 'x' } }] }] }, 'messages[0].content[0].citations'],
    [{ messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source: {} }] }] }] }, 'messages[0].content[0].content[0].source'],
    [{ messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'search_result' }] }] }] }, 'messages[0].content[0].content[0]'],
    [{ messages: [{ role: 'assistant', content: [{ type: 'server_tool_use' }] }, { role: 'user', content: 'x' }] }, 'messages[0].content[0]'],
  ])('%o', (rest, param) => expect(refused(ask(rest))?.param).toBe(param));

  test('clearing thinking, which no other provider is sent, asks for nothing, or is a hint', () => {
    const keeping = (keep?: unknown) => canonical(ask({ context_management: { edits: [{ type: 'clear_thinking_20251015', keep }] } })).dropped;
    expect([keeping('all'), keeping({ type: 'thinking_turns', value: 1 }), keeping(), canonical(ask({ context_management: {} })).dropped]).toEqual([[], ['context_management'], ['context_management'], []]);
  });
  test('empty lists of them ask for nothing', () => expect(refused(ask({ mcp_servers: [], container: null }))).toBeNull());
  test('a count has no counterpart at all', () => expect(countTokens.canonical(ask())).toMatchObject({ ok: false, why: { code: 'unsupported_operation' } }));
});

describe('a tier of the same dialect', () => {
  const turn = (...content: Body[]) => ask({ messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content }, { role: 'user', content: 'q' }] });
  const own = (body: Body) => messages.ownText!(JSON.stringify(body), body);

  test('gets the client’s own bytes', () => expect(own(turn({ type: 'thinking', thinking: 'x', signature: 'real' }, { type: 'text', text: 'a' }))).toBeNull());

  test('never gets thinking or citations that this gateway made of another provider’s answer', () => {
    const made = own(turn({ type: 'thinking', thinking: 'x', signature: '' }, { type: 'text', text: 'a', citations: [{ type: 'web_search_result_location', encrypted_index: '' }] }));
    expect(made?.dropped).toEqual(['thinking', 'citations']);
    expect((JSON.parse(made!.text) as { messages: Body[] }).messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'a' }] });
    expect((JSON.parse(own(turn({ type: 'thinking', thinking: 'x', signature: '' }))!.text) as { messages: Body[] }).messages).toHaveLength(2);
  });
});
