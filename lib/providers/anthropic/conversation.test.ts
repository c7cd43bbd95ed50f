import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../adapter';
import { request } from './request';
import { ask, type Body, HI, input } from './test-request';

describe('messages', () => {
  const messages = (list: unknown[], model?: string) => ask({ messages: list }, model);
  const text = (said: string) => ({ type: 'text', text: said });
  const user = (said: string) => ({ role: 'user', content: said });
  const assistant = (said: string, rest: Body = {}) => ({ role: 'assistant', content: said, ...rest });
  const call = (id: string, args = '{}', name = 'f') => ({ id, type: 'function', function: { name, arguments: args } });

  it('that lead as system or developer become the system prompt, in order', () => {
    const { body } = messages([{ role: 'developer', content: [text('a'), text('')] }, { role: 'system', content: 'b' }, user('c')]);
    expect(body.system).toEqual([text('a'), text('b')]);
    expect(body.messages).toEqual([{ role: 'user', content: [text('c')] }]);
    expect(messages([user('c')]).body).not.toHaveProperty('system');
  });

  it('of the system further on need a model that takes them, after a user’s turn and before an answer', () => {
    const later = [user('a'), { role: 'system', content: 'b' }, { role: 'developer', content: 'c' }];
    expect(messages(later).why).toMatchObject({ param: 'messages[1]', code: 'unsupported_value' });
    expect(messages(later, 'claude-sonnet-5').why).toMatchObject({ param: 'messages[1]' });
    expect(messages([...later, assistant('d'), user('e')], 'claude-opus-4-8').body.messages).toEqual([
      { role: 'user', content: [text('a')] },
      { role: 'system', content: [text('b'), text('c')] },
      { role: 'assistant', content: [text('d')] },
      { role: 'user', content: [text('e')] },
    ]);
    expect(messages([user('a'), assistant('b'), { role: 'system', content: 'c' }, user('d')], 'claude-opus-4-8').why).toMatchObject({ param: 'messages[2]' });
    expect(messages([...later, user('d')], 'claude-opus-4-8').why).toMatchObject({ param: 'messages[3]' });
  });

  it('of the user are joined into one turn, without empty texts', () => {
    expect(messages([user('a'), user(' '), { role: 'user', content: [text(''), text('b')] }]).body.messages).toEqual([{ role: 'user', content: [text('a'), text('b')] }]);
    expect(messages([user('')]).why).toMatchObject({ param: 'messages' });
    expect(messages([{ role: 'system', content: 'a' }]).why).toMatchObject({ param: 'messages' });
  });

  it.each([
    ['image/jpeg', 'image/jpeg'],
    ['image/jpg', 'image/jpeg'],
    ['image/GIF;x=y', 'image/gif'],
    ['image/webp', 'image/webp'],
  ])('may show an image of %s', (sent, mediaType) => {
    const part = { type: 'image_url', image_url: { url: `data:${sent};base64,AAAA`, detail: 'auto' } };
    const made = messages([{ role: 'user', content: [part] }]);
    expect(made.body.messages[0].content).toEqual([{ type: 'image', source: { type: 'base64', media_type: mediaType, data: 'AAAA' } }]);
    expect(made.dropped).toEqual([]);
  });

  it('may hold a PDF', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQ=' };
    for (const data of ['data:application/pdf;base64,JVBERi0xLjQ=', 'JVBERi0xLjQ=']) {
      expect(messages([{ role: 'user', content: [{ type: 'file', file: { file_data: data, filename: 'a.pdf' } }] }]).body.messages[0].content).toEqual([{ type: 'document', source, title: 'a.pdf' }]);
    }
  });

  it.each([
    [{ type: 'image_url', image_url: { url: 'data:image/tiff;base64,AAAA' } }],
    [{ type: 'image_url', image_url: { url: 'data:image/png,plain' } }],
    [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }],
    [{ type: 'image_url', image_url: { url: 7 } }],
    [{ type: 'image_url' }],
    [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
    [{ type: 'file', file: { file_id: 'file-1' } }],
    [{ type: 'file', file: { file_data: 'data:text/csv;base64,AAAA' } }],
    [{ type: 'refusal', refusal: 'no' }],
    [{ type: 'text', text: 7 }],
    [{ type: 'hologram' }],
    ['text'],
    [null],
  ])('cannot hold %j, and the place is named', (part) => {
    expect(messages([user('a'), { role: 'user', content: [text('b'), part] }]).why).toMatchObject({ param: 'messages[1].content[1]', code: 'unsupported_value' });
  });

  it('of the system hold text alone', () => {
    expect(messages([{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] }, user('a')]).why).toMatchObject({ param: 'messages[0].content[0]' });
  });

  it.each([
    [{ role: 'user', content: 7 }, 'messages[0].content'],
    [{ role: 'hologram', content: 'a' }, 'messages[0].role'],
    ['a', 'messages[0]'],
    [{ role: 'assistant', content: 'a', audio: { id: 'b' } }, 'messages[0].audio'],
    [{ role: 'assistant', tool_calls: {} }, 'messages[0].tool_calls'],
    [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'b', input: '' } }] }, 'messages[0].tool_calls[0]'],
    [{ role: 'assistant', tool_calls: [call('')] }, 'messages[0].tool_calls[0]'],
    [{ role: 'assistant', tool_calls: [call('a', '{')] }, 'messages[0].tool_calls[0]'],
    [{ role: 'assistant', tool_calls: [call('a', '[1]')] }, 'messages[0].tool_calls[0]'],
    [{ role: 'assistant', tool_calls: [call('a', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)] }, 'messages[0].tool_calls[0]'],
    [{ role: 'assistant', function_call: { name: 'a', arguments: '7' } }, 'messages[0].function_call'],
    [{ role: 'tool', content: 'a' }, 'messages[0]'],
    [{ role: 'function', name: 'a', content: 'b' }, 'messages[0]'],
  ])('like %j are refused by name', (message, param) => {
    expect(messages([message, user('x')]).why).toMatchObject({ param });
  });

  it.each([
    [{ role: 'user', content: ' ' }],
    [{ role: 'user', content: [{ type: 'text', text: '' }] }],
    [{ role: 'assistant', content: '' }],
    [{ role: 'assistant', content: null }],
    [{ role: 'assistant', content: '', reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', format: 'anthropic-claude-v1' }] }],
  ])('without a word, like %j, have no place here, and that is told', (message) => {
    expect(messages([user('a'), message, user('b')])).toMatchObject({ why: null, dropped: ['messages[]'], body: { messages: [{ role: 'user', content: [text('a'), text('b')] }] } });
  });

  it('with a name lose it, and that is told', () => {
    expect(messages([{ role: 'user', name: 'Ann', content: 'a' }])).toMatchObject({ why: null, dropped: ['messages[].name'] });
  });

  it('of the assistant say refusals in text and end without white space where they are to be continued', () => {
    expect(messages([user('a'), { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], refusal: 'never' }, user('b')]).body.messages[1]).toEqual({ role: 'assistant', content: [text('no'), text('never')] });
    expect(messages([user('a'), assistant('b \n')]).body.messages[1].content).toEqual([text('b')]);
    expect(messages([user('a'), { role: 'assistant', content: [text('b '), text('c ')] }]).body.messages[1].content).toEqual([text('b '), text('c')]);
    expect(messages([user('a'), assistant('')]).body.messages).toHaveLength(1);
    expect(messages([user('a'), assistant('b')], 'claude-opus-4-6').why).toMatchObject({ param: 'messages[1]' });
  });

  it('with tool results put them first into the user’s turn', () => {
    const list = [user('a'), { role: 'assistant', content: null, tool_calls: [call('x'), call('y')] }, user('b'), { role: 'tool', tool_call_id: 'x', content: [text('1')] }, { role: 'tool', tool_call_id: 'y', content: '' }];
    expect(messages(list).body.messages[2]).toEqual({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: [text('1')] }, { type: 'tool_result', tool_use_id: 'y' }, text('b')] });
  });

  it('with a picture as a tool’s result show it', () => {
    const list = [user('a'), { role: 'assistant', tool_calls: [call('x')] }, { role: 'tool', tool_call_id: 'x', content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] }];
    expect(messages(list).body.messages[2].content[0].content).toEqual([{ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }]);
  });

  it('keep the arguments of calls as they were spelt', () => {
    const args = '{ "id": 12345678901234567890, "x": 1.0, "__proto__": 1 }';
    const made = request(input({ chat: { body: { messages: [...HI, { role: 'assistant', tool_calls: [call('a', args), call('b', ' ')] }, user('b')] }, topK: null } })) as WireRequest;
    expect(made.body).toContain(`"input":${args}}`);
    expect(made.body).toContain('"input":{}}');
  });

  it('tie results to calls by ids that the wire takes', () => {
    const list = [user('a'), { role: 'assistant', tool_calls: [call('f.a:0'), call('f:a.0')] }, { role: 'tool', tool_call_id: 'f:a.0', content: 'second' }, { role: 'tool', tool_call_id: 'f.a:0', content: 'first' }];
    const { body } = messages(list);
    const [first, second] = body.messages[1].content.map(({ id }: Body) => id);
    expect(new Set([first, second]).size).toBe(2);
    expect(`${first}${second}`).toMatch(/^[\w-]+$/);
    expect(body.messages[2].content).toMatchObject([{ tool_use_id: second }, { tool_use_id: first }]);
  });

  it('of the deprecated kind are calls and results too', () => {
    const list = [user('a'), { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } }, { role: 'function', name: 'f', content: 'b' }];
    const { body } = ask({ messages: list, functions: [{ name: 'f', parameters: { type: 'object', properties: {} } }], function_call: { name: 'f' } });
    expect(body.messages[1].content).toMatchObject([{ type: 'tool_use', name: 'f', input: { a: 1 } }]);
    expect(body.messages[2].content).toEqual([{ type: 'tool_result', tool_use_id: body.messages[1].content[0].id, content: 'b' }]);
    expect(body).toMatchObject({ tools: [{ name: 'f' }], tool_choice: { type: 'tool', name: 'f' } });
  });

  it('ask for the cache by breakpoints: four of them, the last ones', () => {
    const part = (said: string) => ({ type: 'text', text: said, prompt_cache_breakpoint: { mode: 'explicit' } });
    const made = messages([{ role: 'system', content: [part('1'), part('2')] }, { role: 'user', content: [part('3'), part('4'), part('5')] }]);
    const marked = { cache_control: { type: 'ephemeral' } };
    expect(made.body.system).toEqual([text('1'), { ...text('2'), ...marked }]);
    expect(made.body.messages[0].content).toEqual(['3', '4', '5'].map((said) => ({ ...text(said), ...marked })));
    expect(made.dropped).toEqual(['prompt_cache_breakpoint']);
  });
});

describe('earlier thinking', () => {
  const FORMAT = 'anthropic-claude-v1';
  const back = (message: Body) => {
    const made = ask({ messages: [...HI, { role: 'assistant', content: 'a', ...message }, ...HI] });
    return { blocks: made.body.messages[1].content.slice(0, -1), dropped: made.dropped };
  };
  const signed = (thinking: string, signature: string) => ({ type: 'thinking', thinking, signature });

  it.each<[string, Body, unknown[], string[]]>([
    ['signed whole', { reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', format: FORMAT }] }, [signed('hm', 's')], []],
    ['with its text apart', { reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: '', signature: 's', format: FORMAT }] }, [signed('hm', 's')], []],
    ['in several blocks', { reasoning_content: 'hm, so', reasoning_details: [{ type: 'reasoning.text', text: '', signature: 's', format: FORMAT }, { type: 'reasoning.encrypted', data: 'e', format: FORMAT }, { type: 'reasoning.text', text: 'so', signature: 't', format: FORMAT }] }, [signed('hm, ', 's'), { type: 'redacted_thinking', data: 'e' }, signed('so', 't')], []],
    ['in pieces', { reasoning: 'hm!', reasoning_details: [{ type: 'reasoning.text', text: 'hm', format: FORMAT }, { type: 'reasoning.text', text: '!', format: null }, { type: 'reasoning.text', signature: 's', format: FORMAT }] }, [signed('hm!', 's')], []],
    ['that was not shown', { reasoning_details: [{ type: 'reasoning.text', text: '', signature: 's', format: FORMAT }, { type: 'reasoning.text', text: '', signature: 't', format: FORMAT }] }, [signed('', 's'), signed('', 't')], []],
    ['that is encrypted', { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', format: FORMAT }] }, [{ type: 'redacted_thinking', data: 'x' }], []],
    ['without a signature', { reasoning_content: 'hm' }, [], ['reasoning_content']],
    ['without a signature, in details', { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', format: FORMAT }] }, [], ['reasoning_details', 'reasoning']],
    ['of another wire', { reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', format: 'google-gemini-v1' }, { type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1' }] }, [], ['reasoning_details', 'reasoning_content']],
    ['of nobody knows whom', { reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }, { type: 'reasoning.encrypted', data: 'x' }, 7] }, [], ['reasoning_details']],
    ['whose text belongs to nobody knows which signature', { reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: '', signature: 's', format: FORMAT }, { type: 'reasoning.text', text: '', signature: 't', format: FORMAT }] }, [], ['reasoning_details', 'reasoning_content']],
  ])('%s', (_, message, blocks, dropped) => {
    expect(back(message)).toEqual({ blocks, dropped });
  });

  it('stands before text and calls', () => {
    const message = { role: 'assistant', content: 'a', tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }], reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', format: FORMAT }] };
    expect(ask({ messages: [...HI, message, { role: 'tool', tool_call_id: 'x', content: 'b' }] }).body.messages[1].content.map(({ type }: Body) => type)).toEqual(['thinking', 'text', 'tool_use']);
  });
});
