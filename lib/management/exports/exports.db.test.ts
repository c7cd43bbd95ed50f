import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallRow } from '../../metering';
import { callRowFor, createTestApi, type Answer, type TestApi, type TestWorkspace } from '../test-api';
import { startExporter, type Exporter } from './exporter';

const silent = { info: () => undefined, error: () => undefined };
let api: TestApi;
let mine: TestWorkspace;
let theirs: TestWorkspace;
const rows: CallRow[] = [];

beforeAll(async () => {
  api = await createTestApi();
  mine = await api.workspace('exports');
  theirs = await api.workspace('others');
  for (let i = 0; i < 600; i++) {
    const at = new Date(Date.parse('2026-05-01T00:00:00Z') + Math.floor(i / 3) * 1_000).toISOString(); // three share a moment
    rows.push(callRowFor(mine.id, i % 2 === 0 ? 'key_even' : 'key_odd', { created_at: at, requested_model: i === 7 ? '=HYPERLINK("http://evil","x")' : `m, "${i}"`, cost_nano_usd: i === 9 ? null : i }));
  }
  await Promise.all([...rows, callRowFor(theirs.id, 'key_even', { requested_model: 'a secret of others' })].map((row) => api.ledger.settle(row)));
});
beforeEach(async () => {
  await api.owner`delete from exports`;
});

const ask = async (body: unknown): Promise<string> => {
  const { status, json } = await api.call('POST', '/exports', { token: mine.tokens.viewer, body });
  expect([status, json.state, json.rows]).toEqual([201, 'queued', 0]);
  return json.id;
};
const read = async (id: string) => (await api.call('GET', `/exports/${id}`, { token: mine.tokens.viewer })).json;
const file = (id: string): Promise<Answer> => api.call('GET', `/exports/${id}/download`, { token: mine.tokens.viewer });
const ids = (text: string) => text.trim().split('\n').map((line) => (JSON.parse(line) as { id: string }).id);
const inOrder = () => [...rows].sort((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1)).map((row) => row.id);

describe('an export', () => {
  test('as JSON Lines holds every call of the workspace once, newest first, as the API shows it, and no other’s', async () => {
    const id = await ask({ format: 'jsonl' });
    expect((await file(id)).status).toBe(409);
    await api.writeExports();
    expect(await read(id)).toMatchObject({ state: 'finished', rows: 600, capped: false, error: null });
    const answer = await file(id);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([200, 'application/jsonl; charset=utf-8', 'private, no-store']);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="calls-\d{4}-\d\d-\d\d-\w+\.jsonl"$/);
    expect(Buffer.byteLength(answer.text)).toBe((await read(id)).bytes);
    expect(ids(answer.text)).toEqual(inOrder());
    const { json: one } = await api.call('GET', `/calls/${rows[5]!.id}`, { token: mine.tokens.viewer });
    expect(answer.text.split('\n')).toContain(JSON.stringify(one));
    expect(answer.text).not.toContain('a secret of others');
  });

  test('as CSV is safe to open in a spreadsheet, and leaves empty what is not known', async () => {
    const id = await ask({ format: 'csv', filter: { from: '2026-05-01T00:00:02Z', to: '2026-05-01T00:00:04Z' } });
    await api.writeExports();
    const answer = await file(id);
    const [head, ...lines] = answer.text.trimEnd().split('\r\n');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(lines).toHaveLength(6);
    expect(head!.split(',').slice(0, 3)).toEqual(['id', 'created_at', 'finished_at']);
    expect(lines.find((line) => line.includes('HYPERLINK'))).toContain(`,"'=HYPERLINK(""http://evil"",""x"")",`);
    expect(lines.find((line) => line.startsWith(rows[9]!.id))).toMatch(/,,sandbox,{9}$/); // no cost, beside its price version
    expect(lines.find((line) => line.startsWith(rows[8]!.id))).toMatch(/,8,sandbox,{9}$/);
  });

  test('goes on behind the last chunk after a kill, in another process, and repeats and skips nothing', async () => {
    const id = await ask({ format: 'jsonl' });
    const dying = startExporter({ ledger: diesAfter(2), log: silent, everyMs: 3_600_000, pageRows: 100 });
    await dying.idle();
    expect(await read(id)).toMatchObject({ state: 'running', rows: 200 });
    await api.owner`update exports set seen_at = now() - interval '1 hour' where id = ${id}`;
    await api.writeExports();
    expect(await read(id)).toMatchObject({ state: 'finished', rows: 600 });
    expect(ids((await file(id)).text)).toEqual(inOrder());
    await dying.close();
  });

  test('is failed, and says so, when the third process has died over it', async () => {
    const id = await ask({ format: 'csv' });
    await api.owner`update exports set state = 'running', tries = 3, seen_at = now() - interval '1 hour' where id = ${id}`;
    await api.writeExports();
    expect(await read(id)).toMatchObject({ state: 'failed', error: 'The process that wrote it ended, three times over.' });
    expect((await file(id)).json.detail).toContain('three times');
  });

  test('is put down by a process that ends, and taken up by the next without counting against it', async () => {
    const id = await ask({ format: 'jsonl' });
    const { db } = api.ledger;
    let ending: Promise<void> | null = null;
    const leaving: Exporter = startExporter({
      ledger: { ...api.ledger, db: { ...db, transaction: (work, bounds) => db.transaction(work, bounds).finally(() => void (ending ??= leaving.close())) } },
      log: silent, everyMs: 3_600_000, pageRows: 100,
    });
    await leaving.idle();
    await ending;
    expect(await read(id)).toMatchObject({ state: 'queued' });
    expect((await api.owner`select tries from exports where id = ${id}`)[0]?.tries).toBe(0);
    await api.writeExports();
    expect(await read(id)).toMatchObject({ state: 'finished', rows: 600 });
  });

  test('has at most as many calls as it may, and says that there were more', async () => {
    const id = await ask({ format: 'jsonl' });
    const small = startExporter({ ledger: api.ledger, log: silent, everyMs: 3_600_000, pageRows: 100, mostRows: 250 });
    await small.idle();
    await small.close();
    expect(await read(id)).toMatchObject({ state: 'finished', rows: 250, capped: true });
    expect(ids((await file(id)).text)).toEqual(inOrder().slice(0, 250));
  });

  test('holds no call that came after it was asked for', async () => {
    const id = await ask({ format: 'jsonl' });
    await api.ledger.settle(callRowFor(mine.id, 'key_even', { id: 'call_late', created_at: new Date(Date.now() + 1_000).toISOString() }));
    await api.writeExports();
    expect((await file(id)).text).not.toContain('call_late');
    await api.owner`delete from calls where id = 'call_late'`;
  });

  test('of no calls is a file too: a CSV has its header', async () => {
    const csv = await ask({ format: 'csv', filter: { tag: 'nobody' } });
    const lines = await ask({ format: 'jsonl', filter: { tag: 'nobody' } });
    await api.writeExports();
    expect((await file(csv)).text.trimEnd().split('\r\n')).toHaveLength(1);
    expect([(await file(lines)).status, (await file(lines)).text]).toEqual([200, '']);
  });

  test('is refused while three are under way, and gone when it is deleted', async () => {
    const three = [await ask({ format: 'csv' }), await ask({ format: 'csv' }), await ask({ format: 'csv' })];
    const fourth = await api.call('POST', '/exports', { token: mine.tokens.viewer, body: { format: 'csv' } });
    expect([fourth.status, fourth.json.code]).toEqual([409, 'conflict']);
    for (const id of three) expect((await api.call('DELETE', `/exports/${id}`, { token: mine.tokens.viewer })).status).toBe(204);
    expect((await file(three[0]!)).status).toBe(404);
    await api.writeExports();
    expect(await api.owner`select 1 from export_chunks`).toHaveLength(0);
  });

  test('that is deleted while it is written stops there', async () => {
    const id = await ask({ format: 'jsonl' });
    const { db } = api.ledger;
    let left = 3;
    const slow = startExporter({
      ledger: { ...api.ledger, db: { ...db, transaction: async (work, bounds) => {
        if (left-- === 0) await api.call('DELETE', `/exports/${id}`, { token: mine.tokens.viewer });
        return await db.transaction(work, bounds);
      } } },
      log: silent, everyMs: 3_600_000, pageRows: 100,
    });
    await slow.idle();
    await slow.close();
    expect(await api.owner`select 1 from export_chunks`).toHaveLength(0);
    expect((await file(id)).status).toBe(404);
  });

  test.each([
    [{ format: 'xml' }, 'format'],
    [{ format: 'csv', filter: { colour: 'red' } }, 'filter.colour'],
    [{ format: 'csv', filter: { state: 'exploded' } }, 'filter.state'],
    [{ format: 'csv', filter: { key: 'nobody' } }, 'key'],
    [{ filter: {} }, 'format'],
  ])('%j is 422 and names %s', async (body, field) => {
    const { status, json } = await api.call('POST', '/exports', { token: mine.tokens.viewer, body });
    expect([status, json.errors[0].field]).toEqual([422, field]);
  });

  test('is not to be had by another workspace', async () => {
    const id = await ask({ format: 'jsonl' });
    await api.writeExports();
    for (const path of [`/exports/${id}`, `/exports/${id}/download`]) expect((await api.call('GET', path, { token: theirs.tokens.owner })).status).toBe(404);
    expect((await api.call('GET', '/exports', { token: theirs.tokens.owner })).json.data).toEqual([]);
  });

  test('goes after a week', async () => {
    const id = await ask({ format: 'csv' });
    await api.owner`update exports set created_at = now() - interval '7 days 1 minute' where id = ${id}`;
    await api.writeExports();
    expect((await file(id)).status).toBe(404);
  });
});

/** A ledger whose process dies with the transaction behind the given number of pages. */
function diesAfter(pages: number): TestApi['ledger'] {
  const { ledger } = api;
  let left = pages + 1; // the first transaction asks how often it was tried
  const away = Object.assign(new Error('the process is gone'), { name: 'Refusal', code: 'unavailable' });
  return { ...ledger, db: { ...ledger.db, transaction: (work, bounds) => (left-- > 0 ? ledger.db.transaction(work, bounds) : Promise.reject(away)) } };
}
