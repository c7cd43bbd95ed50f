import { afterEach, expect, test } from 'vitest';
import { openai, scriptedUpstream } from '../../e2e/harness';
import { handleWeb } from '../web-door';
import { TEST_KEY, testEngine } from './test-engine';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function engineOver(model = 'model-1') {
  const engine = await testEngine();
  const upstream = await scriptedUpstream(openai.jsonOf('hello'));
  open.push(engine.close, upstream.close);
  engine.route([{ url: upstream.origin, model }]);
  return engine;
}

const headers = { authorization: `Bearer ${TEST_KEY}` };
const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hello' }] });

test.each([
  ['PUT', '/v1/chat/completions', 'POST'],
  ['GET', '/v1/messages', 'POST'],
  ['POST', '/v1/models', 'GET'],
])('%s %s is 405, and Allow names the method that the path takes', async (method, path, allow) => {
  const engine = await engineOver();
  const answer = await fetch(engine.url + path, { method, headers });
  expect([answer.status, answer.headers.get('allow'), (await answer.text()).includes(`Use ${allow}.`)]).toEqual([405, allow, true]);
});

test.each(['next', 'node'])('a name that no header can carry takes nothing from the answer, and answer and row are one call (%s)', async (door) => {
  const engine = await engineOver('modèle → 1');
  engine.engine.report = () => undefined;
  const init = { method: 'POST', headers, body };
  for (const stream of [false, true]) {
    const asked = { ...init, body: JSON.stringify({ ...(JSON.parse(body) as object), stream }) };
    const answer = door === 'node' ? await fetch(`${engine.url}/v1/chat/completions`, asked) : await handleWeb(new Request(`${engine.url}/v1/chat/completions`, asked), engine.gateway);
    await answer.text();
    const row = (await engine.settled(stream ? 2 : 1)).at(-1)!;
    expect([answer.status, answer.headers.get('x-ohm-model'), row.id, row.status]).toEqual([stream ? 502 : 200, 'mod?le ? 1', answer.headers.get('x-ohm-request-id'), answer.status]);
  }
});

test.each(['/v1/models/', '/v1/chat/completions/', '/v1/chat/completions//?x=1'])('%s answers as it does without the slash at its end', async (path) => {
  const engine = await engineOver();
  const init = path.includes('chat') ? { method: 'POST', headers, body } : { headers };
  const answers = [await fetch(engine.url + path, { ...init, redirect: 'manual' }), await handleWeb(new Request(engine.url + path, init), engine.gateway)];
  for (const answer of answers) expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([200, expect.arrayContaining([path.includes('chat') ? 'choices' : 'data'])]);
});

const WRONG_BASE: [method: string, path: string, hint: string][] = [
  ...['/chat/completions', '/completions', '/embeddings', '/responses', '/messages', '/messages/count_tokens'].map((path): [string, string, string] => ['POST', path, 'The base URL ends in /v1.']),
  ['GET', '/models', 'The base URL ends in /v1.'],
  ['POST', '/v1/v1/messages', 'its base URL must not end in /v1.'],
  ['POST', '/v1/v1/chat/completions', 'its base URL must not end in /v1.'],
];

test.each(WRONG_BASE)('%s %s is a small JSON error that says what is wrong with the base URL', async (method, path, hint) => {
  const engine = await engineOver();
  const init = { method, headers, ...(method === 'POST' ? { body } : {}) };
  // Below /v1 the node server leaves to Next's handler what the engine does not know, and that asks the engine.
  const answers = [await handleWeb(new Request(engine.url + path, init), engine.gateway), ...(path.startsWith('/v1/') ? [] : [await fetch(engine.url + path, init)])];
  for (const answer of answers) {
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect([answer.status, error.code]).toEqual([404, 'unknown_url']);
    expect(error.message).toContain(hint);
  }
});

test('a page of such an address stays a page for whoever comes without a key', async () => {
  const { gateway } = await engineOver();
  expect([gateway.owns('GET', '/models', {}), gateway.owns('GET', '/messages', headers), gateway.owns('POST', '/models', headers), gateway.owns('POST', '/acme/messages', headers)]).toEqual([false, false, false, false]);
});

test('only a call’s id begins with call_: what has no row has an id of another kind', async () => {
  const engine = await engineOver();
  const kindOf = async (path: string, init: RequestInit) => (await fetch(engine.url + path, init)).headers.get('x-ohm-request-id')!.split('_')[0];
  expect(await kindOf('/v1/chat/completions', { method: 'POST', headers, body })).toBe('call');
  expect(await kindOf('/v1/chat/completions', { method: 'POST', headers, body: '{}' })).toBe('call');
  expect(await engine.settled(2)).toHaveLength(2);
  for (const [path, init] of [['/v1/models', { headers }], ['/v1/models', {}], ['/v1/models/nothing', { headers }], ['/v1/chat/completions', { headers }], ['/v1/chat/completions', { method: 'POST', body }], ['/chat/completions', { method: 'POST', body }]] as const) {
    expect([path, await kindOf(path, init)]).toEqual([path, 'req']);
  }
  expect(engine.rows).toHaveLength(2);
});
