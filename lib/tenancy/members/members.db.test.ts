import { beforeAll, describe, expect, test } from 'vitest';
import { withWorkspace } from '../../db';
import { auditLog } from '../../db/schema';
import { ROLES, type Actor, type Role } from '../actor';
import { as, createTestTenancy, type TestTenancy } from '../test-tenancy';
import { listMemberships } from '../workspaces';
import { addMember, changeRole, listMembers, removeMember } from './index';

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
    await addMember(t.tenancy, owner, { userId, role });
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
    await expect(addMember(t.tenancy, owner, { userId: 'user_nobody', role: 'viewer' })).rejects.toMatchObject({ code: 'not_found' });
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
    expect(await outcome(addMember(t.tenancy, actor, { userId: viewer!, role: 'viewer' }))).toBe(manages ? 'conflict' : 'forbidden');
  });

  test('may leave by themselves, whatever their role', async () => {
    const [viewer] = await crew('viewer');
    await removeMember(t.tenancy, { ...owner, id: viewer!, role: 'viewer' }, { userId: viewer! });
    expect(await listMembers(t.tenancy, owner)).toHaveLength(1);
  });
});
