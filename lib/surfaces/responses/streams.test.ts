import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createAnswer } from '../../gateway/attempt/answer';
import { adapterFor } from '../../providers';
import { createSseReader, type Frame, type StreamEvent } from '../../wire';
import type { AnswerContext, ClientError } from '../surface';
import { CONTEXT, ESTIMATE, finish, reasoning, signature, text, tool, USAGE } from '../messages/test-events';
import { responses } from '.';
import { checkLadder, type Event, eventsOf } from './test-ladder';

const folder = path.join(import.meta.dirname, '__fixtures__');
const load = (file: string) => readFileSync(path.join(folder, file));
const TRUNCATED: ClientError = { message: 'cut', type: 'upstream_error', code: 'stream_truncated', param: null, metadata: { class: 'cut' } };

function written(events: StreamEvent[], context: Partial<AnswerContext> = {}, usage: typeof USAGE | null = USAGE): Event[] {
  const writer = responses.writer({ ...CONTEXT, ...context });
  const all: StreamEvent[] = usage === null ? events : [...events, { type: 'usage', usage }];
  const body = all.slice(0, -1).map((event) => writer.frame({ data: null, name: '', events: [event] })).join('');
  const closing = writer.closing([{ data: null, name: '', events: all.slice(-1) }], { identity: null, usage, finishReason: 'stop' }, 0, ESTIMATE);
  const out = eventsOf(body + closing);
  checkLadder(out);
  return out;
}
const last = (events: Event[]) => events.at(-1)!;
const outputOf = (events: Event[]) => last(events).response.output;

/** A recorded OpenAI stream through this surface, its bytes cut at `at`. */
function through(file: string, at: number): string {
  const reader = adapterFor('openai').streamReader();
  const writer = responses.writer({ ...CONTEXT, callId: 'FxRev' });
  const answer = createAnswer();
  const stash: Frame[] = [];
  let [out, failed, closing] = ['', false, false];
  const sse = createSseReader({
    onEvent: (data, name) => {
      const frame = reader.read(data, name);
      const input = answer.take(frame);
      if (input === 'error') failed = true;
      else if (input === 'finish') closing = true;
      if (closing || input === 'preamble') stash.push(frame);
      else if (!failed) out += writer.frame(frame);
    },
    onStray: () => {},
    onInvalid: () => {},
    onOverflow: () => {},
  });
  const bytes = load(file);
  for (const chunk of [bytes.subarray(0, at), bytes.subarray(at)]) sse.feed(chunk);
  sse.end();
  return out + (failed ? writer.truncated({ ...TRUNCATED, message: 'upstream closed', code: 'server_error' }) : writer.closing(stash.filter((frame) => frame.data !== null || frame.events.length > 0), answer, 0, ESTIMATE));
}

describe('recorded streams', () => {
  const passed: string[] = [];
  afterAll(() => console.log(`responses surface: ${passed.length} of 2 reverse fixtures`));

  test.each(['text', 'error-midstream'])('%s comes out as expected, however its bytes are cut', (name) => {
    const wanted = eventsOf(load(`${name}.responses.sse`).toString());
    const size = load(`${name}.in.sse`).length;
    const whole = eventsOf(through(`${name}.in.sse`, size));
    expect(whole.map(({ type }) => type)).toEqual(wanted.map(({ type }) => type));
    for (const [at, event] of wanted.entries()) expect(sameIds(whole[at]!)).toMatchObject(sameIds(expected(event, last(whole))));
    for (let at = 0; at < size; at++) expect(eventsOf(through(`${name}.in.sse`, at))).toEqual(whole);
    passed.push(name);
  });

  test('tools and reasoning become items of their own', () => {
    const tools = eventsOf(through('tools.in.sse', 0));
    checkLadder(tools);
    expect(outputOf(tools)).toMatchObject([
      { type: 'message', content: [{ text: 'Ok.' }] },
      { type: 'function_call', call_id: 'call_A', name: 'f', arguments: '{"a":1}', status: 'completed' },
      { type: 'function_call', call_id: 'call_B', name: 'g' },
    ]);
    const thinking = eventsOf(through('reasoning.in.sse', 0));
    checkLadder(thinking);
    expect(outputOf(thinking)).toMatchObject([{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }, { type: 'message', content: [{ text: '4' }] }]);
  });
});

/** Where this product says less, or more: what was never told is no member, and a failed response shows what there was of it. */
function expected(event: Event, end: Event): Event {
  const { response, ...rest } = structuredClone(event) as Event & { response?: any };
  if (response === undefined) return rest as Event;
  delete response.usage?.input_tokens_details?.cache_write_tokens;
  if (event.type === 'response.failed') response.output = end.response.output;
  return { ...rest, response } as unknown as Event;
}

/** Made-up ids are not compared. */
const sameIds = (event: Event): Event => JSON.parse(JSON.stringify(event).replace(/"((?:msg|resp)_FxRev)\w*"/g, '"$1"')) as Event;

describe('what a translated answer holds', () => {
  test('text and refusal are parts of one message', () => {
    expect(outputOf(written([text('a'), { type: 'refusal', choice: 0, text: 'no' }, finish('stop')]))).toMatchObject([{ type: 'message', content: [{ type: 'output_text', text: 'a' }, { type: 'refusal', refusal: 'no' }] }]);
  });

  test('calls whose pieces interleave stay apart', () => {
    expect(outputOf(written([tool(0, '', 'a', 'f'), tool(1, '', 'b', 'g'), tool(0, '{"x":'), tool(1, '{}'), tool(0, '1}'), finish('tool_calls')]))).toMatchObject([
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' },
      { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
    ]);
  });

  test('a call is told once its name is known', () => {
    const events = written([tool(0, '{', 'a'), tool(0, '', null, 'f'), tool(0, '}'), finish('tool_calls')]);
    expect(events.find(({ type }) => type === 'response.output_item.added')!.item).toMatchObject({ name: 'f', arguments: '' });
    expect(outputOf(events)).toMatchObject([{ name: 'f', arguments: '{}' }]);
  });

  test('a call of a custom tool is an item of that type', () => {
    const request = { tools: [{ type: 'custom', name: 'sh' }] };
    expect(outputOf(written([tool(0, '', 'a', 'sh'), tool(0, 'ls'), finish('tool_calls')], { request }))).toMatchObject([{ type: 'custom_tool_call', call_id: 'a', name: 'sh', input: 'ls' }]);
  });

  test('citations and log probabilities stand with their text', () => {
    const events = written([
      { type: 'logprobs', choice: 0, logprobs: { content: [{ token: 'a', logprob: -1 }], refusal: null } },
      text('a'),
      { type: 'annotation', choice: 0, annotation: { url: 'https://x.test', title: null, startIndex: 0, endIndex: 1 } },
      finish('stop'),
    ]);
    expect(outputOf(events)[0].content[0]).toMatchObject({ logprobs: [{ token: 'a' }], annotations: [{ type: 'url_citation', url: 'https://x.test', title: '', start_index: 0, end_index: 1 }] });
    expect(events.find(({ type }) => type === 'response.output_text.delta')!.logprobs).toEqual([{ token: 'a', logprob: -1 }]);
  });

  test.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ] as const)('%s is incomplete', (reason, why) => {
    const end = last(written([text('a'), finish(reason)]));
    expect([end.type, end.response.status, end.response.incomplete_details, end.response.output[0].status]).toEqual(['response.incomplete', 'incomplete', { reason: why }, 'incomplete']);
  });

  test('an empty answer is a response without output', () => {
    expect(outputOf(written([finish('stop')]))).toEqual([]);
  });

  test('usage is the provider’s, or an estimate that says so in this API’s words', () => {
    expect(last(written([text('a'), finish('stop')])).response.usage).toEqual({ input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 9, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 19 });
    expect(last(written([text('a'), finish('stop')], {}, null)).response.usage).toMatchObject({ input_tokens: 4, output_tokens: 2, source: 'estimate', estimated: ['input_tokens', 'output_tokens', 'total_tokens'] });
  });

  test('the request is repeated as the API does, and nothing is stored', () => {
    const { response } = last(written([text('a'), finish('stop')], { request: { instructions: 'be brief', temperature: 0.2, tools: [{ type: 'function', name: 'f' }], text: { verbosity: 'low' }, input: 'secret' } }));
    expect(response).toMatchObject({ instructions: 'be brief', temperature: 0.2, top_p: 1, store: false, tools: [{ name: 'f' }], text: { format: { type: 'text' }, verbosity: 'low' }, tool_choice: 'auto', previous_response_id: null });
    expect(response).not.toHaveProperty('input');
  });

  test('what was lost is named beside the response', () => {
    expect(last(written([text('a'), { type: 'dropped', what: 'web_search_call' }, finish('stop', { native: 'pause_turn' })])).ohm).toEqual({ dropped: ['web_search_call'], native_finish_reason: 'pause_turn' });
  });

  test('an answer that nobody could hold is told in its deltas only', () => {
    const events = written([text('x'.repeat(3 * 1024 * 1024)), tool(0, '', 'a', 'f'), finish('tool_calls')].map((event) => event)).filter(({ type }) => type !== 'response.output_item.done');
    expect(last(events)).toMatchObject({ response: { output: [] }, ohm: { output_omitted: true } });
    expect(JSON.stringify(events).length).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('signatures', () => {
  test('close their reasoning and come back to whoever signed it', () => {
    const output = outputOf(written([reasoning('hm'), signature('sig=='), text('a'), signature('red', { kind: 'encrypted' }), text('b'), finish('stop')]));
    expect(output).toMatchObject([{ type: 'reasoning', summary: [{ text: 'hm' }], encrypted_content: expect.stringContaining('sig==') }, { type: 'message' }, { type: 'reasoning', summary: [] }, { type: 'message' }]);
    const back = responses.canonical({ model: 'm', input: [{ role: 'user', content: 'q' }, ...output] });
    expect(back).toMatchObject({
      ok: true,
      dropped: [],
      chat: {
        body: {
          messages: [
            { role: 'user' },
            { role: 'assistant', content: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'sig==', format: 'anthropic-claude-v1' }, { type: 'reasoning.encrypted', data: 'red', format: 'anthropic-claude-v1' }] },
            { role: 'assistant', content: 'b' },
          ],
        },
      },
    });
  });

  test('of a call stand with it', () => {
    const output = outputOf(written([tool(0, '{}', 'a', 'f'), signature('g', { tool: 0, format: 'google-gemini-v1' }), finish('tool_calls')]));
    expect(output).toMatchObject([{ type: 'function_call', extra_content: { google: { thought_signature: 'g' } } }]);
    expect(responses.canonical({ model: 'm', input: output })).toMatchObject({ ok: true, chat: { body: { messages: [{ tool_calls: [{ id: 'a', extra_content: { google: { thought_signature: 'g' } } }] }] } } });
  });

  test('of this API are its own, and alone they show nothing', () => {
    const writer = responses.writer(CONTEXT);
    expect(writer.frame({ data: null, name: '', events: [signature('gA', { kind: 'encrypted', format: 'openai-responses-v1' })] })).toBe('');
    const out = eventsOf(writer.frame({ data: null, name: '', events: [text('a')] }));
    expect(out.find(({ type }) => type === 'response.output_item.done')!.item).toMatchObject({ type: 'reasoning', encrypted_content: 'gA' });
  });

  test('of other wires are taken out for a tier of this API', () => {
    const body = { model: 'm', input: [{ type: 'reasoning', summary: [], encrypted_content: 'ohm-v1:signature:x:y' }, { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}', extra_content: {} }, { type: 'reasoning', summary: [], encrypted_content: 'gA' }] };
    const taken = responses.ownText!(JSON.stringify(body), body)!;
    expect(taken.dropped).toEqual(['reasoning']);
    expect(JSON.parse(taken.text).input).toEqual([{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }, { type: 'reasoning', summary: [], encrypted_content: 'gA' }]);
    expect(responses.ownText!('{"input":"ohm-v1:"}', { input: 'ohm-v1:' })).toBeNull();
  });
});

test('a truncated answer ends in response.failed with the error where every client looks, and shows what there was', () => {
  const writer = responses.writer(CONTEXT);
  const out = eventsOf(writer.frame({ data: null, name: '', events: [text('half')] }) + writer.truncated(TRUNCATED));
  checkLadder(out);
  expect(last(out)).toMatchObject({ type: 'response.failed', error: TRUNCATED, response: { status: 'failed', error: { code: 'stream_truncated', message: 'cut', metadata: { class: 'cut' } }, output: [{ status: 'incomplete', content: [{ text: 'half' }] }] } });
});

test('a bridge is an event that the official client knows, with a number of its own', () => {
  const writer = responses.writer(CONTEXT);
  const out = eventsOf(writer.frame({ data: null, name: '', events: [text('a')] }) + writer.bridge({ identity: null, usage: null, finishReason: null }) + writer.frame({ data: null, name: '', events: [text('b')] }));
  checkLadder([...out, { type: 'response.failed', sequence_number: out.length }]);
  expect(out.at(-2)).toMatchObject({ type: 'response.in_progress', response: { status: 'in_progress', output: [] } });
});

describe('a tier of this API', () => {
  const own = () => responses.writer({ ...CONTEXT, own: true });
  const reader = () => adapterFor('openai-responses').streamReader();
  const created = '{"type":"response.created","sequence_number":0,"response":{"id":"resp_up","created_at":7,"model":"up"}}';
  const delta = '{ "type":"response.output_text.delta", "sequence_number": 41, "delta":"a", "vendor":1.50 }';

  test('keeps its bytes, and a name where a relay left it out', () => {
    const [writer, read] = [own(), reader()];
    expect(writer.frame(read.read(delta, ''))).toBe(`event: response.output_text.delta\ndata: ${delta}\n\n`);
  });

  test('cut, its stream ends in response.failed under its own id and the next number', () => {
    const [writer, read] = [own(), reader()];
    writer.frame(read.read(created, ''));
    writer.frame(read.read('{"type":"response.output_text.delta","sequence_number":41,"delta":"a"}', ''));
    const [bridge] = eventsOf(writer.bridge({ identity: null, usage: null, finishReason: null }));
    expect(bridge).toMatchObject({ type: 'response.in_progress', sequence_number: 41, response: { id: 'resp_up', model: 'up' } });
    expect(eventsOf(writer.truncated(TRUNCATED))).toMatchObject([{ type: 'response.failed', sequence_number: 42, error: TRUNCATED, response: { id: 'resp_up', created_at: 7, model: 'up', status: 'failed' } }]);
  });

  test('that tells no usage gets an estimate, and lost frames are named', () => {
    const frame = reader().read('{"type":"response.completed","sequence_number":9,"response":{"id":"resp_up","output":[]}}', '');
    expect(eventsOf(own().closing([frame], { identity: null, usage: null, finishReason: 'stop' }, 1, ESTIMATE))).toMatchObject([{ type: 'response.completed', response: { usage: { source: 'estimate' } }, ohm: { malformed_events: 1 } }]);
    expect(own().closing([frame], { identity: null, usage: USAGE, finishReason: 'stop' }, 0, ESTIMATE)).toBe(`event: response.completed\ndata: ${frame.data}\n\n`);
  });
});

const anyEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc.string({ minLength: 1 }).map(text),
  fc.string({ minLength: 1 }).map(reasoning),
  fc.string({ minLength: 1 }).map((said): StreamEvent => ({ type: 'refusal', choice: 0, text: said })),
  fc.tuple(fc.nat(2), fc.string(), fc.option(fc.string({ minLength: 1 })), fc.option(fc.constantFrom('f', 'sh'))).map(([index, json, id, name]) => tool(index, json, id, name)),
  fc.tuple(fc.string({ minLength: 1 }), fc.constantFrom('signature' as const, 'encrypted' as const), fc.constantFrom(null, null, 0)).map(([data, kind, of]) => signature(data, { kind, tool: of })),
  fc.constant<StreamEvent>({ type: 'annotation', choice: 0, annotation: { url: 'https://x.test', title: 't', startIndex: null, endIndex: null } }),
);

test('whatever order events come in, the ladder holds, and reads back as the same text, calls and ending', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 20 }), fc.constantFrom('stop' as const, 'length' as const), (events, reason) => {
      const named = events.map((event, at): StreamEvent => (event.type === 'tool_call' && !events.slice(0, at).some((other) => other.type === 'tool_call' && other.index === event.index) ? { ...event, id: `id${at}`, name: 'f' } : event));
      const out = written([...named, finish(reason)], { request: { tools: [{ type: 'custom', name: 'sh' }] } });
      const read = adapterFor('openai-responses').streamReader();
      const back = out.flatMap((event) => read.read(JSON.stringify(event), event.type).events);
      const joined = (list: StreamEvent[], type: 'text' | 'refusal') => list.map((event) => (event.type === type ? event.text : '')).join('');
      for (const type of ['text', 'refusal'] as const) expect(joined(back, type)).toBe(joined(named, type));
      expect(back.some(({ type }) => type === 'malformed' || type === 'error')).toBe(false);
      expect(back.findLast((event) => event.type === 'finish')?.reason).toBe(reason === 'length' ? 'length' : named.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop');
    }),
    { numRuns: 400 },
  );
});

test('a whole answer is what its stream would have come to', () => {
  const events: StreamEvent[] = [reasoning('hm'), signature('s'), text('a'), tool(0, '{}', 'x', 'f'), { type: 'dropped', what: 'y' }, finish('tool_calls'), { type: 'usage', usage: USAGE }];
  const { ohm, ...whole } = JSON.parse(responses.whole(events, CONTEXT, ESTIMATE)) as Record<string, unknown>;
  const end = last(written(events.slice(0, -1)));
  expect([whole, ohm]).toEqual([end.response, end.ohm]);
});
