import { afterEach, describe, expect, test } from 'vitest';
import { anthropic, openai, type Script, scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
import type { SaverId } from '../savers';
import { sample } from '../savers/samples';
import { TEST_KEY, testEngine, type TestEngine, type TestTier } from './test-engine';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** An engine whose key has savers, over one upstream behind every tier. */
async function engineOver(script: Script, options: { savers?: SaverId[]; holdoutPercent?: number; keepsTexts?: boolean; tiers?: number; wire?: TestTier['wire'] } = {}): Promise<{ engine: TestEngine; upstream: ScriptedUpstream }> {
  const { savers = ['json-compact', 'blank-lines'], holdoutPercent = 0, keepsTexts = false, tiers = 1, wire = 'openai' } = options;
  const upstream = await scriptedUpstream(script);
  const engine = await testEngine();
  opened.push(upstream, engine);
  engine.route(Array.from({ length: tiers }, () => ({ url: upstream.origin, wire })));
  engine.caller().key.saving = { savers, holdoutPercent, keepsTexts };
  return { engine, upstream };
}

const JSON_RESULT = '{\n  "a": 1.50,\n  "b": [ 1, 2 ]\n}';
const MESSAGES = [
  { role: 'user', content: 'one \n\n\n\ntwo' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{ "n": 12345678901234567890 }' } }] },
  { role: 'tool', tool_call_id: 'c1', content: JSON_RESULT },
];
const SAVED = ['one\n\ntwo', null, '{"a":1.50,"b":[1,2]}'];

async function post(engine: TestEngine, body: string | object, headers: Record<string, string> = {}, path = '/v1/chat/completions') {
  const response = await fetch(`${engine.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The row, once its tokens are in it. */
async function counted(engine: TestEngine, at = 0) {
  const rows = await engine.settled(at + 1);
  await expect.poll(() => rows[at]!.tokens_before ?? null, { timeout: 10_000 }).not.toBeNull();
  return rows[at]!;
}

const contents = (body: string): unknown[] => (JSON.parse(body) as { messages: { content: unknown }[] }).messages.map(({ content }) => content);

describe('a key with savers', () => {
  test('has its messages rewritten, and nothing else: every other byte goes out as it came', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'));
    const body = `{ "model":"auto", "stream":true,"messages": [ {"role":"user","content":"one \\n\\n\\n\\ntwo" , "name":"n"} ,{"role":"tool","tool_call_id":"c","content":"{ \\"a\\": 1 }"}], "x" : 12345678901234567890, "seed":1.0 }`;
    expect((await post(engine, body)).status).toBe(200);
    const sent = upstream.contacts[0]!.body;
    const expected = body.replace('"one \\n\\n\\n\\ntwo"', '"one\\n\\ntwo"').replace('"{ \\"a\\": 1 }"', '"{\\"a\\":1}"').replace('"auto"', '"model-1"');
    expect(sent.replace(/,"stream_options":.*?\}/, '')).toBe(expected);
  });

  test('sees on the row what each did, in bytes and in tokens', async () => {
    const { engine } = await engineOver(openai.streamOf('ok'));
    await post(engine, { model: 'auto', stream: true, messages: MESSAGES });
    const row = await counted(engine);
    expect(row).toMatchObject({
      arm: 'treated',
      conversation: expect.stringMatching(/^[\w-]{16}$/),
      tokenizer: '~o200k_base',
      savers: [
        { saver: 'json-compact', texts: 1, bytes_before: JSON_RESULT.length, bytes_after: 20, undone: null },
        { saver: 'blank-lines', texts: 1, bytes_before: 11, bytes_after: 8, undone: null },
      ],
    });
    const { tokens_before: before, tokens_after: after, savers } = row;
    const bySaver = savers!.reduce((sum, each) => sum + each.tokens_before! - each.tokens_after!, 0);
    expect(before! - after!).toBe(bySaver);
    expect(bySaver).toBeGreaterThan(0);
  });

  test('has them rewritten for a tier of another dialect too, from the Messages API', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'));
    const messages = [
      { role: 'user', content: 'one \n\n\n\ntwo' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { n: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: JSON_RESULT }, { type: 'text', text: 'go \n\n\n\non' }] },
    ];
    await post(engine, { model: 'auto', stream: true, max_tokens: 10, messages }, {}, '/v1/messages');
    expect(contents(upstream.contacts[0]!.body)).toEqual(['one\n\ntwo', null, '{"a":1.50,"b":[1,2]}', 'go\n\non']);
  });

  test('that keeps rewritten texts has them kept, before and after, and nothing of other calls', async () => {
    const { engine } = await engineOver(openai.streamOf('ok'), { keepsTexts: true });
    const kept: [string, unknown][] = [];
    engine.engine.saving.keepTexts = ({ id }, texts) => void kept.push([id, texts]);
    await post(engine, { model: 'auto', stream: true, messages: MESSAGES });
    await post(engine, { model: 'auto', stream: true, messages: [{ role: 'user', content: 'tidy' }] });
    await post(engine, { model: 'auto', stream: true, messages: MESSAGES }, { 'x-ohm-savers': 'off' });
    const rows = await engine.settled(3);
    expect(kept).toEqual([
      [
        rows[0]!.id,
        [
          { role: 'user', message: 1, savers: ['blank-lines'], before: MESSAGES[0]!.content, after: SAVED[0] },
          { role: 'tool', message: 3, savers: ['json-compact'], before: JSON_RESULT, after: SAVED[2] },
        ],
      ],
    ]);
  });

  test('that keeps none has none kept', async () => {
    const { engine } = await engineOver(openai.streamOf('ok'));
    engine.engine.saving.keepTexts = () => expect.unreachable();
    await post(engine, { model: 'auto', stream: true, messages: MESSAGES });
    expect((await counted(engine)).savers).toHaveLength(2);
  });

  test('says off, and nothing is rewritten; the tokens are counted, in neither arm', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'));
    await post(engine, { model: 'auto', messages: MESSAGES, stream: true }, { 'x-ohm-savers': 'off' });
    expect(contents(upstream.contacts[0]!.body)).toEqual(MESSAGES.map(({ content }) => content));
    const row = await counted(engine);
    expect([row.arm, row.conversation, row.savers, row.tokens_before === row.tokens_after]).toEqual([null, null, [], true]);
    expect((await post(engine, { model: 'auto', messages: MESSAGES }, { 'x-ohm-savers': 'on' })).status).toBe(400);
  });

  test('sends a conversation of the hold-out as it came, and all of its turns alike', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'), { holdoutPercent: 50 });
    for (let each = 0; each < 24; each++) {
      const first = { role: 'user', content: `conversation ${each >> 1} \n\n\n\nx` };
      await post(engine, { model: 'auto', stream: true, messages: each % 2 === 0 ? [first] : [first, { role: 'assistant', content: 'y' }, { role: 'user', content: 'and?' }] });
    }
    const rows = await engine.settled(24);
    const arms = rows.map(({ arm }) => arm);
    expect(new Set(arms)).toEqual(new Set(['treated', 'holdout']));
    for (let each = 0; each < 24; each += 2) expect([arms[each], rows[each]!.conversation]).toEqual([arms[each + 1], rows[each + 1]!.conversation]);
    expect(new Set(rows.map(({ conversation }) => conversation)).size).toBe(12);
    upstream.contacts.forEach(({ body }, at) => expect(/\\n\\n\\n\\n/.test(body)).toBe(arms[at] === 'holdout'));
  });

  test('changes nothing before a cache mark, nor between two turns of which one has moved it', async () => {
    const { engine, upstream } = await engineOver(anthropic.streamOf('ok'), { wire: 'anthropic' });
    const mark = { cache_control: { type: 'ephemeral' } };
    const user = (text: string, marked: object = {}) => ({ role: 'user', content: [{ type: 'text', text, ...marked }] });
    const ask = (system: unknown, messages: unknown[]) => post(engine, { model: 'auto', stream: true, max_tokens: 10, system, messages }, {}, '/v1/messages');
    const [one, two] = ['stays \n\n\n\nso', 'b \n\n\n\nc'];
    await ask('s', [user(one, mark)]);
    await ask('s', [user(one), { role: 'assistant', content: 'a' }, user(two, mark)]);
    await ask([{ type: 'text', text: one, ...mark }], [user(two)]);
    expect(upstream.contacts.map(({ body }) => contents(body))).toEqual([[user(one, mark).content], [user(one).content, 'a', user(two, mark).content], [user('b\n\nc').content]]);
    expect((JSON.parse(upstream.contacts[2]!.body) as { system: unknown }).system).toEqual([{ type: 'text', text: one, ...mark }]);
  });

  test('has a long conversation rewritten in a thread, with the same receipts', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'));
    await post(engine, { model: 'auto', stream: true, messages: [{ role: 'user', content: 'hi' }, { role: 'tool', tool_call_id: 'c', content: sample('json', 150_000) }] });
    const row = await counted(engine);
    expect(row.savers).toMatchObject([{ saver: 'json-compact', texts: 1, undone: null }]);
    expect(upstream.contacts[0]!.body.length).toBeLessThan(140_000);
    expect(row.tokens_after).toBeLessThan(row.tokens_before!);
  });

  test('is answered with the client’s own words in what repeats the request', async () => {
    const { engine } = await engineOver(openai.streamOf('ok'));
    const answer = await post(engine, { model: 'auto', stream: true, instructions: 'be \n\n\n\nbrief', input: 'hello' }, {}, '/v1/responses');
    expect(answer.text).toContain('"instructions":"be \\n\\n\\n\\nbrief"');
  });

  test('of exact replay: the name of an answer holds the savers, and a hit draws no arm', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'), { holdoutPercent: 0 });
    engine.keepAnswers();
    const ask = (headers: Record<string, string> = {}) => post(engine, { model: 'auto', stream: true, messages: MESSAGES }, headers);
    expect((await ask()).headers.get('x-at-cache')).toBe('MISS');
    expect((await ask()).headers.get('x-at-cache')).toBe('HIT');
    expect((await ask({ 'x-ohm-savers': 'off' })).headers.get('x-at-cache')).toBe('MISS');
    expect(upstream.contacts).toHaveLength(2);
    const [, hit] = await engine.settled(3);
    expect([hit!.arm ?? null, hit!.savers ?? null, hit!.tokens_before ?? null]).toEqual([null, null, null]);
  });
});

describe('a provider that refuses what was sent', () => {
  const refusal = (code: string, message: string) => openai.error(400, message, { type: 'invalid_request_error', code });

  test('is asked once more with the client’s own words, and the row says so', async () => {
    const { engine, upstream } = await engineOver([refusal('bad', 'I do not like this'), openai.streamOf('ok')]);
    const answer = await post(engine, { model: 'auto', stream: true, messages: MESSAGES });
    expect([answer.status, answer.headers.get('x-ohm-attempts')]).toEqual([200, '2']);
    expect(upstream.contacts.map(({ body }) => contents(body))).toEqual([SAVED, MESSAGES.map(({ content }) => content)]);
    const row = await counted(engine);
    expect(row.attempts.map(({ state, upstream_status: status }) => [state, status])).toEqual([['failed', 400], ['finished', 200]]);
    expect(row.savers).toMatchObject([{ saver: 'json-compact', texts: 0, undone: 'provider_refused' }, { saver: 'blank-lines', texts: 0, undone: 'provider_refused' }]);
    expect(row.tokens_after).toBe(row.tokens_before);
  });

  test('is not asked a third time: its second refusal is the caller’s', async () => {
    const { engine, upstream } = await engineOver([refusal('bad', 'never'), refusal('bad', 'never'), openai.streamOf('no')]);
    const answer = await post(engine, { model: 'auto', stream: true, messages: MESSAGES });
    expect([answer.status, upstream.contacts.length]).toEqual([400, 2]);
    expect(answer.text).toContain('never');
  });

  test.each([
    ['a context that is too long', 'context_length_exceeded', 'This model’s maximum context length is 10 tokens', 2],
    ['a policy', 'content_policy_violation', 'Your request was rejected by our safety system: content_policy', 1],
  ])('for %s is not asked again', async (_, code, message, contacts) => {
    const { engine, upstream } = await engineOver(refusal(code, message), { tiers: 2 });
    await post(engine, { model: 'auto', stream: true, messages: MESSAGES });
    expect(upstream.contacts.map(({ body }) => contents(body))).toEqual(Array.from({ length: contacts }, () => SAVED));
  });

  test('is asked as ever where no saver changed anything', async () => {
    const { engine, upstream } = await engineOver(refusal('bad', 'never'));
    await post(engine, { model: 'auto', stream: true, messages: [{ role: 'user', content: 'tidy' }] });
    expect(upstream.contacts).toHaveLength(1);
  });
});

describe('a saver that fails', () => {
  test('by a worker that cannot be had: the call goes on as it came, and says so', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'), { savers: ['json-compact'] });
    await engine.engine.saving.workers.close();
    const long = sample('json', 60_000);
    const answer = await post(engine, { model: 'auto', stream: true, messages: [{ role: 'tool', tool_call_id: 'c', content: long }] });
    expect(answer.status).toBe(200);
    expect(contents(upstream.contacts[0]!.body)).toEqual([long]);
    const [row] = await engine.settled(1);
    expect([row!.savers, row!.tokens_before ?? null]).toEqual([[expect.objectContaining({ saver: 'json-compact', texts: 0, undone: 'threw' })], null]);
  });

  test('before it began, on more than it could do in time: the call goes on as it came', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'), { savers: ['json-compact'] });
    const huge = `[${' '.repeat(2_000_000)}1]`;
    expect((await post(engine, { model: 'auto', stream: true, messages: [{ role: 'tool', tool_call_id: 'c', content: huge }] })).status).toBe(200);
    expect(contents(upstream.contacts[0]!.body)).toEqual([huge]);
    expect((await engine.settled(1))[0]).toMatchObject({ arm: 'treated', savers: [{ saver: 'json-compact', texts: 0, undone: 'timeout' }] });
  });

  test('by a member that stands there twice: which one counts is not for a saver to say', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('ok'));
    await post(engine, '{"model":"auto","stream":true,"messages":[{"role":"user","content":"a","content":"b \\n\\n\\n\\nc"}]}');
    expect(upstream.contacts[0]!.body).toContain('"content":"b \\n\\n\\n\\nc"');
    expect((await engine.settled(1))[0]!.savers).toMatchObject([{ saver: 'blank-lines', texts: 0, undone: 'structure' }]);
  });
});
