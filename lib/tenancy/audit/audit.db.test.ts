import { beforeAll, describe, expect, test } from 'vitest';
import { withWorkspace } from '../../db';
import { as, createTestTenancy, type TestTenancy } from '../test-tenancy';
import type { Actor } from '../actor';
import { removeMember } from '../members';
import { audit, checkAuditLog, listAuditEntries, peopleInEntries, verifyAuditChain } from './index';

let t: TestTenancy;
let actor: Actor;
beforeAll(async () => {
  t = await createTestTenancy();
  ({ actor } = await t.person());
});

const verify = () => withWorkspace(t.db, actor.workspaceId, (tx) => verifyAuditChain(tx, actor.workspaceId));
const write = (action: string, after: unknown = null) => withWorkspace(t.db, actor.workspaceId, (tx) => audit(tx, actor, action, 'thing', null, after));

describe('the audit log', () => {
  test('numbers fifty writers at once without a gap, and the chain holds', async () => {
    const { entries } = await verify();
    const crowd = await t.open({ poolSize: 10 });
    await Promise.all(Array.from({ length: 50 }, (_, i) => withWorkspace(crowd, actor.workspaceId, (tx) => audit(tx, actor, 'thing.changed', `thing_${i}`, { i }, { z: 1, a: [{ y: null, b: 'é' }], n: 1.5e21 }))));
    expect(await verify()).toEqual({ firstBadSeq: null, entries: entries + 50 });
  });

  test('has no entry of a change that was rolled back, and no gap either', async () => {
    const before = await verify();
    await withWorkspace(t.db, actor.workspaceId, async (tx) => {
      await audit(tx, actor, 'thing.never', 'thing', null, null);
      throw new Error('on purpose');
    }).catch(() => {});
    await write('thing.after');
    expect(await verify()).toEqual({ firstBadSeq: null, entries: before.entries + 1 });
  });

  test('cannot be written into another workspace', async () => {
    const other = await t.person();
    await expect(withWorkspace(t.db, actor.workspaceId, (tx) => audit(tx, other.actor, 'x', 'x', null, null))).rejects.toMatchObject({ code: '42501' });
  });

  test('is read by action, by kind of thing and by thing, and checked, by admins alone', async () => {
    ({ actor } = await t.person());
    for (const [action, target] of [['key.created', 'a'], ['key.rotated', 'a'], ['keys.counted', 'a'], ['key.created', 'b']] as const) {
      await withWorkspace(t.db, actor.workspaceId, (tx) => audit(tx, actor, action, target, null, null));
    }
    const read = async (filter: object) => (await listAuditEntries(t.tenancy, actor, { limit: 50, ...filter })).data.map((entry) => `${entry.action} ${entry.target}`);
    expect(await read({ action: 'key.created' })).toEqual(['key.created b', 'key.created a']);
    expect(await read({ action: 'key' })).toEqual(['key.created b', 'key.rotated a', 'key.created a']);
    expect(await read({ action: 'key', target: 'a' })).toEqual(['key.rotated a', 'key.created a']);
    expect(await read({ action: 'k_y' })).toEqual([]);
    const { entries } = await verify();
    expect(await checkAuditLog(t.tenancy, actor)).toEqual({ entries, first_bad_seq: null });
    await t.owner`update audit_log set target = 'c' where workspace_id = ${actor.workspaceId} and seq = ${entries}`;
    expect(await checkAuditLog(t.tenancy, actor)).toEqual({ entries: entries - 1, first_bad_seq: entries });
    for (const act of [listAuditEntries(t.tenancy, as(actor, 'developer'), { limit: 50 }), checkAuditLog(t.tenancy, as(actor, 'developer'))]) await expect(act).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('names those who have left, and nobody whom another workspace’s log names', async () => {
    const [owner, left] = [await t.person(), await t.person()];
    const member = await t.enroll(owner.actor.workspaceId, left.userId, 'admin');
    await withWorkspace(t.db, owner.actor.workspaceId, (tx) => audit(tx, member, 'thing.changed', 'thing', null, null));
    await removeMember(t.tenancy, owner.actor, { userId: left.userId, revision: 1 });
    const { data } = await listAuditEntries(t.tenancy, owner.actor, { limit: 50 });
    const seqs = data.map(({ seq }) => seq);
    const both = new Map([[owner.userId, owner.email], [left.userId, left.email]]);
    expect(await peopleInEntries(t.tenancy, owner.actor, seqs)).toEqual(both);
    expect(await peopleInEntries(t.tenancy, owner.actor, [data.find(({ action }) => action === 'thing.changed')!.seq])).toEqual(new Map([[left.userId, left.email]]));
    expect((await peopleInEntries(t.tenancy, (await t.person()).actor, seqs)).has(left.userId)).toBe(false);
    await expect(peopleInEntries(t.tenancy, as(owner.actor, 'developer'), seqs)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test.each([
    ['altered', "update audit_log set after = '{\"role\": \"owner\"}' where workspace_id = $1 and seq = 5", 5],
    ['attributed to somebody else', "update audit_log set actor_id = 'user_x' where workspace_id = $1 and seq = 6", 6],
    ['removed', 'delete from audit_log where workspace_id = $1 and seq = 7', 7],
    ['given the hash that fits it', "update audit_log set hash = 'x' where workspace_id = $1 and seq = 4", 4],
  ])('shows where an entry was %s by somebody with all rights', async (_, statement, seq) => {
    ({ actor } = await t.person());
    for (let i = 0; i < 8; i++) await write('thing.changed', { i });
    await t.owner.unsafe(statement, [actor.workspaceId]);
    expect((await verify()).firstBadSeq).toBe(seq);
  });
});
