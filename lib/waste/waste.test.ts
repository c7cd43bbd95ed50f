import { describe, expect, test } from 'vitest';
import { NOTHING_DONE, runPipeline, saversOf, type SaverWorkers } from '../savers';
import { MAX_PASTED_BYTES } from './appraise';
import { shownChanges } from './changes';
import { diffLines } from './line-diff';
import { readPasted } from './read-pasted';
import { SAMPLES } from './samples';
import { createWaste, LOSSLESS } from './waste';

/** The pipeline in this thread, and a word for a token. */
const here: SaverWorkers = {
  rewrite: async (slots, savers) => runPipeline(slots, { savers: saversOf(savers), now: () => 0, budgetMs: 1 }),
  count: async (_, texts) => texts.map((text) => text.split(/\s+/).length),
  warm: () => undefined,
  close: async () => undefined,
};
const open = () => ({ allowed: true, resetS: 0 });
const waste = createWaste({ limit: open, workers: here });
const input = (text: string) => ({ text, as: 'tool' as const, savers: LOSSLESS, tokenizer: null });

describe('what is pasted is understood', () => {
  test.each([
    ['a chat request', '{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}', 'chat.completions', 1],
    ['a Messages request', '{"model":"m","system":"be kind","messages":[{"role":"user","content":"hi"}]}', 'messages', 2],
    ['a Responses request', '{"model":"m","input":"hi"}', 'responses', 1],
    ['a list of messages', '[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"a","content":"x"}]', 'chat.completions', 2],
    ['JSON that is no request', '{"input": 3, "a": [1, 2]}', 'text', 1],
    ['an empty list', '[]', 'text', 1],
    ['JSON that is broken', '{"messages": [', 'text', 1],
    ['prose', 'Hello there', 'text', 1],
  ])('%s', (_, text, kind, slots) => {
    const pasted = readPasted(text, 'tool');
    expect([pasted.kind, pasted.slots.length]).toEqual([kind, slots]);
  });

  test('a text is a tool’s or a person’s, as was said', () => {
    expect(readPasted('x', 'user').slots[0]).toMatchObject({ role: 'user', toolCallId: null });
    expect(readPasted('x', 'tool').slots[0]).toMatchObject({ role: 'tool' });
  });
});

test('every sample becomes shorter under some saver, and the same one always the same', async () => {
  for (const { id } of SAMPLES) {
    const end = await waste.sample(id);
    if (!end.ok) throw new Error(end.reason);
    expect([id, end.appraisal.savers.some(({ tokensSaved }) => (tokensSaved ?? 0) > 0)]).toEqual([id, true]);
    expect(await createWaste({ limit: open, workers: here }).sample(id)).toEqual(end);
  }
});

test('lossy savers are appraised alone, and take no part unless they were chosen', async () => {
  const text = SAMPLES.find(({ id }) => id === 'html')!.text;
  const off = await waste.appraise(input(text), 'me');
  const on = await waste.appraise({ ...input(text), savers: ['html-text'] }, 'me');
  if (!off.ok || !on.ok) throw new Error('not appraised');
  expect(off.appraisal.bytes.after).toBe(off.appraisal.bytes.before);
  expect(off.appraisal.changes).toEqual([]);
  const effect = off.appraisal.savers.find(({ saver }) => saver === 'html-text')!;
  expect(effect).toMatchObject({ chosen: false, lossless: false, texts: 1 });
  expect(on.appraisal.bytes.before - on.appraisal.bytes.after).toBe(effect.bytesSaved);
  expect(on.appraisal.changes[0]).toMatchObject({ role: 'tool', savers: ['html-text'] });
});

test('a message with a cache mark stays as it is', async () => {
  const end = await waste.sample('agent');
  if (!end.ok) throw new Error(end.reason);
  expect(end.appraisal.reading).toMatchObject({ kind: 'messages', locked: 1 });
  expect(end.appraisal.changes.map(({ role }) => role)).not.toContain('system');
});

test('what could not be counted is null, and no 0', async () => {
  const end = await createWaste({ limit: open, workers: { ...here, count: async () => null } }).appraise(input('{\n  "a": 1\n}'), 'me');
  if (!end.ok) throw new Error(end.reason);
  expect(end.appraisal.tokens).toBeNull();
  expect(end.appraisal.savers.map(({ tokensSaved }) => tokensSaved).every((tokens) => tokens === null)).toBe(true);
});

test('nothing, too much, too often and at a bad time are refused, each by its name', async () => {
  expect(await waste.appraise(input(' \n'), 'me')).toEqual({ ok: false, reason: 'empty' });
  expect(await waste.appraise(input('é'.repeat(MAX_PASTED_BYTES / 2 + 1)), 'me')).toEqual({ ok: false, reason: 'too_large' });
  expect(await waste.appraise(input('é'.repeat(MAX_PASTED_BYTES / 2)), 'me')).toMatchObject({ ok: true });
  const limited = createWaste({ limit: () => ({ allowed: false, resetS: 7 }), workers: here });
  expect(await limited.appraise(input('x'), 'me')).toEqual({ ok: false, reason: 'rate_limited', resetS: 7 });
  expect(await limited.sample('json')).toMatchObject({ ok: true });
  const busy = createWaste({ limit: open, workers: { ...here, rewrite: async (_, savers) => ({ ...NOTHING_DONE, records: savers.map((saver) => ({ saver, texts: 0, bytes_before: 0, bytes_after: 0, tokens_before: null, tokens_after: null, undone: 'threw' as const })) }) } });
  expect(await busy.appraise(input('x'), 'me')).toEqual({ ok: false, reason: 'busy' });
});

test('a difference read forwards gives the new text, and backwards the old one', () => {
  let state = 7;
  const dice = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  for (let round = 0; round < 300; round++) {
    const before = Array.from({ length: dice(30) }, () => 'abcd'[dice(4)]!).join('\n');
    const after = Array.from({ length: dice(30) }, () => 'abcd'[dice(4)]!).join('\n');
    const runs = diffLines(before, after);
    const of = (kind: 'gone' | 'new') => runs.flatMap((run) => (run.kind === 'same' || run.kind === kind ? run.lines : [])).join('\n');
    expect([of('gone'), of('new')]).toEqual([before, after]);
  }
});

test('texts that differ in everything are told apart in no time', () => {
  const lines = (name: string) => Array.from({ length: 50_000 }, (_, at) => `${name}${at}`).join('\n');
  expect(diffLines(lines('a'), lines('b')).map(({ kind }) => kind)).toEqual(['gone', 'new']);
});

test.each([
  ['many lines', Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n')],
  ['long lines', Array.from({ length: 30 }, (_, at) => `${at} ${'word '.repeat(90)}`).join('\n')],
  ['one line', 'x'.repeat(5_000)],
])('what took the place of %s stands within the first dozen rows of a difference', (_, before) => {
  const after = '[Exactly the same as the result of the earlier call a.]';
  const { parts } = shownChanges([{ role: 'tool', message: 2, savers: ['repeat-reference'], before, after }]).changes[0]!;
  const at = parts.findIndex(({ kind }) => kind === 'new');
  expect(parts[at]).toEqual({ kind: 'new', lines: [after] });
  const rows = parts.slice(0, at).flatMap((part) => (part.kind === 'left' ? [1] : part.lines.map((line) => Math.ceil(line.length / 100))));
  expect(rows.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(12);
  const left = parts.reduce((sum, part) => sum + (part.kind === 'left' ? part.count : part.kind === 'gone' ? part.lines.length : 0), 0);
  expect(left).toBe(before.split('\n').length);
});
