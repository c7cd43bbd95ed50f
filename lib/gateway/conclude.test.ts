import { afterEach, expect, test } from 'vitest';
import { openai, scriptedUpstream, type Script } from '../../e2e/harness';
import { TEST_KEY, testEngine } from './test-engine';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** One call of an engine whose ledger takes no row of a call that ended. */
async function askUnrecorded(script: Script, stream: boolean, fail: () => void | Promise<void>, headSeen = () => {}) {
  const server = await scriptedUpstream(script);
  open.push(server.close);
  const engine = await testEngine();
  open.push(engine.close);
  engine.engine.ledger.settle = fail;
  engine.route([{ url: server.origin }]);
  const response = await fetch(`${engine.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', stream, messages: [{ role: 'user', content: 'hello' }] }),
  });
  headSeen();
  return { status: response.status, text: await response.text(), asked: server.contacts.length };
}

test.each<[string, () => void | Promise<void>]>([
  ['at once', () => { throw new Error('full'); }],
  ['later', () => Promise.reject(new Error('full'))],
])('an answer whose row cannot be written is withheld, and its error does not say that nobody was asked (%s)', async (_when, fail) => {
  const whole = await askUnrecorded(openai.jsonOf('hello'), false, fail);
  expect([whole.status, whole.asked]).toEqual([503, 1]);
  let end!: () => void;
  const script: Script = [openai.sseHead(), openai.role(), openai.text('hello'), { until: new Promise<void>((resolve) => (end = resolve)) }, openai.finish(), openai.DONE, 'end'];
  const streamed = await askUnrecorded(script, true, fail, end);
  expect([streamed.status, streamed.asked]).toEqual([200, 1]);
  expect(streamed.text).not.toContain('[DONE]');
  for (const { text } of [whole, streamed]) {
    expect(text).toContain('"code":"dependency_unavailable"');
    expect(text).toContain('The answer is there');
    expect(text).not.toContain('Nothing was sent');
  }
});
