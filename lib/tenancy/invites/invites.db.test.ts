import { beforeAll, describe, expect, test } from 'vitest';
import { withWorkspace } from '../../db';
import { auditLog } from '../../db/schema';
import { newId } from '../../std';
import { ROLES, type Actor, type Role } from '../actor';
import { createManagementKey, findManagementActor } from '../management-keys';
import { changeRole, listMembers, removeMember } from '../members';
import type { Client } from '../sessions';
import { as, createTestTenancy, TEST_PASSWORD, type TestPerson, type TestTenancy } from '../test-tenancy';
import { issueToken } from '../token';
import { signIn } from '../users';
import { listMemberships, updateWorkspace } from '../workspaces';
import { acceptInvite, changeInvite, createInvite, listInvites, lookAtInvite, MAX_INVITES, revokeInvite, type InviteServices } from './index';

let t: TestTenancy;
let services: InviteServices;
let owner: TestPerson;
let serial = 0;
const client: Client = { address: '198.51.100.7', userAgent: null };

beforeAll(async () => {
  t = await createTestTenancy();
  services = { tenancy: t.tenancy, env: { publicUrl: 'https://ohm.example' } };
  owner = await t.person();
});

const address = () => `guest${++serial}@example.com`;
const tokenOf = (link: string | null) => link!.slice('https://ohm.example/invite/'.length);

/** Invites an address; resolves with the link's token and the invitation. */
async function invite(email = address(), role: Role = 'developer', actor: Actor = owner.actor) {
  const { link, mail, mail_error, ...view } = await createInvite(services, actor, { email, role });
  expect({ mail, mail_error }).toEqual({ mail: 'not_configured', mail_error: null });
  return { token: tokenOf(link), view, email };
}

const accept = (person: TestPerson, token: string) => acceptInvite(t.tenancy, { id: person.userId, email: person.email }, token, client);
const look = (token: string) => lookAtInvite(t.tenancy, token, client);
const codeOf = (act: Promise<unknown>) => act.then(() => 'done', (error: { code: string }) => error.code);
const rolesIn = async (workspaceId: string) => Object.fromEntries((await listMembers(t.tenancy, { ...owner.actor, workspaceId })).map((member) => [member.email, member.role]));
const entries = (workspaceId: string) => withWorkspace(t.db, workspaceId, (tx) => tx.select().from(auditLog).orderBy(auditLog.seq));

describe('an invitation', () => {
  test('leads from its link into the workspace, once, and the log has every step', async () => {
    const { token, view, email } = await invite();
    const guest = await t.person(email);
    expect(await look(token)).toEqual({ workspace: owner.email.split('@')[0], role: 'developer', invitedBy: owner.email, expiresAt: view.expires_at });
    expect(Date.parse(view.expires_at) - Date.now()).toBeGreaterThan(6.99 * 86_400_000);
    expect(Date.parse(view.expires_at) - Date.now()).toBeLessThan(7.01 * 86_400_000);
    const changed = await changeInvite(t.tenancy, owner.actor, { id: view.id, revision: 1, role: 'viewer' });
    expect(changed).toMatchObject({ role: 'viewer', revision: 2, state: 'pending' });
    expect(await accept(guest, token)).toMatchObject({ workspace: { id: owner.actor.workspaceId, slug: owner.slug }, role: 'viewer', joined: true });
    expect((await listMemberships(t.tenancy, guest.userId)).map(({ workspace, role }) => [workspace.slug, role])).toEqual([[guest.slug, 'owner'], [owner.slug, 'viewer']]);
    expect(await codeOf(look(token))).toBe('not_found');
    expect(await codeOf(accept(guest, token))).toBe('not_found');
    expect(await listInvites(t.tenancy, owner.actor)).toEqual([]);
    const steps = (await entries(owner.actor.workspaceId)).slice(-4);
    expect(steps.map((entry) => [entry.action, entry.actorId])).toEqual([
      ['invite.created', owner.userId], ['invite.role_changed', owner.userId], ['invite.accepted', guest.userId], ['member.added', guest.userId],
    ]);
    expect(JSON.stringify(steps)).not.toContain(token);
  });

  test('is for one account: whoever else holds the link is refused, told nothing new, and it stays', async () => {
    const { token, email } = await invite();
    const stranger = await t.person();
    const refusal = await accept(stranger, token).catch((error: Error & { code: string }) => error);
    expect(refusal).toMatchObject({ code: 'forbidden', message: expect.stringContaining('the address that it was sent to') });
    expect(JSON.stringify(refusal) + (refusal as Error).message).not.toContain(email);
    expect(JSON.stringify(await look(token))).not.toContain(email);
    expect(await rolesIn(owner.actor.workspaceId)).not.toHaveProperty(stranger.email);
    expect(await accept(await t.person(email), token)).toMatchObject({ joined: true });
  });

  test('lets nobody in without its token, not even who made an account with the invited address beforehand', async () => {
    const email = address();
    const squatter = await t.person(email);
    const { view } = await invite(email);
    for (const guess of ['', view.id, 'x'.repeat(45), issueToken('in').token, issueToken('mk').token]) {
      expect(await codeOf(accept(squatter, guess))).toBe('not_found');
      expect(await codeOf(look(guess))).toBe('not_found');
    }
    expect((await listMemberships(t.tenancy, squatter.userId)).map(({ workspace }) => workspace.slug)).toEqual([squatter.slug]);
  });

  test('that was accepted, revoked or replaced, has expired or never was gets one answer', async () => {
    const guest = await t.person();
    const [used, revoked, replaced, expired] = [await invite(guest.email), await invite(), await invite(), await invite()];
    await accept(guest, used.token);
    await revokeInvite(t.tenancy, owner.actor, { id: revoked.view.id });
    await invite(replaced.email);
    await t.owner`update invites set expires_at = now() - interval '1 second' where id = ${expired.view.id}`;
    const answers = [];
    for (const token of [used.token, revoked.token, replaced.token, expired.token, issueToken('in').token, 'junk']) {
      for (const act of [() => look(token), () => accept(guest, token)]) answers.push(await act().catch((error: { code: string; message: string }) => `${error.code} ${error.message}`));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^not_found This invitation cannot be used/);
    expect(await listInvites(t.tenancy, owner.actor)).toContainEqual(expect.objectContaining({ id: expired.view.id, state: 'expired' }));
  });

  test('accepted twice at once makes one member and is used once', async () => {
    const { token, email } = await invite();
    const guest = await t.person(email);
    const results = await Promise.all([accept(guest, token), accept(guest, token), accept(guest, token)].map(codeOf));
    expect(results.sort()).toEqual(['done', 'not_found', 'not_found']);
    const members = await listMembers(t.tenancy, owner.actor);
    expect(members.filter((member) => member.email === email)).toHaveLength(1);
  });

  test('of somebody who has become a member in the meantime is used up, and leaves their role as it is', async () => {
    const { token, email } = await invite(address(), 'owner');
    const guest = await t.person(email);
    await t.enroll(owner.actor.workspaceId, guest.userId, 'viewer');
    expect(await accept(guest, token)).toMatchObject({ role: 'viewer', joined: false });
    expect((await rolesIn(owner.actor.workspaceId))[email]).toBe('viewer');
    expect(await codeOf(look(token))).toBe('not_found');
  });

  test('sent again replaces the one before: one an address, a new link, the newer role', async () => {
    const first = await invite(address(), 'viewer');
    const again = await invite(first.email.toUpperCase(), 'admin');
    expect(again.view).toMatchObject({ id: first.view.id, email: first.email, role: 'admin', revision: 2 });
    expect(await codeOf(look(first.token))).toBe('not_found');
    expect((await look(again.token)).role).toBe('admin');
    expect((await entries(owner.actor.workspaceId)).at(-1)).toMatchObject({ action: 'invite.sent_again', before: { role: 'viewer' }, after: { role: 'admin' } });
  });

  test('sent by two admins at once is one', async () => {
    const email = address();
    const sent = await Promise.all([invite(email), invite(email)]);
    expect((await listInvites(t.tenancy, owner.actor)).filter((row) => row.email === email)).toHaveLength(1);
    expect((await Promise.all(sent.map(({ token }) => codeOf(look(token))))).sort()).toEqual(['done', 'not_found']);
  });

  test('says the same of an address that has an account and of one that has none, and does nothing to the account', async () => {
    const known = await t.person();
    const before = await t.owner`select to_jsonb(u) as account, (select count(*)::int from sessions s where s.user_id = u.id) as sessions from users u where id = ${known.userId}`;
    const shape = ({ view }: Awaited<ReturnType<typeof invite>>) => ({ ...view, id: '', email: '', expires_at: '', created_at: '' });
    expect(shape(await invite(known.email))).toEqual(shape(await invite()));
    expect(await t.owner`select to_jsonb(u) as account, (select count(*)::int from sessions s where s.user_id = u.id) as sessions from users u where id = ${known.userId}`).toEqual(before);
    expect((await listMemberships(t.tenancy, known.userId)).map(({ workspace }) => workspace.slug)).toEqual([known.slug]);
    expect(await codeOf(signIn(t.tenancy, { email: known.email, password: TEST_PASSWORD }, client))).toBe('done');
  });

  test('of a member is refused: who is in can be seen anyway', async () => {
    expect(await codeOf(invite(owner.email))).toBe('conflict');
  });

  test.each(['nobody', 'a@b@c.example', 'a b@example.com', '<a@example.com>', 'a@example.com\r\nBcc: x@example.com'])('to %j is refused', async (email) => {
    expect(await codeOf(invite(email))).toBe('invalid');
  });
});

describe('who may', () => {
  test.each(ROLES)('invite, see, change and revoke: admins and owners, nobody above their own role: %s', async (role) => {
    const actor = as(owner.actor, role);
    const manages = role === 'admin' || role === 'owner';
    const allowed = (yes: boolean) => (yes ? 'done' : 'forbidden');
    expect(await codeOf(listInvites(t.tenancy, actor))).toBe(allowed(manages));
    expect(await codeOf(invite(address(), 'viewer', actor))).toBe(allowed(manages));
    expect(await codeOf(invite(address(), 'owner', actor))).toBe(allowed(role === 'owner'));
    const [low, high] = [await invite(address(), 'viewer'), await invite(address(), 'owner')];
    expect(await codeOf(changeInvite(t.tenancy, actor, { id: low.view.id, revision: 1, role: 'owner' }))).toBe(allowed(role === 'owner'));
    expect(await codeOf(changeInvite(t.tenancy, actor, { id: high.view.id, revision: 1, role: 'viewer' }))).toBe(allowed(role === 'owner'));
    const another = await invite(address(), 'owner');
    expect(await codeOf(invite(another.email, 'viewer', actor))).toBe(allowed(role === 'owner'));
    const third = await invite(address(), 'owner');
    expect(await codeOf(revokeInvite(t.tenancy, actor, { id: third.view.id }))).toBe(allowed(role === 'owner'));
    expect(await codeOf(revokeInvite(t.tenancy, actor, { id: low.view.id }))).toBe(allowed(manages));
  });

  test('somebody of another workspace neither sees an invitation nor reaches it', async () => {
    const { view, token } = await invite();
    const other = await t.person();
    expect(await listInvites(t.tenancy, other.actor)).toEqual([]);
    expect(await codeOf(changeInvite(t.tenancy, other.actor, { id: view.id, revision: 1, role: 'viewer' }))).toBe('not_found');
    expect(await codeOf(revokeInvite(t.tenancy, other.actor, { id: view.id }))).toBe('not_found');
    expect(await codeOf(look(token))).toBe('done');
  });

  test('an edit or a removal of what has been edited since is stale', async () => {
    const { view } = await invite();
    await changeInvite(t.tenancy, owner.actor, { id: view.id, revision: 1, role: 'viewer' });
    expect(await codeOf(changeInvite(t.tenancy, owner.actor, { id: view.id, revision: 1, role: 'admin' }))).toBe('stale');
    expect(await codeOf(revokeInvite(t.tenancy, owner.actor, { id: view.id, revision: 1 }))).toBe('stale');
  });
});

describe('whoever loses their role', () => {
  test('by being removed cannot come back by a link that they sent, by hand or by their management key', async () => {
    const { actor } = await t.person();
    const admin = await t.enroll(actor.workspaceId, (await t.person()).userId, 'admin');
    const { key } = await createManagementKey(t.tenancy, admin, { name: 'theirs', role: 'admin', expires_at: null });
    const byKey = (await findManagementActor(t.tenancy, key))!;
    const links = [await invite(address(), 'admin', admin), await invite(address(), 'viewer', byKey)];
    expect((await look(links[1]!.token)).invitedBy).toBeNull();
    const owners = await invite(address(), 'admin', actor);
    await removeMember(t.tenancy, actor, { userId: admin.id });
    for (const { token } of links) expect(await codeOf(look(token))).toBe('not_found');
    expect(await codeOf(look(owners.token))).toBe('done');
    expect((await entries(actor.workspaceId)).slice(-3).map((entry) => entry.action)).toEqual(['invite.revoked', 'invite.revoked', 'member.removed']);
  });

  test('in part keeps the invitations that they could still send', async () => {
    const { actor } = await t.person();
    const second = await t.enroll(actor.workspaceId, (await t.person()).userId, 'owner');
    const [high, low] = [await invite(address(), 'owner', second), await invite(address(), 'admin', second)];
    await changeRole(t.tenancy, actor, { userId: second.id, role: 'admin' });
    expect([await codeOf(look(high.token)), await codeOf(look(low.token))]).toEqual(['not_found', 'done']);
    await changeRole(t.tenancy, actor, { userId: second.id, role: 'developer' });
    expect(await codeOf(look(low.token))).toBe('not_found');
  });
});

describe('bounds', () => {
  test('a workspace has 100 invitations at most, also when two are sent at once', async () => {
    const { actor } = await t.person();
    await t.owner`
      insert into invites (id, workspace_id, email, role, token_hash, invited_by, expires_at)
      select 'invite_' || ${actor.workspaceId} || n, ${actor.workspaceId}, 'bulk' || n || '@example.com', 'viewer', ${actor.workspaceId} || n, 'user:x', now() from generate_series(1, ${MAX_INVITES - 1}) n`;
    expect((await Promise.all([invite(address(), 'viewer', actor), invite(address(), 'viewer', actor)].map(codeOf))).sort()).toEqual(['conflict', 'done']);
    expect(await codeOf(invite('bulk1@example.com', 'viewer', actor))).toBe('done'); // replaces
    expect(await listInvites(t.tenancy, actor)).toHaveLength(MAX_INVITES);
  });

  test('nobody joins a 51st workspace', async () => {
    const { token, email } = await invite();
    const guest = await t.person(email);
    await t.owner`insert into workspaces (id, slug, name) select 'ws_many' || n, 'many' || n, 'many' from generate_series(1, 49) n`;
    await t.owner`insert into members (workspace_id, user_id, role) select 'ws_many' || n, ${guest.userId}, 'viewer' from generate_series(1, 49) n`;
    expect(await codeOf(accept(guest, token))).toBe('conflict');
    expect(await codeOf(look(token))).toBe('done'); // not used up
  });

  test('guesses of one network are limited, and the rightful holder’s looks are not counted', async () => {
    const { token } = await invite();
    const guesser: Client = { address: '203.0.113.99', userAgent: null };
    for (let n = 0; n < 60; n++) await lookAtInvite(t.tenancy, token, guesser);
    const codes = [];
    for (let n = 0; n < 52; n++) codes.push(await codeOf(lookAtInvite(t.tenancy, issueToken('in').token, guesser)));
    expect(codes.slice(0, 51)).toEqual(Array(51).fill('not_found'));
    expect(codes[51]).toBe('rate_limited');
    expect(await codeOf(look(token))).toBe('done'); // another network
  });

  test('one address is not invited without end', async () => {
    const email = address();
    const codes = [];
    for (let n = 0; n < 12; n++) codes.push(await codeOf(invite(email)));
    expect(codes).toEqual([...Array(11).fill('done'), 'rate_limited']);
  });
});

test('a workspace’s name of today stands in the offer, and a management key as its inviter has no address', async () => {
  const { actor } = await t.person();
  const { token } = await invite(address(), 'viewer', { ...actor, kind: 'management_key', id: newId('mk') });
  await updateWorkspace(t.tenancy, actor, { revision: 1, change: { name: 'Söns & Co' } });
  expect(await look(token)).toMatchObject({ workspace: 'Söns & Co', invitedBy: null });
});
