import { type Script, scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
import type { Engine } from './engine';
import { TEST_KEY, testEngine, type TestEngine, type TestTier } from './test-engine';

const opened: (() => Promise<void>)[] = [];

/** After each test: ends what it opened, and what it left to be closed. */
export async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

export const closeLater = (close: () => Promise<void>): void => void opened.push(close);

/** An engine whose one key keeps its answers, over one upstream. */
export async function engineOver(script: Script, { wire = 'openai', ...overrides }: Partial<Engine> & Pick<TestTier, 'wire'> = {}): Promise<{ engine: TestEngine; upstream: ScriptedUpstream }> {
  const engine = await testEngine(overrides);
  const upstream = await scriptedUpstream(script);
  opened.push(engine.close, upstream.close);
  engine.route([{ url: upstream.origin, wire }]);
  engine.keepAnswers();
  return { engine, upstream };
}

export interface Asked {
  path?: string;
  headers?: Record<string, string>;
  body?: object | string;
}

export async function ask(engine: TestEngine, { path = '/v1/chat/completions', headers = {}, body = {} }: Asked = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'hello' }], ...body });
  const response = await fetch(engine.url + path, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', ...headers }, body: text });
  return { status: response.status, headers: response.headers, text: await response.text(), cache: response.headers.get('x-at-cache') };
}

/** Outcomes of equal requests, one after another. */
export async function outcomes(engine: TestEngine, ...asked: Asked[]): Promise<(string | null)[]> {
  const seen: (string | null)[] = [];
  for (const each of asked) seen.push((await ask(engine, each)).cache);
  return seen;
}
