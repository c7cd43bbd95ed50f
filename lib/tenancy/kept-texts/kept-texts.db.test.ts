import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RewrittenText } from '../../savers';
import { newId } from '../../std';
import { listAuditEntries } from '../audit';
import { createKey, deleteKey, updateKey } from '../keys';
import { as, createTestTenancy, type TestTenancy } from '../test-tenancy';
import { keyCreate } from '../../management/schemas';
import { createTextKeeper, getKeptTexts, purgeTexts, type TextKeeper } from '.';

let t: TestTenancy;
let keeper: TextKeeper;
let actor: Awaited<ReturnType<TestTenancy['person']>>['actor'];
const warned: string[] = [];

beforeAll(async () => {
  t = await createTestTenancy();
  keeper = createTextKeeper({ db: t.db, keyring: t.tenancy.keyring, log: { warn: (_, message) => void warned.push(message) } });
});
afterAll(() => keeper.close());
beforeEach(async () => {
  ({ actor } = await t.person());
});

const SECRET_WORDS = 'canary one \n\n\n\ncanary two';
const TEXTS: RewrittenText[] = [{ role: 'tool', message: 3, savers: ['blank-lines'], before: SECRET_WORDS, after: 'canary one\n\ncanary two' }];

const issue = (days: number | null) => createKey(t.tenancy, actor, keyCreate.parse({ name: newId('n'), savers: ['blank-lines'], keep_texts: days === null ? null : { days } }));

async function kept(keyId: string, texts = TEXTS): Promise<string> {
  const id = newId('call');
  keeper.keep({ id, workspaceId: actor.workspaceId, keyId }, texts);
  await keeper.idle();
  return id;
}
const read = (callId: string, of = actor) => getKeptTexts(t.tenancy, of, { callId });
const GONE = { code: 'not_found' };

describe('a key that keeps rewritten texts', () => {
  test('has them before and after, for as many days as it says, sealed in the database', async () => {
    const id = await kept((await issue(7)).id);
    const found = await read(id);
    expect(found).toMatchObject({ call_id: id, texts: TEXTS, left_out: 0 });
    expect(Date.parse(found.expires_at) - Date.parse(found.kept_at)).toBe(7 * 86_400_000);
    const rows = await t.owner`select * from kept_texts where call_id = ${id}`;
    expect(JSON.stringify(rows)).not.toContain('canary');
  });

  test('shows them to developers and above, and to nobody in another workspace', async () => {
    const id = await kept((await issue(7)).id);
    await expect(read(id, as(actor, 'viewer'))).rejects.toMatchObject({ code: 'forbidden' });
    expect((await read(id, as(actor, 'developer'))).texts).toEqual(TEXTS);
    await expect(read(id, (await t.person()).actor)).rejects.toMatchObject(GONE);
  });

  test('says in the audit log who read them, and what of, but not the texts', async () => {
    const id = await kept((await issue(7)).id);
    await expect(read(id, as(actor, 'viewer'))).rejects.toMatchObject({ code: 'forbidden' });
    const reader = as(actor, 'developer');
    await read(id, reader);
    const { data } = await listAuditEntries(t.tenancy, actor, { limit: 200 });
    const entries = data.filter(({ target }) => target === id);
    expect(entries).toEqual([expect.objectContaining({ action: 'texts.read', after: { texts: 1 } })]);
    expect(JSON.stringify(entries)).not.toContain('canary');
  });

  test('has none once their time is over, and the sweep deletes the row', async () => {
    const id = await kept((await issue(1)).id);
    await t.owner`update kept_texts set expires_at = now() where call_id = ${id}`;
    await expect(read(id)).rejects.toMatchObject(GONE);
    await keeper.sweep();
    expect(await t.owner`select 1 from kept_texts where call_id = ${id}`).toHaveLength(0);
  });

  test('has none of another call: a row that was moved does not open', async () => {
    const { id: keyId } = await issue(7);
    const [one, other] = [await kept(keyId), await kept(keyId)];
    await t.owner`update kept_texts set sealed = (select sealed from kept_texts where call_id = ${one}) where call_id = ${other}`;
    await expect(read(other)).rejects.toMatchObject(GONE);
  });

  test('keeps what fits, and says how many texts did not', async () => {
    const long: RewrittenText = { ...TEXTS[0]!, before: 'x'.repeat(400_000), after: 'x'.repeat(399_999) };
    const found = await read(await kept((await issue(7)).id, [long, ...TEXTS]));
    expect([found.texts, found.left_out]).toEqual([TEXTS, 1]);
  });

  test('turned off has nothing any more, and what a call brings after that is not kept', async () => {
    const key = await issue(7);
    const id = await kept(key.id);
    await updateKey(t.tenancy, actor, { id: key.id, revision: 1, change: { keep_texts: null } });
    await expect(read(id)).rejects.toMatchObject(GONE);
    await expect(read(await kept(key.id))).rejects.toMatchObject(GONE);
  });

  test('given fewer days lets go of older ones earlier, and given more keeps its promise to them', async () => {
    const key = await issue(7);
    const id = await kept(key.id);
    const days = async () => {
      const { expires_at: until, kept_at: from } = await read(id);
      return (Date.parse(until) - Date.parse(from)) / 86_400_000;
    };
    await updateKey(t.tenancy, actor, { id: key.id, revision: 1, change: { keep_texts: { days: 2 } } });
    expect(await days()).toBe(2);
    await updateKey(t.tenancy, actor, { id: key.id, revision: 2, change: { keep_texts: { days: 30 } } });
    expect(await days()).toBe(2);
  });

  test('revoked has nothing any more', async () => {
    const key = await issue(7);
    const id = await kept(key.id);
    await deleteKey(t.tenancy, actor, { id: key.id });
    await expect(read(id)).rejects.toMatchObject(GONE);
    await expect(read(await kept(key.id))).rejects.toMatchObject(GONE);
  });

  test('is emptied by name without touching another, and the workspace as a whole', async () => {
    const [one, other] = [await issue(7), await issue(7)];
    const ids = [await kept(one.id), await kept(other.id)] as const;
    await expect(purgeTexts(t.tenancy, as(actor, 'viewer'), { key: one.name })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await purgeTexts(t.tenancy, actor, { key: one.name })).toMatchObject({ scope: 'key', id: one.id, calls: 1 });
    await expect(read(ids[0])).rejects.toMatchObject(GONE);
    expect((await read(ids[1])).texts).toEqual(TEXTS);
    expect(await purgeTexts(t.tenancy, actor, { workspace: true })).toMatchObject({ scope: 'workspace', calls: 1 });
    await expect(purgeTexts(t.tenancy, actor, { key: 'nobody' })).rejects.toMatchObject({ code: 'invalid' });
  });
});

test('a key that says nothing keeps none', async () => {
  const key = await issue(null);
  expect(key.keep_texts).toBeNull();
  await expect(read(await kept(key.id))).rejects.toMatchObject(GONE);
  expect(warned).toEqual([]);
});
