import { createConnection, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DISCLOSURE, FINGERPRINT, startSandbox, type Sandbox } from '.';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Raw {
  socket: Socket;
  /** Everything received so far, chunk framing taken out of nothing: the bytes as they came. */
  text(): string;
  /** Resolves to how the connection ended. */
  ended: Promise<'end' | 'reset'>;
  until(pattern: RegExp): Promise<void>;
}

interface Options {
  stream?: boolean;
  workspace?: string | null;
  token?: string;
  messages?: unknown;
  usage?: boolean;
  keepAlive?: boolean;
  to?: Sandbox;
}

/** A client made of a bare socket, so that nothing is smoothed over. */
function ask(model: string, options: Options = {}): Raw {
  const to = options.to ?? sandbox;
  const body = JSON.stringify({ model, stream: options.stream ?? true, messages: options.messages ?? [{ role: 'user', content: 'eight ch' }], ...(options.usage === false ? {} : { stream_options: { include_usage: true } }) });
  const socket = createConnection(Number(new URL(to.origin).port), '127.0.0.1');
  const chunks: string[] = [];
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => chunks.push(chunk));
  const ended = new Promise<'end' | 'reset'>((resolve) => {
    socket.on('error', () => resolve('reset'));
    socket.on('close', () => resolve('end'));
  });
  const workspace = options.workspace === null ? '' : `x-ohm-sandbox-workspace: ${options.workspace ?? 'ws_test'}\r\n`;
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${options.token ?? to.token}\r\n${workspace}content-length: ${Buffer.byteLength(body)}\r\nconnection: ${options.keepAlive ? 'keep-alive' : 'close'}\r\n\r\n${body}`);
  const raw: Raw = { socket, text: () => chunks.join(''), ended, until: (pattern) => vi.waitFor(() => expect(raw.text()).toMatch(pattern), { timeout: 5000, interval: 5 }) };
  return raw;
}

async function all(model: string, options: Options = {}) {
  const raw = ask(model, options);
  const end = await raw.ended;
  const [head = '', ...rest] = raw.text().split('\r\n\r\n');
  const chunked = /transfer-encoding: chunked/i.test(head);
  const body = chunked ? dechunk(rest.join('\r\n\r\n')) : { text: rest.join('\r\n\r\n'), whole: true };
  return { end, status: Number(head.split(' ')[1]), head, body: body.text, whole: body.whole };
}

function dechunk(text: string): { text: string; whole: boolean } {
  const bytes = Buffer.from(text);
  let at = 0;
  let out = '';
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return { text: out, whole: false };
    const size = parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    if (size === 0) return { text: out, whole: true };
    out += bytes.subarray(lineEnd + 2, lineEnd + 2 + size).toString();
    at = lineEnd + 2 + size + 2;
  }
  return { text: out, whole: false };
}

interface ParsedFrame {
  choices?: { delta: Record<string, unknown>; finish_reason: string | null }[];
  usage?: Record<string, unknown> | null;
  error?: Record<string, unknown>;
  system_fingerprint?: string;
  id?: string;
  model?: string;
}
const dataLines = (body: string) => body.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
const framesOf = (body: string): ParsedFrame[] => dataLines(body).filter((data) => data !== '[DONE]').map((data) => JSON.parse(data) as ParsedFrame);
const said = (body: string, member = 'content') => framesOf(body).flatMap((f) => f.choices ?? []).map((c) => c.delta[member] ?? '').join('');
const finishes = (body: string) => framesOf(body).flatMap((f) => f.choices ?? []).flatMap((c) => c.finish_reason ?? []);
const usages = (body: string) => framesOf(body).flatMap((f) => f.usage ?? []);

describe('a streamed answer', () => {
  it('text:N has a role frame, N numbered tokens, a finish, honest usage and [DONE], and says what it is', async () => {
    const { status, head, body, end } = await all('text:4');
    expect([status, end]).toEqual([200, 'end']);
    expect(head).toMatch(/content-type: text\/event-stream/i);
    expect(head).toContain(`x-ohm-sandbox: ${DISCLOSURE}`);
    expect(framesOf(body)[0]!.choices![0]!.delta).toEqual({ role: 'assistant', content: '' });
    expect(said(body)).toBe(`${DISCLOSURE}: 2 3 4`);
    expect(finishes(body)).toEqual(['stop']);
    expect(usages(body)).toEqual([{ prompt_tokens: 2, completion_tokens: 4, total_tokens: 6, prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } }]);
    expect(dataLines(body).at(-1)).toBe('[DONE]');
    expect(new Set(framesOf(body).map((f) => `${f.id} ${f.model} ${f.system_fingerprint}`)).size).toBe(1);
    expect(framesOf(body)[0]).toMatchObject({ model: 'text:4', system_fingerprint: FINGERPRINT });
  });

  it('reports usage only when asked', async () => {
    expect((await all('text:1', { usage: false })).body).not.toContain('usage');
  });

  it('echo says the last user message back, also from parts', async () => {
    const messages = [{ role: 'user', content: 'no' }, { role: 'assistant', content: 'x' }, { role: 'user', content: [{ type: 'text', text: 'Grüße an\n alle' }] }];
    expect(said((await all('echo', { messages })).body)).toBe(`${DISCLOSURE}. You said: Grüße an\n alle`);
  });

  it('reasoning, refusal and tool steps speak in their own members', async () => {
    const { body } = await all('reasoning:2,text:1');
    expect(said(body, 'reasoning_content')).toMatch(/not a language model.* 2$/);
    expect(usages(body)[0]).toMatchObject({ completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 2 } });
    expect(said((await all('refusal')).body, 'refusal')).toContain('not a language model');
    const tool = (await all('tool:lookup')).body;
    const calls = framesOf(tool).flatMap((f) => f.choices ?? []).flatMap((c) => (c.delta.tool_calls as { function: { name?: string; arguments: string } }[] | undefined) ?? []);
    expect(calls[0]!.function.name).toBe('lookup');
    expect(JSON.parse(calls.map((c) => c.function.arguments).join(''))).toMatchObject({ note: DISCLOSURE });
    expect(finishes(tool)).toEqual(['tool_calls']);
  });

  it('broken-tool sends one frame that is not JSON, and without it the arguments do not parse', async () => {
    const lines = dataLines((await all('broken-tool:x')).body);
    const broken = lines.filter((line) => line !== '[DONE]' && !isJson(line));
    expect(broken).toHaveLength(1);
    const rest = lines.filter((line) => line !== '[DONE]' && isJson(line)).map((line) => JSON.parse(line) as ParsedFrame);
    const text = rest.flatMap((f) => f.choices ?? []).flatMap((c) => (c.delta.tool_calls as { function: { arguments: string } }[] | undefined) ?? []).map((c) => c.function.arguments).join('');
    expect(isJson(text)).toBe(false);
  });

  it('finish:REASON, no-finish, no-done and text:0 end in their own ways', async () => {
    expect(finishes((await all('finish:length')).body)).toEqual(['length']);
    expect(finishes((await all('text:1,finish:content_filter')).body)).toEqual(['content_filter']);
    const noFinish = (await all('no-finish')).body;
    expect([finishes(noFinish), dataLines(noFinish).at(-1)]).toEqual([[], '[DONE]']);
    const noDone = (await all('no-done')).body;
    expect([finishes(noDone), noDone.includes('[DONE]')]).toEqual([['stop'], false]);
    const lawfullyEmpty = (await all('text:0')).body;
    expect([said(lawfullyEmpty), finishes(lawfullyEmpty), dataLines(lawfullyEmpty).at(-1)]).toEqual(['', ['stop'], '[DONE]']);
  });

  it('no-usage, usage-on-finish and usage-late put the figures elsewhere or nowhere', async () => {
    expect(usages((await all('text:1,no-usage')).body)).toEqual([]);
    const onFinish = framesOf((await all('text:1,usage-on-finish')).body).at(-1)!;
    expect([onFinish.choices![0]!.finish_reason, onFinish.usage]).toEqual(['stop', expect.objectContaining({ completion_tokens: 1 })]);
    const raw = ask('text:1,usage-late:150ms');
    await raw.until(/"finish_reason":"stop"/);
    expect(raw.text()).not.toContain('completion_tokens');
    await raw.ended;
    expect(raw.text()).toContain('completion_tokens');
  });

  it('preamble, comment, malformed and line send just that', async () => {
    const { body } = await all('preamble:3,comment:2,malformed:2,line:1000,text:1');
    expect(body.match(/"delta":\{\}/g)).toHaveLength(5); // three, the padded one, the finish
    expect(body.match(/^: /gm)).toHaveLength(2);
    expect(dataLines(body).filter((line) => line !== '[DONE]' && !isJson(line))).toHaveLength(2);
    expect(body.split('\n').filter((line) => line.length === 1000)).toHaveLength(1);
    expect(body).toContain(`"content":"${DISCLOSURE}:"`);
  });

  it('headers and role come before the wait that follows them, and wait alone holds back everything', async () => {
    const early = ask('headers,wait:100ms,role,wait:100ms,text:1');
    await early.until(/\r\n\r\n/);
    expect(early.text()).not.toContain('data:');
    await early.until(/"role":"assistant"/);
    expect(early.text()).not.toContain(DISCLOSURE + ':"');
    await early.ended;
    const late = ask('wait:100ms,text:1');
    await vi.waitFor(() => expect(sandbox.contacts('ws_test').at(-1)!.script).toBe('wait:100ms,text:1'));
    expect(late.text()).toBe('');
    await late.ended;
    expect(late.text()).toContain('[DONE]');
  });

  it('slow waits before every token', async () => {
    const from = performance.now();
    await all('slow:40ms,text:5');
    expect(performance.now() - from).toBeGreaterThan(190);
  });
});

describe('a failure on command', () => {
  it('status answers with that status, an error body, its code and Retry-After', async () => {
    const limited = await all('status:429,retry-after:2');
    expect([limited.status, /retry-after: 2/i.test(limited.head)]).toEqual([429, true]);
    expect(JSON.parse(limited.body)).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: expect.stringContaining(DISCLOSURE) } });
    expect(JSON.parse((await all('status:400,code:context_length_exceeded')).body)).toMatchObject({ error: { code: 'context_length_exceeded' } });
    for (const status of [302, 400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 500, 501, 502, 503, 504, 529]) expect((await all(`status:${status}`)).status).toBe(status);
  });

  it('error sends an error object inside the 200 that names the status, then ends without [DONE]', async () => {
    const { status, body, whole } = await all('text:40,error:429');
    expect([status, whole, said(body).endsWith(' 40'), body.includes('[DONE]'), finishes(body)]).toEqual([200, true, true, false, []]);
    expect(framesOf(body).at(-1)).toMatchObject({ error: { code: 429, type: 'rate_limit_error' } });
    expect(framesOf((await all('error:429,code:insufficient_quota')).body)).toMatchObject([{ error: { code: 'insufficient_quota' } }]);
  });

  it('reset delivers what came before and then resets; with nothing sent it resets before any header', async () => {
    const cut = await all('text:2,reset');
    expect([cut.end, cut.status, cut.whole, said(cut.body)]).toEqual(['reset', 200, false, `${DISCLOSURE}: 2`]);
    const role = await all('role,reset');
    expect([role.end, said(role.body), framesOf(role.body).length]).toEqual(['reset', '', 1]);
    expect(await all('reset')).toMatchObject({ end: 'reset', head: '' });
    expect(await all('text:2,finish,reset')).toMatchObject({ end: 'reset', whole: false });
  });

  it('close ends cleanly without finish and without [DONE]; close-before-headers answers nothing', async () => {
    const closed = await all('text:2,close');
    expect([closed.end, closed.whole, finishes(closed.body), closed.body.includes('[DONE]')]).toEqual(['end', true, [], false]);
    expect(await all('close-before-headers')).toMatchObject({ head: '', end: 'end' });
  });

  it('html, json-error, empty and done-only are a 200 that is no stream', async () => {
    expect(await all('html')).toMatchObject({ status: 200, head: expect.stringMatching(/text\/html/), body: expect.stringContaining(DISCLOSURE) });
    expect(await all('json-error')).toMatchObject({ status: 200, head: expect.stringMatching(/application\/json/), body: expect.stringContaining('"error"') });
    expect(await all('empty')).toMatchObject({ status: 200, head: expect.stringMatching(/event-stream/), body: '' });
    expect(await all('done-only')).toMatchObject({ status: 200, body: 'data: [DONE]\n\n' });
  });

  it.each(['stall', 'headers,stall', 'role,stall', 'text:3,stall'])('%s stays silent until the client leaves, and notices that at once', async (model) => {
    const raw = ask(model, { workspace: `ws_${model.length}` });
    if (model !== 'stall') await raw.until(model === 'headers,stall' ? /\r\n\r\n/ : model === 'role,stall' ? /role/ : / 3"/);
    await vi.waitFor(() => expect(sandbox.open(`ws_${model.length}`)).toBe(1));
    raw.socket.destroy();
    await vi.waitFor(() => expect(sandbox.open(`ws_${model.length}`)).toBe(0), { timeout: 500, interval: 2 });
    expect(sandbox.contacts(`ws_${model.length}`)[0]).toMatchObject({ outcome: 'client_left', endedAtMs: expect.any(Number) });
  });

  it('a stall ends with the answer’s longest life', async () => {
    const brief = await startSandbox({ durationMs: 150 });
    const raw = ask('headers,stall', { to: brief });
    await raw.ended;
    expect(brief.contacts('ws_test')[0]!.outcome).toBe('expired');
    await brief.close();
  });
});

describe('an answer that is not streamed', () => {
  const json = (model: string) => all(model, { stream: false });

  it('is one JSON body with usage', async () => {
    const { status, body } = await json('reasoning:1,text:3');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ object: 'chat.completion', model: 'reasoning:1,text:3', system_fingerprint: FINGERPRINT, choices: [{ message: { role: 'assistant', content: `${DISCLOSURE}: 2 3` }, finish_reason: 'stop' }], usage: { completion_tokens: 4 } });
    expect(JSON.parse((await json('tool:lookup')).body)).toMatchObject({ choices: [{ finish_reason: 'tool_calls', message: { content: null, tool_calls: [{ type: 'function', function: { name: 'lookup' } }] } }] });
    expect(JSON.parse((await json('no-usage')).body)).not.toHaveProperty('usage');
    expect(JSON.parse((await json('no-finish')).body)).toMatchObject({ choices: [{ finish_reason: null }] });
    expect(JSON.parse((await json('line:5000,text:1')).body)).toMatchObject({ padding: '.'.repeat(5000) });
  });

  it('fails in the same ways: cut, broken, with an error inside the 200', async () => {
    expect(await json('status:503')).toMatchObject({ status: 503 });
    expect(await json('reset')).toMatchObject({ end: 'reset', head: '' });
    const cut = await json('text:5,reset');
    expect([cut.end, cut.status, cut.whole, cut.body.length > 20]).toEqual(['reset', 200, false, true]);
    const closed = await json('text:5,close');
    expect([closed.end, closed.whole, isJson(closed.body)]).toEqual(['end', true, false]);
    expect(isJson((await json('malformed,text:2')).body)).toBe(false);
    expect(JSON.parse((await json('error:429')).body)).toMatchObject({ error: { code: 429 } });
    expect(await json('html')).toMatchObject({ status: 200, body: expect.stringContaining('<!doctype') });
    expect(await json('empty')).toMatchObject({ status: 200, body: '' });
  });
});

describe('the door', () => {
  it('asks for the token of this start and for the workspace', async () => {
    expect(await all('text:1', { token: 'x'.repeat(43) })).toMatchObject({ status: 401 });
    expect(await all('text:1', { token: '' })).toMatchObject({ status: 401 });
    expect(await all('text:1', { workspace: null })).toMatchObject({ status: 400 });
  });

  it('lists models and refuses what it does not know, naming the bad step', async () => {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'x-ohm-sandbox-workspace': 'w' };
    expect(await (await fetch(`${sandbox.origin}/v1/models`, { headers })).json()).toMatchObject({ object: 'list', data: expect.arrayContaining([expect.objectContaining({ id: 'text:20' })]) });
    expect((await fetch(`${sandbox.origin}/v1/embeddings`, { headers, method: 'POST' })).status).toBe(404);
    expect((await fetch(`${sandbox.origin}/v1/chat/completions`, { headers, method: 'POST', body: '{' })).status).toBe(400);
    const bad = await all('text:2,explode');
    expect(JSON.parse(bad.body)).toMatchObject({ error: { code: 'invalid_script', param: 'model', message: expect.stringContaining('“explode”') } });
  });

  it('holds 16 open answers a workspace, tells the 17th so, and frees a slot when a client leaves', async () => {
    const held = Array.from({ length: 16 }, () => ask('headers,stall', { workspace: 'ws_full' }));
    await vi.waitFor(() => expect(sandbox.open('ws_full')).toBe(16));
    expect(await all('text:1', { workspace: 'ws_full' })).toMatchObject({ status: 429, head: expect.stringMatching(/retry-after: 1/i) });
    expect(await all('text:1', { workspace: 'ws_other' })).toMatchObject({ status: 200 });
    held[0]!.socket.destroy();
    await vi.waitFor(() => expect(sandbox.open('ws_full')).toBe(15), { timeout: 500, interval: 2 });
    expect(await all('text:1', { workspace: 'ws_full' })).toMatchObject({ status: 200 });
    for (const raw of held) raw.socket.destroy();
    await vi.waitFor(() => expect(sandbox.open('ws_full')).toBe(0));
  });

  it('waits for slow clients instead of piling bytes up', async () => {
    const before = process.memoryUsage().rss;
    const slow = Array.from({ length: 16 }, () => ask('line:16000000', { workspace: 'ws_slow' }));
    for (const raw of slow) raw.socket.pause();
    await vi.waitFor(() => expect(sandbox.open('ws_slow')).toBe(16));
    // Time enough to write 256 MB, if anything wrote without being asked to.
    const from = performance.now();
    await vi.waitFor(() => expect(performance.now() - from).toBeGreaterThan(400), { interval: 50 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    for (const raw of slow.slice(1)) raw.socket.destroy();
    slow[0]!.socket.resume();
    await slow[0]!.ended;
    expect(slow[0]!.text()).toContain('[DONE]');
    expect(sandbox.contacts('ws_slow').map((c) => c.outcome).sort()).toEqual(['answered', ...Array<string>(15).fill('client_left')]);
  });

  it('keeps a connection for the next request', async () => {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'x-ohm-sandbox-workspace': 'w' };
    for (let i = 0; i < 3; i++) expect((await fetch(`${sandbox.origin}/v1/models`, { headers })).status).toBe(200);
  });

  it('writes down who came, when and how it ended', async () => {
    await all('text:2', { workspace: 'ws_log' });
    await all('text:2,reset', { workspace: 'ws_log' });
    await all('explode', { workspace: 'ws_log' });
    expect(sandbox.contacts('ws_log').map((c) => [c.script, c.outcome, c.completionTokens])).toEqual([['text:2', 'answered', 2], ['text:2,reset', 'cut', 2], ['explode', 'refused', 0]]);
    const [first, second] = sandbox.contacts('ws_log');
    expect(first!.endedAtMs!).toBeLessThanOrEqual(second!.startedAtMs);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
