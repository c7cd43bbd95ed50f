import { afterEach, describe, expect, it, test } from 'vitest';
import { openai, type Script, scriptedUpstream, type Step } from '../../../e2e/harness';
import { adapterFor, NO_QUIRKS, type Wire, WIRES } from '../../providers';
import { isStorable } from '../../replay/storable';
import { charactersParsed, elementsPassed } from '../../std/test-work';
import { surfaceAt } from '../../surfaces';
import { wrapSignature } from '../../surfaces/messages/signatures';
import type { Frame, StreamEvent } from '../../wire';
import { createAnswer } from '../attempt/answer';
import { BOUNDS } from '../attempt/bounds';
import { TEST_KEY, testEngine } from '../test-engine';

/** An answer with very many tool calls costs as much for each as one with few: no one of them is looked up among all the others. */
const FEW = 200;
const MANY = 2_000;
const GROWTH = (MANY / FEW) * 1.5;

const growth = (work: (calls: number) => () => void): number => elementsPassed(work(MANY)) / Math.max(FEW, elementsPassed(work(FEW)));

describe.each(WIRES)('%s', (wire) => {
  it('reads a stream with many tool calls', () => {
    expect(growth((calls) => {
      const lines = streamOf(wire, calls);
      return () => expect(calledIn(read(wire, lines).flatMap(({ events }) => events))).toBe(calls);
    })).toBeLessThan(GROWTH);
  });

  it('reads a whole answer with many tool calls', () => {
    expect(growth((calls) => {
      const body = JSON.stringify(wholeOf(wire, calls));
      return () => {
        const whole = adapterFor(wire).wholeBody(body, 'chat');
        expect(whole.ok && calledIn(whole.events)).toBe(calls);
      };
    })).toBeLessThan(GROWTH);
  });
});

it('tells OpenAI\'s tool calls apart by index, by place in the list, and by id', () => {
  const shapes = [(at: number) => ({ index: at, id: `c${at}` }), (at: number) => ({ index: at }), () => ({}), (at: number) => ({ id: `c${at}` }), (at: number) => ({ index: 0, id: `c${at}` })];
  for (const shape of shapes) {
    expect(growth((calls) => {
      const list = Array.from({ length: calls }, (_, at) => ({ ...shape(at), function: { name: 'f', arguments: '{' } }));
      const data = JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: list } }] });
      return () => void expect(calledIn(read('openai', [data]).flatMap(({ events }) => events))).toBe(calls);
    })).toBeLessThan(GROWTH);
  }
});

test('an attempt, and the inventory of answers, take many tool calls down', () => {
  expect(growth((calls) => {
    const frames = read('openai', streamOf('openai', calls));
    return () => {
      const answer = createAnswer();
      for (const frame of frames) answer.take(frame);
      expect(answer.toolArgumentsParse() && isStorable(frames.flatMap(({ events }) => events), false)).toBe(true);
    };
  })).toBeLessThan(GROWTH);
});

describe.each(['/v1/chat/completions', '/v1/messages', '/v1/responses'])('%s', (path) => {
  it('writes many tool calls, also with pieces that interleave', () => {
    const surface = surfaceAt(path)!;
    expect(growth((calls) => {
      const events = interleaved(calls);
      return () => {
        const writer = surface.writer(CONTEXT);
        let out = '';
        for (const event of events) out += writer.frame({ data: null, name: '', events: [event] });
        out += writer.closing([], { identity: null, usage: null, finishReason: 'tool_calls' }, 0, estimate);
        expect(out).toContain(`"f${calls - 1}"`);
        expect(surface.whole(events, CONTEXT, estimate)).toContain(`"f${calls - 1}"`);
      };
    })).toBeLessThan(GROWTH);
  });
});

describe('requests that bring many tool calls back', () => {
  const asked: [string, string, (calls: number) => Record<string, unknown>][] = [
    ['chat completions', '/v1/chat/completions', (calls) => ({ messages: chatOf(calls) })],
    ['messages whose calls are signed', '/v1/messages', (calls) => ({ max_tokens: 9, messages: messagesOf(calls) })],
    ['responses', '/v1/responses', (calls) => ({ input: itemsOf(calls, false) })],
    ['responses with words between the calls', '/v1/responses', (calls) => ({ input: itemsOf(calls, true) })],
  ];
  for (const [name, path, body] of asked) {
    it(`${name} are put into every wire's words`, () => {
      const surface = surfaceAt(path)!;
      expect(growth((calls) => {
        const request = body(calls);
        return () => {
          const made = surface.canonical(request);
          if (!made.ok) throw new Error(made.why.message);
          for (const wire of WIRES) {
            const sent = adapterFor(wire).request({ operation: 'chat', own: null, chat: made.chat, model: 'm', stream: false, withoutStreamOptions: false, apiKey: null, headers: {}, quirks: NO_QUIRKS, maxOutputTokens: null });
            expect('body' in sent && sent.body.includes(`c${calls - 1}`)).toBe(true);
          }
        };
      })).toBeLessThan(GROWTH);
    });
  }
});

describe('what comes once and is told with every frame', () => {
  it('arguments that have parsed are not parsed again for each finish reason', () => {
    const text = JSON.stringify({ path: 'x'.repeat(1_000) });
    const named = (count: number) => charactersParsed(() => {
      const answer = createAnswer();
      answer.take({ data: null, name: '', events: [{ type: 'tool_call', choice: 0, index: 0, id: 'c', name: 'f', arguments: text }] });
      for (let at = 0; at < count; at++) {
        answer.take({ data: null, name: '', events: [{ type: 'tool_call', choice: 0, index: 0, id: null, name: null, arguments: ' ' }, { type: 'finish', choice: 0, reason: 'tool_calls', native: null, stopSequence: null }] });
        expect(answer.toolArgumentsParse()).toBe(true);
      }
    });
    expect(named(MANY)).toBe(named(1));
  });

  it('members of usage that nobody knows are not copied for each event that tells of it', () => {
    expect(growth((members) => {
      const lines = [{ usage: { input_tokens: 1, ...Object.fromEntries(listOf(members, (at) => [`m${at}`, at])) } }, ...listOf(members, () => ({ usage: { output_tokens: 2 } }))].map((event) => JSON.stringify({ type: 'message_delta', delta: {}, ...event }));
      return () => {
        const usages = read('anthropic', lines).flatMap(({ events }) => events).filter(({ type }) => type === 'usage');
        expect(usages.at(-1)).toMatchObject({ usage: { promptTokens: 1, completionTokens: 2, reported: { usage: { m0: 0 } } } });
      };
    })).toBeLessThan(GROWTH);
  });

  it('log probabilities that came piece by piece are put together once', () => {
    expect(growth((pieces) => {
      const events = listOf<StreamEvent>(pieces, (at) => ({ type: 'logprobs', choice: 0, logprobs: { content: [{ token: `t${at}` }] } }));
      return () => {
        const whole = surfaceAt('/v1/chat/completions')!.whole(events, CONTEXT, estimate);
        expect(whole).toContain(`"t${pieces - 1}"`);
        expect(events[0]).toMatchObject({ logprobs: { content: [{ token: 't0' }] } });
      };
    })).toBeLessThan(GROWTH);
  });
});

describe('more tool calls than any answer has', () => {
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  const BOUND = 20;

  async function askedOf(script: Script, stream: boolean, bad: Wire = 'openai') {
    const [engine, first, second] = await Promise.all([testEngine({ bounds: { ...BOUNDS, toolCalls: BOUND } }), scriptedUpstream(script), scriptedUpstream(stream ? openai.streamOf('saved') : openai.json(200, openai.completion('saved')))]);
    opened.push(engine.close, first.close, second.close);
    engine.route([{ url: first.origin, wire: bad }, { url: second.origin }]);
    const answer = await fetch(`${engine.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'auto', stream, messages: [{ role: 'user', content: 'hello' }] }) });
    return { said: await answer.text(), row: (await engine.settled(1))[0]!, contacts: first.contacts.length };
  }
  const framed = (lines: readonly string[]): Step[] => [openai.sseHead(), { send: lines.map((line) => `data: ${line}\n\n`).join('') }, 'end'];

  const failedOnce = { state: 'finished', tier: 2, attempts: [{ state: 'failed', class: 'malformed' }, { state: 'finished' }] };
  const truncated = { state: 'truncated', attempts: [{ state: 'truncated', class: 'malformed' }] };

  it.each(WIRES)('are no answer on the wire %s, and it is not asked twice', async (wire) => {
    const { said, row, contacts } = await askedOf(openai.json(200, wholeOf(wire, BOUND + 1)), false, wire);
    expect([said.includes('saved'), contacts]).toEqual([true, 1]);
    expect(row).toMatchObject(failedOnce);
  });

  it.each([
    ['openai', failedOnce],
    ['gemini', failedOnce],
    // Here they come one by one: the first is with the client.
    ['anthropic', truncated],
    ['openai-responses', truncated],
  ] as const)('end a stream of the wire %s', async (wire, row) => {
    expect((await askedOf(framed(streamOf(wire, BOUND + 1)), true, wire)).row).toMatchObject(row);
    expect((await askedOf(framed(streamOf(wire, BOUND)), true, wire)).row).toMatchObject({ state: 'finished', tier: 1 });
  });

  it('are no lawful end either, where they follow a finish reason', async () => {
    const [many] = streamOf('openai', BOUND + 1);
    const { said, row } = await askedOf([openai.sseHead(), openai.text('first'), { waitMs: 20 }, openai.finish(), { send: `data: ${many}\n\n` }, 'end'], true);
    expect(row).toMatchObject(truncated);
    expect(said).not.toContain('[DONE]');
  });
});

const CONTEXT = { own: false, callId: 'call_1', createdS: 1, model: 'm', usageWish: 'silent' as const, request: {} };
const estimate = () => ({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } as never, estimated: [] });

const read = (wire: Wire, lines: readonly string[]): Frame[] => {
  const reader = adapterFor(wire).streamReader();
  return lines.map((line) => reader.read(line, ''));
};

function calledIn(events: readonly StreamEvent[]): number {
  const seen = new Set<number>();
  for (const event of events) if (event.type === 'tool_call') seen.add(event.index);
  return seen.size;
}

/** All calls begin, then each goes on. */
function interleaved(calls: number): StreamEvent[] {
  const events: StreamEvent[] = [{ type: 'choice', choice: 0 }];
  for (let index = 0; index < calls; index++) events.push({ type: 'tool_call', choice: 0, index, id: `c${index}`, name: `f${index}`, arguments: '' });
  for (let index = 0; index < calls; index++) events.push({ type: 'tool_call', choice: 0, index, id: null, name: null, arguments: '{}' });
  events.push({ type: 'finish', choice: 0, reason: 'tool_calls', native: null, stopSequence: null });
  return events;
}

const HELLO = { role: 'user', content: 'hello' };

const chatOf = (calls: number): object[] => [
  HELLO,
  { role: 'assistant', content: null, tool_calls: listOf(calls, (at) => ({ id: `c${at}`, type: 'function', function: { name: 'f', arguments: '{}' } })) },
  ...listOf(calls, (at) => ({ role: 'tool', tool_call_id: `c${calls - 1 - at}`, content: 'r' })),
];

/** As this gateway gives Gemini's signatures to clients of that API: a block for each call. */
const messagesOf = (calls: number): object[] => [
  HELLO,
  {
    role: 'assistant',
    content: listOf(calls, (at) => [
      { type: 'tool_use', id: `c${at}`, name: 'f', input: {} },
      { type: 'redacted_thinking', data: wrapSignature({ type: 'signature', choice: 0, format: 'google-gemini-v1', kind: 'signature', data: 'SIG', tool: at }, `c${at}`) },
    ]).flat(),
  },
  { role: 'user', content: listOf(calls, (at) => ({ type: 'tool_result', tool_use_id: `c${at}`, content: 'r' })) },
];

const itemsOf = (calls: number, words: boolean): object[] => [
  HELLO,
  ...listOf(calls, (at) => [...(words ? [{ role: 'assistant', content: 'so' }] : []), { type: 'function_call', call_id: `c${at}`, name: 'f', arguments: '{}' }]).flat(),
  ...listOf(calls, (at) => ({ type: 'function_call_output', call_id: `c${at}`, output: 'r' })),
];

const listOf = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));

function wholeOf(wire: Wire, calls: number): object {
  switch (wire) {
    case 'openai':
      return { id: 'a', choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: listOf(calls, (at) => ({ id: `c${at}`, type: 'function', function: { name: 'f', arguments: '{}' } })) }, finish_reason: 'tool_calls' }] };
    case 'anthropic':
      return { id: 'a', type: 'message', content: listOf(calls, (at) => ({ type: 'tool_use', id: `c${at}`, name: 'f', input: {} })), stop_reason: 'tool_use' };
    case 'gemini':
      return { candidates: [{ content: { parts: listOf(calls, () => ({ functionCall: { name: 'f', args: {} } })) }, finishReason: 'STOP' }] };
    case 'openai-responses':
      return { id: 'a', object: 'response', status: 'completed', output: listOf(calls, (at) => ({ type: 'function_call', id: `i${at}`, call_id: `c${at}`, name: 'f', arguments: '{}' })) };
  }
}

function streamOf(wire: Wire, calls: number): string[] {
  switch (wire) {
    case 'openai': {
      const list = listOf(calls, (index) => ({ index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } }));
      return [{ choices: [{ index: 0, delta: { tool_calls: list } }] }, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }].map((chunk) => JSON.stringify(chunk));
    }
    case 'anthropic':
      return [
        { type: 'message_start', message: { id: 'a' } },
        ...listOf(calls, (index) => [{ type: 'content_block_start', index, content_block: { type: 'tool_use', id: `c${index}`, name: 'f', input: {} } }, { type: 'content_block_stop', index }]).flat(),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      ].map((event) => JSON.stringify(event));
    case 'gemini':
      return [JSON.stringify(wholeOf(wire, calls))];
    case 'openai-responses':
      return [
        ...listOf(calls, (at) => ({ type: 'response.output_item.done', output_index: at, item: { type: 'function_call', id: `i${at}`, call_id: `c${at}`, name: 'f', arguments: '{}' } })),
        { type: 'response.completed', response: { id: 'a', status: 'completed', output: [] } },
      ].map((event) => JSON.stringify(event));
  }
}
