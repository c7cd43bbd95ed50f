import { beforeAll, describe, expect, test } from 'vitest';
import { withWorkspace } from '../../db';
import { auditLog } from '../../db/schema';
import { ROLES, type Actor, type Role } from '../actor';
import { keyCreate } from '../../management/schemas';
import { createKey, listKeys } from '../keys';
import { createManagementKey, findManagementActor } from '../management-keys';
import { as, createTestTenancy, type TestTenancy } from '../test-tenancy';
import { listMemberships } from '../workspaces';
import { changeRole, countKeysMade, listMembers, removeMember } from './index';

let t: TestTenancy;
let owner: Actor;
beforeAll(async () => {
  t = await createTestTenancy();
});

/** A workspace with its owner and one member of each given role. */
async function crew(...roles: Role[]): Promise<string[]> {
  ({ actor: owner } = await t.person());
  const ids = [];
  for (const role of roles) {
    const { userId } = await t.person();
    await t.enroll(owner.workspaceId, userId, role);
    ids.push(userId);
  }
  return ids;
}

describe('members', () => {
  test('are listed, join, change and leave, each with an entry in the audit log', async () => {
    const [viewer] = await crew('viewer');
    expect((await listMembers(t.tenancy, as(owner, 'viewer'))).map((member) => member.role)).toEqual(['owner', 'viewer']);
    expect(await changeRole(t.tenancy, owner, { userId: viewer!, role: 'admin' })).toMatchObject({ role: 'admin' });
    expect((await listMemberships(t.tenancy, viewer!)).find(({ workspace }) => workspace.id === owner.workspaceId)!.role).toBe('admin');
    await removeMember(t.tenancy, owner, { userId: viewer! });
    expect((await listMemberships(t.tenancy, viewer!)).map(({ workspace }) => workspace.id)).not.toContain(owner.workspaceId);
    const entries = await withWorkspace(t.db, owner.workspaceId, (tx) => tx.select().from(auditLog).orderBy(auditLog.seq));
    expect(entries.slice(-3).map((entry) => entry.action)).toEqual(['member.added', 'member.role_changed', 'member.removed']);
  });

  test('of another workspace are not found, and none can be listed through this one', async () => {
    await crew();
    const stranger = await t.person();
    await expect(changeRole(t.tenancy, owner, { userId: stranger.userId, role: 'viewer' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeMember(t.tenancy, owner, { userId: stranger.userId })).rejects.toMatchObject({ code: 'not_found' });
    expect((await listMembers(t.tenancy, owner)).map((member) => member.user_id)).toEqual([owner.id]);
  });

  test('are never without an owner: the last one cannot be demoted, removed or leave', async () => {
    await crew('admin');
    for (const act of [() => changeRole(t.tenancy, owner, { userId: owner.id, role: 'admin' }), () => removeMember(t.tenancy, owner, { userId: owner.id })]) {
      await expect(act()).rejects.toMatchObject({ code: 'conflict' });
    }
  });

  test('of whom two owners demote each other at once keep one', async () => {
    const [second] = await crew('owner');
    const other: Actor = { ...owner, id: second! };
    const results = await Promise.allSettled([
      changeRole(t.tenancy, owner, { userId: second!, role: 'viewer' }),
      changeRole(t.tenancy, other, { userId: owner.id, role: 'viewer' }),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await listMembers(t.tenancy, owner)).filter((member) => member.role === 'owner')).toHaveLength(1);
  });

  test.each(ROLES)('may be managed by admins and owners, and owners by owners only: %s', async (role) => {
    const [viewer, secondOwner] = await crew('viewer', 'owner');
    const actor: Actor = { ...owner, id: 'user_actor', role };
    const outcome = (act: Promise<unknown>) => act.then(() => 'done', (error: { code: string }) => error.code);
    const manages = role === 'admin' || role === 'owner';
    expect(await outcome(changeRole(t.tenancy, actor, { userId: viewer!, role: 'developer' }))).toBe(manages ? 'done' : 'forbidden');
    expect(await outcome(changeRole(t.tenancy, actor, { userId: viewer!, role: 'owner' }))).toBe(role === 'owner' ? 'done' : 'forbidden');
    expect(await outcome(removeMember(t.tenancy, actor, { userId: secondOwner! }))).toBe(role === 'owner' ? 'done' : 'forbidden');
  });

  test('may leave by themselves, whatever their role', async () => {
    const [viewer] = await crew('viewer');
    await removeMember(t.tenancy, { ...owner, id: viewer!, role: 'viewer' }, { userId: viewer! });
    expect(await listMembers(t.tenancy, owner)).toHaveLength(1);
  });

  test('are changed and removed as they were read: an older revision is stale', async () => {
    const [viewer] = await crew('viewer');
    const { revision } = await changeRole(t.tenancy, owner, { userId: viewer!, role: 'developer', revision: 1 });
    expect(revision).toBe(2);
    await expect(changeRole(t.tenancy, owner, { userId: viewer!, role: 'admin', revision: 1 })).rejects.toMatchObject({ code: 'stale' });
    await expect(removeMember(t.tenancy, owner, { userId: viewer!, revision: 1 })).rejects.toMatchObject({ code: 'stale' });
    await removeMember(t.tenancy, owner, { userId: viewer!, revision: 2 });
  });
});

describe('the keys that a removed member made', () => {
  /** An admin with a gateway key and a management key of their own making, and a gateway key of the owner's. */
  async function withKeys() {
    const [id] = await crew('admin');
    const admin: Actor = { ...owner, id: id!, role: 'admin' };
    const key = await createKey(t.tenancy, admin, keyCreate.parse({ name: 'theirs' }));
    const managementKey = await createManagementKey(t.tenancy, admin, { name: 'theirs', role: 'admin', expires_at: null });
    await createKey(t.tenancy, owner, keyCreate.parse({ name: 'mine' }));
    return { admin, key, managementKey };
  }
  const states = async () => Object.fromEntries((await listKeys(t.tenancy, owner, { limit: 10, sort: 'name' })).data.map((key) => [key.name, key.state]));

  test('stay, unless whoever removes them says otherwise', async () => {
    const { admin, managementKey } = await withKeys();
    expect((await countKeysMade(t.tenancy, owner)).get(admin.id)).toEqual({ keys: 1, managementKeys: 1 });
    await removeMember(t.tenancy, owner, { userId: admin.id });
    expect(await states()).toEqual({ mine: 'active', theirs: 'active' });
    expect(await findManagementActor(t.tenancy, managementKey.key)).not.toBeNull();
  });

  test('are disabled and revoked with them, at once, and the log names them', async () => {
    const { admin, key, managementKey } = await withKeys();
    await removeMember(t.tenancy, owner, { userId: admin.id, keys: 'disable' });
    expect(await states()).toEqual({ mine: 'active', theirs: 'disabled' });
    expect(await findManagementActor(t.tenancy, managementKey.key)).toBeNull();
    expect(await t.tenancy.directory.find(key.key)).toBeNull();
    expect((await countKeysMade(t.tenancy, owner)).get(admin.id)).toBeUndefined();
    const entries = await withWorkspace(t.db, owner.workspaceId, (tx) => tx.select().from(auditLog).orderBy(auditLog.seq));
    expect(entries.slice(-2).map((entry) => entry.action)).toEqual(['member.keys_disabled', 'member.removed']);
    expect(entries.at(-2)!.after).toEqual({ keys: [{ id: key.id, name: 'theirs' }], management_keys: [{ id: managementKey.id, name: 'theirs', role: 'admin' }] });
  });

  test('are not for those to disable who are no admin, nor is a management key above one’s own role', async () => {
    const { admin } = await withKeys();
    const second = await t.enroll(owner.workspaceId, (await t.person()).userId, 'admin');
    const formerOwner = await t.enroll(owner.workspaceId, (await t.person()).userId, 'owner');
    await createManagementKey(t.tenancy, formerOwner, { name: 'above', role: 'owner', expires_at: null });
    await changeRole(t.tenancy, owner, { userId: formerOwner.id, role: 'admin' });
    await expect(removeMember(t.tenancy, second, { userId: formerOwner.id, keys: 'disable' })).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('"above"') });
    expect((await listMembers(t.tenancy, owner)).map((member) => member.user_id)).toContain(formerOwner.id);
    await changeRole(t.tenancy, owner, { userId: admin.id, role: 'developer' });
    await expect(removeMember(t.tenancy, { ...admin, role: 'developer' }, { userId: admin.id, keys: 'disable' })).rejects.toMatchObject({ code: 'forbidden' });
  });
});
