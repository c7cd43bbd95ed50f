import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runPipeline, saversOf } from '.';
import type { TextSlot } from '../wire';
import { sample } from './samples';
import { createSaverWorkers } from './saver-workers';
import { loadCounter, tokenizerOf } from './tokenizer';
import { createWorkerPool, type WorkerPool } from './worker-pool';

const folder = mkdtempSync(join(tmpdir(), 'ohm-workers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const slot = (text: string): TextSlot => ({ message: 0, role: 'tool', toolCallId: 'c', text, locked: false, path: ['messages', 0, 'content'] });

describe('workers', () => {
  const workers = createSaverWorkers();
  afterAll(() => workers.close());

  test('rewrite as the pipeline does, and write what changed as JSON strings', async () => {
    const coloured = sample('log', 20_000).replaceAll('INFO', '\x1b[32mINFO\x1b[0m');
    const slots = [slot(sample('json', 60_000)), slot(coloured), { ...slot(' never  \n\n\n\n sent'), role: 'user' as const }];
    const savers = ['terminal-output', 'json-compact', 'log-fold'] as const;
    const here = runPipeline(slots, { savers: saversOf([...savers]), now: () => 0, budgetMs: 50 });
    expect(here.steps.map(({ at, saver }) => `${saver} ${at}`)).toEqual(['terminal-output 1', 'json-compact 0', 'log-fold 1']);
    const { quoted, ...there } = await workers.rewrite(slots, savers);
    expect(there).toEqual(here);
    expect([...quoted!].map(([at, text]) => [at, JSON.parse(text)])).toEqual([...here.texts]);
  });

  test('count each text, special tokens being text like any other', async () => {
    expect(await workers.count('o200k_base', ['hello world', '', '<|endoftext|>', 'größer'])).toEqual([2, 0, expect.any(Number), expect.any(Number)]);
    expect(await workers.count('cl100k_base', ['hello world'])).toEqual([2]);
  });
});

describe('a pool', () => {
  const pools: WorkerPool[] = [];
  afterAll(() => Promise.all(pools.map((pool) => pool.close())));
  let n = 0;
  const pool = (script: string, options: { boundMs?: number; maxWaiting?: number } = {}) => {
    const file = join(folder, `worker-${n++}.mjs`);
    writeFileSync(file, `import { parentPort as port } from 'node:worker_threads';\n${script}`);
    const made = createWorkerPool({ script: { file, options: {} }, size: 1, boundMs: 100, startMs: 5_000, maxWaiting: 10, ...options });
    pools.push(made);
    return made;
  };
  const ask = (texts: string[]) => ({ kind: 'count', encoding: 'o200k_base', texts }) as const;
  const ANSWERS = "port.on('message', ({ texts }) => { while (texts[0] === 'for ever'); if (texts[0] === 'die') process.exit(1); if (texts[0] === 'throw') throw new Error('no'); port.postMessage({ kind: 'counted', tokens: [texts.length] }); });\nport.postMessage({ kind: 'ready' });";

  test('ends a thread that overruns, and goes on with another one', async () => {
    const each = pool(ANSWERS);
    expect(await each.run(ask(['a']))).toEqual({ kind: 'counted', tokens: [1] });
    const [stuck, behind] = await Promise.all([each.run(ask(['for ever'])), each.run(ask(['behind it']))]);
    expect([stuck, behind]).toEqual(['timeout', 'timeout']);
    expect(await each.run(ask(['a', 'b']))).toEqual({ kind: 'counted', tokens: [2] });
  });

  test.each(['die', 'throw'])('survives a thread that does %s', async (word) => {
    const each = pool(ANSWERS, { boundMs: 2_000 });
    expect(await each.run(ask([word]))).toBe('failed');
    expect(await each.run(ask(['a']))).toEqual({ kind: 'counted', tokens: [1] });
  });

  test('fails what cannot be started, at once and every time', async () => {
    const each = pool('throw new Error("no")');
    expect(await each.run(ask(['a']))).toBe('failed');
    expect(await each.run(ask(['a']))).toBe('failed');
    expect(await createWorkerPool({ script: null, size: 1, boundMs: 1, startMs: 1, maxWaiting: 1 }).run(ask([]))).toBe('failed');
  });

  test('takes no more than may wait, and answers all when it closes', async () => {
    const each = pool(ANSWERS, { maxWaiting: 2, boundMs: 5_000 });
    await each.run(ask(['a']));
    const running = Array.from({ length: 5 }, () => each.run(ask(['for ever'])));
    expect(await running[3]).toBe('failed');
    await each.close();
    expect(await Promise.all(running)).toEqual(Array.from({ length: 5 }, () => 'failed'));
  });
});

describe('the tokenizer', () => {
  test.each([
    ['gpt-4o-mini', 'o200k_base'],
    ['openai/gpt-5.2', 'o200k_base'],
    ['o3', 'o200k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['gpt-3.5-turbo', 'cl100k_base'],
    ['claude-sonnet-4-5', '~o200k_base'],
    ['text:20', '~o200k_base'],
  ])('of %s is %s', (model, tokenizer) => {
    expect(tokenizerOf(model)).toBe(tokenizer);
  });

  test.each<[string, string]>([
    ['one letter', 'a'],
    ['spaces', ' '],
    ['line feeds', '\n'],
    ['no-break spaces', '\u00a0'],
    ['dots', '.'],
    ['emoji', '😀'],
    ['Chinese', '中文字符串没有空格'],
    ['a letter with a mark', 'e\u0301'],
  ])('counts a quarter of a million characters of %s within seconds, and close to the truth', async (_, unit) => {
    const count = await loadCounter('o200k_base');
    const startedAt = performance.now();
    count(unit.repeat(250_000 / unit.length));
    expect(performance.now() - startedAt).toBeLessThan(5_000); // uncut: minutes
    const [short, long] = [count(unit.repeat(200 / unit.length)), count(unit.repeat(2_000 / unit.length))];
    expect(long / short).toBeGreaterThan(7);
    expect(long / short).toBeLessThan(13);
  });
});
