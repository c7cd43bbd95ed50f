import { afterAll, beforeAll, expect, test } from 'vitest';
import { openai, scriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

let engine: TestEngine;
let closeUpstream: () => Promise<void>;
beforeAll(async () => {
  engine = await testEngine();
  const upstream = await scriptedUpstream(openai.jsonOf('hello'));
  closeUpstream = upstream.close;
  engine.route([{ url: upstream.origin, model: 'model-1' }]);
});
afterAll(async () => {
  await engine.close();
  await closeUpstream();
});

const message = '{"role":"user","content":"hello"}';

/** As /docs/errors tells the two codes apart. */
test.each([
  ['cut off', '{"model":', 400, 'invalid_json', null],
  ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, 'invalid_json', null],
  ['an array', '[]', 400, 'invalid_request', null],
  ['null', 'null', 400, 'invalid_request', null],
  ['nested 3,000 deep', `{"model":"auto","messages":${'['.repeat(3_000)}${']'.repeat(3_000)}}`, 400, 'invalid_request', null],
  ['a member that the gateway reads, twice', `{"model":"auto","model":"auto","messages":[${message}]}`, 400, 'invalid_request', 'model'],
  ['a member of a message, twice', '{"model":"auto","messages":[{"role":"user","content":"a","content":"b"}]}', 200, undefined, undefined],
])('a body that is %s', async (_which, body, status, code, param) => {
  const response = await fetch(`${engine.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}` }, body });
  const { error } = (await response.json()) as { error?: { code: string; param: string | null } };
  expect([response.status, error?.code, error?.param]).toEqual([status, code, param]);
});
