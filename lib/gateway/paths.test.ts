import { afterEach, expect, test } from 'vitest';
import { openai, scriptedUpstream } from '../../e2e/harness';
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
