import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../wire';
import { CONTEXT, ESTIMATE, finish, reasoning, text, USAGE } from '../messages/test-events';
import { completions } from '.';

const canonical = (body: Record<string, unknown>) => completions.canonical({ model: 'auto', prompt: 'hi', ...body });

describe('a prompt', () => {
  test('becomes what one user says', () => {
    expect(canonical({ max_tokens: 5, temperature: 0, n: 2, best_of: 2, stop: ['x'], echo: false, suffix: '', logprobs: null, stream: true, user: 'u', vendor: 1 })).toEqual({
      ok: true,
      chat: { topK: null, body: { messages: [{ role: 'user', content: 'hi' }], max_completion_tokens: 5, temperature: 0, n: 2, stop: ['x'], user: 'u' } },
      dropped: ['vendor'],
      places: ['prompt'],
    });
    expect(canonical({ prompt: ['hi'] })).toMatchObject({ ok: true, chat: { body: { messages: [{ content: 'hi' }] } } });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ prompt: ['a', 'b'] }, 'prompt'],
    [{ prompt: [1, 2] }, 'prompt'],
    [{ prompt: [[1, 2]] }, 'prompt'],
    [{ echo: true }, 'echo'],
    [{ suffix: 'x' }, 'suffix'],
    [{ best_of: 2 }, 'best_of'],
    [{ logprobs: 0 }, 'logprobs'],
  ])('%j cannot be put to a chat, and `%s` is named', (body, param) => {
    expect(canonical(body)).toMatchObject({ ok: false, why: { param } });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ model: 7 }, 'model'],
    [{ prompt: undefined }, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ stream: 1 }, 'stream'],
    [{ stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
  ])('%j is at fault in `%s`', (body, param) => {
    expect(completions.read({ model: 'auto', prompt: 'hi', ...body })).toMatchObject({ param });
  });
});

describe('an answer', () => {
  const events: StreamEvent[] = [reasoning('hm'), text('a'), text('b'), { type: 'text', choice: 1, text: 'c' }, finish('stop'), { ...finish('length'), choice: 1 } as StreamEvent];
  const stream = (usageWish: 'asked' | 'silent' | 'declined', usage: typeof USAGE | null = USAGE) => {
    const writer = completions.writer({ ...CONTEXT, usageWish });
    const body = events.slice(0, -1).map((event) => writer.frame({ data: null, name: '', events: [event] })).join('');
    const out = body + writer.closing([{ data: null, name: '', events: events.slice(-1) }], { identity: null, usage, finishReason: 'stop' }, 0, ESTIMATE);
    return out.split('\n\n').filter((block) => block !== '').map((block) => (block === 'data: [DONE]' ? 'DONE' : (JSON.parse(block.slice('data: '.length)) as Record<string, any>)));
  };

  test('is chunks of text, then reasons, usage and [DONE]', () => {
    const chunks = stream('asked') as Record<string, any>[];
    expect(chunks.slice(0, 3).map(({ choices: [{ text: said, index }] }) => [index, said])).toEqual([[0, 'a'], [0, 'b'], [1, 'c']]);
    expect(chunks.slice(3, 5).map(({ choices: [choice] }) => choice)).toEqual([
      { text: '', index: 0, logprobs: null, finish_reason: 'stop' },
      { text: '', index: 1, logprobs: null, finish_reason: 'length' },
    ]);
    expect(chunks[5]).toMatchObject({ id: 'cmpl-call_1', object: 'text_completion', model: CONTEXT.model, choices: [], usage: { prompt_tokens: 10 }, ohm: { dropped: ['reasoning'] } });
    expect(chunks.at(-1)).toBe('DONE');
  });

  test('has usage as it was asked for', () => {
    expect((stream('silent').at(-2) as Record<string, any>).choices).toEqual([{ text: '', index: 0, logprobs: null, finish_reason: null }]);
    expect(stream('declined').some((chunk) => typeof chunk === 'object' && 'usage' in chunk)).toBe(false);
    expect(stream('asked', null).at(-2)).toMatchObject({ usage: { source: 'estimate' } });
  });

  test('may come whole', () => {
    expect(JSON.parse(completions.whole([...events, { type: 'usage', usage: USAGE }], CONTEXT, ESTIMATE))).toMatchObject({
      object: 'text_completion',
      choices: [
        { text: 'ab', index: 0, logprobs: null, finish_reason: 'stop' },
        { text: 'c', index: 1, logprobs: null, finish_reason: 'length' },
      ],
      usage: { prompt_tokens: 10 },
      ohm: { dropped: ['reasoning'] },
    });
  });

  test('that was cut ends in an error without [DONE]', () => {
    const writer = completions.writer(CONTEXT);
    expect(writer.truncated({ message: 'cut', type: 'upstream_error', code: 'stream_truncated', param: null })).toBe('data: {"error":{"message":"cut","type":"upstream_error","code":"stream_truncated","param":null}}\n\n');
  });
});
