import { beforeAll, describe, expect, test } from 'vitest';
import { withWorkspace } from '../../db';
import { auditLog, connections, routes, routeTiers } from '../../db/schema';
import { verifyAuditChain } from '../audit';
import { endSession, endSessionsOf, listSessions, readSession } from '../sessions';
import { createTestTenancy, TEST_PASSWORD, type TestTenancy } from '../test-tenancy';
import { createWorkspace, listMemberships } from '../workspaces';
import { countAttempt, sweepAttempts } from './attempts';
import { changePassword, signIn, signUp } from './index';

let t: TestTenancy;
beforeAll(async () => {
  t = await createTestTenancy();
});

let serial = 0;
const somewhere = () => ({ address: `198.51.100.${++serial % 250}`, userAgent: 'test' });
const mail = () => `user${++serial}@example.com`;
const dump = async () => JSON.stringify([await t.owner`select * from users order by id`, await t.owner`select * from workspaces order by id`, await t.owner`select * from members order by 1, 2`]);

describe('signing up', () => {
  test('makes a person, and a workspace with a sandbox connection and a route that shows a failover', async () => {
    const email = mail();
    const { userId, sessionId } = (await signUp(t.tenancy, { email: ` ${email.toUpperCase()} `, password: TEST_PASSWORD, workspace: ' Acme  Inc. ' }, somewhere()))!;
    expect(await readSession(t.tenancy, sessionId)).toEqual({ sessionId, user: { id: userId, email } });
    const [membership, ...none] = await listMemberships(t.tenancy, userId);
    expect(none).toEqual([]);
    expect(membership).toMatchObject({ role: 'owner', workspace: { slug: 'acme-inc', name: 'Acme Inc.' } });

    const workspaceId = membership!.workspace.id;
    await withWorkspace(t.db, workspaceId, async (tx) => {
      expect(await tx.select().from(connections)).toMatchObject([{ name: 'sandbox', kind: 'sandbox', provider: 'sandbox', apiKeySealed: null }]);
      expect(await tx.select().from(routes)).toMatchObject([{ name: 'demo', commit: 'first_content', revision: 1 }]);
      expect((await tx.select().from(routeTiers).orderBy(routeTiers.position)).map((tier) => tier.model)).toEqual(['status:503', 'text:20']);
      expect((await tx.select().from(auditLog).orderBy(auditLog.seq)).map((entry) => entry.action)).toEqual(['workspace.created', 'connection.created', 'route.created']);
      expect(await verifyAuditChain(tx, workspaceId)).toEqual({ firstBadSeq: null, entries: 3 });
    });
  });

  test('with a name that is taken or one of the product\'s own addresses gets another slug', async () => {
    const slugs = [];
    for (const workspace of ['Same Name', 'Same Name', 'Docs', 'sign-in', '你好']) {
      const { userId } = (await signUp(t.tenancy, { email: mail(), password: TEST_PASSWORD, workspace }, somewhere()))!;
      slugs.push((await listMemberships(t.tenancy, userId))[0]!.workspace.slug);
    }
    expect(slugs[0]).toBe('same-name');
    expect(slugs[1]).toMatch(/^same-name-[a-z0-9]{5}$/);
    expect(slugs[2]).toMatch(/^docs-[a-z0-9]{5}$/);
    expect(slugs[3]).toMatch(/^sign-in-[a-z0-9]{5}$/);
    expect(slugs[4]).toMatch(/^workspace-[a-z0-9]{5}$/);
  });

  test('for an address that has an account changes nothing, and opens it only with its own password', async () => {
    const email = mail();
    const first = (await signUp(t.tenancy, { email, password: TEST_PASSWORD }, somewhere()))!;
    const before = await dump();
    expect(await signUp(t.tenancy, { email, password: 'another password entirely', workspace: 'Mine now' }, somewhere())).toBeNull();
    const again = await signUp(t.tenancy, { email, password: TEST_PASSWORD, workspace: 'Second' }, somewhere());
    expect(again?.userId).toBe(first.userId);
    expect(again?.sessionId).not.toBe(first.sessionId);
    expect(await dump()).toBe(before);
  });

  test('takes as long for a free address as for a taken one', async () => {
    const taken = mail();
    await signUp(t.tenancy, { email: taken, password: TEST_PASSWORD }, somewhere());
    const timed = async (email: string) => {
      const startedAt = performance.now();
      await signUp(t.tenancy, { email, password: 'another password entirely' }, somewhere());
      return performance.now() - startedAt;
    };
    for (let i = 0; i < 3; i++) {
      expect(await timed(mail())).toBeGreaterThan(390);
      expect(await timed(taken)).toBeGreaterThan(390);
    }
  });

  test('of one address six times at once makes one account', async () => {
    const email = mail();
    const results = await Promise.all(Array.from({ length: 6 }, () => signUp(t.tenancy, { email, password: TEST_PASSWORD }, somewhere())));
    expect(new Set(results.map((result) => result!.userId)).size).toBe(1);
    expect(await t.owner`select from members m join users u on u.id = m.user_id where u.email = ${email}`).toHaveLength(1);
  });

  test('refuses a weak password before it looks whose address it is', async () => {
    await expect(signUp(t.tenancy, { email: mail(), password: 'password1234' }, somewhere())).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'password' }] });
  });
});

describe('signing in', () => {
  test('is refused alike for a wrong password, an unknown address and what is no address', async () => {
    const { email } = await t.person();
    const answers = [];
    for (const attempt of [{ email, password: 'wrong password here' }, { email: mail(), password: TEST_PASSWORD }, { email: 'nobody', password: TEST_PASSWORD }, { email, password: '' }]) {
      answers.push(await signIn(t.tenancy, attempt, somewhere()).catch((error: { code: string; message: string; issues: unknown[] }) => [error.code, error.message, error.issues]));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual(['unauthenticated', 'The e-mail address or the password is wrong.', []]);
  });

  test('does the work of a hash for an unknown address, too', async () => {
    const { email } = await t.person();
    const timed = async (address: string) => {
      const startedAt = performance.now();
      await signIn(t.tenancy, { email: address, password: 'wrong password here' }, somewhere()).catch(() => {});
      return performance.now() - startedAt;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 7; i++) {
      known.push(await timed(email));
      unknown.push(await timed(mail()));
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[3]!;
    expect(median(unknown)).toBeGreaterThan(median(known) / 3);
    expect(median(known)).toBeGreaterThan(median(unknown) / 3);
  });

  test('never takes the stored hash for a password', async () => {
    const { email, userId } = await t.person();
    const [row] = await t.owner`select password_hash from users where id = ${userId}`;
    expect(row!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await expect(signIn(t.tenancy, { email, password: row!.password_hash }, somewhere())).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('to one account is limited wherever it comes from, one by one or all at once, and the wait ends', async () => {
    const { email } = await t.person();
    const tries = await Promise.allSettled(Array.from({ length: 40 }, () => signIn(t.tenancy, { email, password: 'wrong password here' }, somewhere())));
    const codes = tries.map((result) => (result as PromiseRejectedResult).reason.code);
    const looked = codes.filter((code) => code === 'unauthenticated').length; // ten free, and the one that starts the wait
    expect(looked).toBeGreaterThanOrEqual(11);
    expect(looked).toBeLessThanOrEqual(14); // on a slow machine the first waits end meanwhile
    const refused = await signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'rate_limited', retryAfterS: expect.any(Number) });
    await t.owner`update login_attempts set blocked_until = now()`;
    await signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere());
    await signIn(t.tenancy, { email, password: 'wrong password here' }, somewhere()).catch(() => {});
    await expect(signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere())).resolves.toBeTruthy(); // it starts afresh
  });

  test('waits grow, up to five minutes', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 22; i++) {
      await countAttempt(t.tenancy, 'sign-in account', 'growing').catch(() => {});
      const [row] = await t.owner`select extract(epoch from blocked_until - now())::float8 as wait from login_attempts order by last_failure_at desc limit 1`;
      waits.push(Math.round(row!.wait ?? 0));
      await t.owner`update login_attempts set blocked_until = now() - interval '1 second' where blocked_until is not null`;
    }
    expect(waits.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(waits.slice(10)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
  });

  test('from one network is limited whatever the accounts', async () => {
    const client = { address: '203.0.113.99', userAgent: null };
    await t.owner`delete from login_attempts`;
    const codes: string[] = [];
    for (let i = 0; i < 60; i++) codes.push(await signIn(t.tenancy, { email: mail(), password: 'wrong password here' }, client).then(() => '', (error: { code: string }) => error.code));
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThan(0);
    expect(codes.slice(0, 50)).toEqual(Array(50).fill('unauthenticated'));
  });

  test('leaves no address in the table of attempts, and the table is bounded', async () => {
    const rows = await t.owner<{ bucket: string }[]>`select bucket from login_attempts`;
    for (const { bucket } of rows) expect(bucket).toMatch(/^sign-(in|up) (account|network) [\w-]{43}$/);
    await t.owner`insert into login_attempts (bucket, failures, last_failure_at) select 'old ' || i, 1, now() - interval '2 days' from generate_series(1, 100) i`;
    await sweepAttempts(t.tenancy, 20);
    expect((await t.owner`select count(*)::int as n from login_attempts`)[0]!.n).toBeLessThanOrEqual(20);
  });
});

describe('a session', () => {
  test('has a new id at every sign-in, and ends at once when it is ended, for that person alone', async () => {
    const [ada, bob] = [await t.person(), await t.person()];
    const { sessionId } = await signIn(t.tenancy, { email: ada.email, password: TEST_PASSWORD }, somewhere());
    expect(sessionId).not.toBe(ada.sessionId);
    expect((await listSessions(t.tenancy, ada.userId)).map((session) => session.id).sort()).toEqual([sessionId, ada.sessionId].sort());
    await expect(endSession(t.tenancy, sessionId, bob.userId)).rejects.toMatchObject({ code: 'not_found' });
    await endSession(t.tenancy, sessionId, ada.userId);
    expect(await readSession(t.tenancy, sessionId)).toBeNull();
    expect(await readSession(t.tenancy, ada.sessionId)).not.toBeNull();
    expect(await endSessionsOf(t.tenancy, ada.userId)).toBe(1);
    expect(await readSession(t.tenancy, ada.sessionId)).toBeNull();
    expect(await readSession(t.tenancy, bob.sessionId)).not.toBeNull();
  });

  test.each([
    ['its time is over', 'expires_at', "now() - interval '1 second'"],
    ['nobody used it for a week', 'last_seen_at', "now() - interval '7 days 1 second'"],
  ])('ends when %s', async (_, column, value) => {
    const { sessionId, userId } = await t.person();
    await t.owner.unsafe(`update sessions set ${column} = ${value} where id = '${sessionId}'`);
    expect(await readSession(t.tenancy, sessionId)).toBeNull();
    expect(await listSessions(t.tenancy, userId)).toEqual([]);
  });

  test('is nobody\'s when the id is junk', async () => {
    for (const junk of ['', 'session_x', "' or true --", 'session_' + '0'.repeat(26), '\0']) expect(await readSession(t.tenancy, junk)).toBeNull();
  });

  test('notes its use to the minute', async () => {
    const { sessionId } = await t.person();
    await t.owner`update sessions set last_seen_at = now() - interval '2 minutes' where id = ${sessionId}`;
    await readSession(t.tenancy, sessionId);
    expect((await t.owner`select last_seen_at > now() - interval '30 seconds' as fresh from sessions where id = ${sessionId}`)[0]!.fresh).toBe(true);
  });

  test('of before a change of password is dead, and the old password with it', async () => {
    const { sessionId, userId, email } = await t.person();
    await expect(changePassword(t.tenancy, userId, { current: 'wrong password here', next: 'a quite different phrase' }, somewhere())).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'current' }] });
    const fresh = await changePassword(t.tenancy, userId, { current: TEST_PASSWORD, next: 'a quite different phrase' }, somewhere());
    expect(await readSession(t.tenancy, sessionId)).toBeNull();
    expect(await readSession(t.tenancy, fresh)).not.toBeNull();
    await expect(signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere())).rejects.toMatchObject({ code: 'unauthenticated' });
    await signIn(t.tenancy, { email, password: 'a quite different phrase' }, somewhere());
  });
});

test('a person can have several workspaces, and each sees its own', async () => {
  const { userId, email } = await t.person();
  const second = await createWorkspace(t.tenancy, { id: userId, email }, { name: 'Second' });
  expect((await listMemberships(t.tenancy, userId)).map(({ workspace }) => workspace.id)).toContain(second.id);
  const rows = await withWorkspace(t.db, second.id, (tx) => tx.select().from(connections));
  expect(rows.map((row) => row.workspaceId)).toEqual([second.id]);
});
