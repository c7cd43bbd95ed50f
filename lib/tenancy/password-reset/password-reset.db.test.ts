import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMailer, type Mailer } from '../../alerts';
import { mailServer, type MailServer } from '../../alerts/test-receivers';
import { createManagementKey, findManagementActor } from '../management-keys';
import { readSession } from '../sessions';
import { startSession } from '../sessions/start-session';
import { createTenancy } from '../tenancy';
import { createTestTenancy, TEST_PASSWORD, type TestTenancy } from '../test-tenancy';
import { issueToken } from '../token';
import { changePassword, signIn, signUp } from '../users';
import { lookAtReset, operatorReset, requestReset, resetPassword, type ResetServices } from './index';

let t: TestTenancy;
let server: MailServer;
let mailer: Mailer;
let services: ResetServices;
let serial = 0;
const logged: { level: string; fields: object; message: string }[] = [];
const NEXT = 'a quite different phrase';
const somewhere = () => ({ address: `203.0.113.${++serial % 250}`, userAgent: null });
const nobody = () => `nobody${++serial}@example.com`;

beforeAll(async () => {
  t = await createTestTenancy();
  server = await mailServer();
  mailer = createMailer({ smtpUrl: server.url, from: 'Ohm <ohm@example.org>' });
  const note = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message });
  services = { tenancy: createTenancy({ db: t.db, secret: t.secret, mail: mailer.send }), env: { publicUrl: 'https://ohm.example' }, log: { info: note('info'), warn: note('warn') } };
  afterAll(async () => {
    mailer.close();
    await services.tenancy.close();
    await server.close();
  });
});

beforeEach(() => {
  server.mails.length = 0;
  server.replies = {};
  logged.length = 0;
});

const ask = (email: string, client = somewhere()) => requestReset(services, { email }, client);
const set = (token: string, password = NEXT, client = somewhere()) => resetPassword(services, { token, password }, client);
const codeOf = (act: Promise<unknown>) => act.then(() => 'done', (error: { code: string; message: string }) => `${error.code} ${error.message}`);
const textOf = (data: string) => data.replace(/=\r\n/g, '').replace(/=3D/g, '=').replace(/\r\n/g, '\n');

/** The mails to an address, once there are that many: nobody waits for them. */
async function mailsTo(email: string, count: number) {
  const list = () => server.mails.filter(({ to }) => to.includes(email)).map(({ data }) => textOf(data));
  await expect.poll(() => list().length).toBe(count);
  return list();
}

/** Asks for a link and takes it out of the mailbox. */
async function linkTo(email: string): Promise<string> {
  const tokens = () => server.mails.filter(({ to }) => to.includes(email)).flatMap(({ data }) => /https:\/\/ohm\.example\/reset\/(ohm_pw_\w{38})/.exec(textOf(data))?.[1] ?? []);
  const before = tokens().length;
  await ask(email);
  await expect.poll(() => tokens().length).toBe(before + 1);
  return tokens().at(-1)!;
}

describe('whoever forgot their password', () => {
  test('sets another by the link in their mailbox: the old one and every session are over, and a mail says so', async () => {
    const { email, sessionId, userId } = await t.person();
    const other = await signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere());
    const token = await linkTo(email);
    const [asked] = await mailsTo(email, 1);
    expect(asked!.match(/\w+:\/\/\S+/g)).toEqual([`https://ohm.example/reset/${token}`]);
    expect(await lookAtReset(t.tenancy, token, somewhere())).toEqual({ email });
    await set(token);
    for (const id of [sessionId, other.sessionId]) expect(await readSession(t.tenancy, id)).toBeNull();
    await expect(signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere())).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await signIn(t.tenancy, { email, password: NEXT }, somewhere())).userId).toBe(userId);
    const [, told] = await mailsTo(email, 2);
    expect(told).toContain('Subject: Your password for Ohm was changed');
    expect(told!.match(/\w+:\/\/[^\s,]+/g)).toEqual(['https://ohm.example/sign-in', 'https://ohm.example/reset']);
    expect(told).not.toContain(token);
    expect(logged).toEqual([
      { level: 'info', fields: { user: userId }, message: 'a link to a new password was asked for' },
      { level: 'info', fields: { user: userId, sessionsEnded: 2 }, message: 'a password was reset by a link' },
    ]);
  });

  test('takes an account that somebody else had made with their address', async () => {
    const email = nobody();
    const squatter = (await signUp(t.tenancy, { email, password: 'the squatter knows this' }, somewhere()))!;
    await set(await linkTo(email));
    expect(await readSession(t.tenancy, squatter.sessionId)).toBeNull();
    await expect(signIn(t.tenancy, { email, password: 'the squatter knows this' }, somewhere())).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await signIn(t.tenancy, { email, password: NEXT }, somewhere())).userId).toBe(squatter.userId);
  });

  test('keeps the management keys, and stops waiting for what was guessed at the old password', async () => {
    const { email, actor } = await t.person();
    const { key } = await createManagementKey(t.tenancy, actor, { name: 'ci', role: 'admin', expires_at: null });
    for (let i = 0; i < 12; i++) await signIn(t.tenancy, { email, password: 'wrong password here' }, somewhere()).catch(() => {});
    await expect(signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere())).rejects.toMatchObject({ code: 'rate_limited' });
    await set(await linkTo(email));
    await signIn(t.tenancy, { email, password: NEXT }, somewhere());
    expect(await findManagementActor(t.tenancy, key)).toMatchObject({ workspaceId: actor.workspaceId, role: 'admin' });
  });
});

describe('asking for a link', () => {
  test('is answered alike, and as late, whether the address has an account or not; only the mailbox knows', async () => {
    const { email } = await t.person();
    const unknown = [nobody(), nobody()];
    for (const address of [email, unknown[0]!, ` ${email.toUpperCase()} `, unknown[1]!]) {
      const startedAt = performance.now();
      expect(await ask(address)).toBeUndefined();
      expect(performance.now() - startedAt).toBeGreaterThan(390);
    }
    await mailsTo(email, 2);
    expect(server.mails.filter(({ to }) => unknown.includes(to[0]!))).toEqual([]);
    expect(await t.owner`select from password_resets r where not exists (select from users u where u.id = r.user_id)`).toHaveLength(0);
  });

  test('does not wait for the mail server, and tells nobody but the log that the mail failed', async () => {
    const { email, userId } = await t.person();
    server.replies = { RCPT: '550 5.1.1 no such user' };
    expect(await ask(email)).toBeUndefined();
    await expect.poll(() => logged.at(-1)).toMatchObject({ level: 'warn', fields: { user: userId, error: 'the mail server answered 550' } });
    const never: ResetServices = { ...services, tenancy: { ...services.tenancy, mail: () => new Promise(() => undefined) } };
    expect(await requestReset(never, { email }, somewhere())).toBeUndefined();
    expect(JSON.stringify(logged)).not.toContain('ohm_pw_');
  });

  test('of one address is limited wherever it comes from, with an account or without, and so is one network', async () => {
    for (const email of [(await t.person()).email, nobody()]) {
      const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(ask(email))));
      expect(codes.filter((code) => code === 'done')).toHaveLength(6); // five free, and the one that starts the wait
      expect(codes.filter((code) => /^rate_limited Too many attempts\. Try again in \d+ s\.$/.test(code))).toHaveLength(2);
    }
    const client = { address: '192.0.2.77', userAgent: null };
    const codes = await Promise.all(Array.from({ length: 60 }, () => codeOf(ask(nobody(), client))));
    expect(codes.filter((code) => code.startsWith('rate_limited')).length).toBeGreaterThan(4);
  });

  test('needs an address and a mail server', async () => {
    await expect(ask('nobody')).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'email' }] });
    await expect(requestReset({ ...services, tenancy: t.tenancy }, { email: nobody() }, somewhere())).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a link', () => {
  test('that was used or replaced, has expired, was never made, or is older than the password answers the same', async () => {
    const used = await linkTo((await t.person()).email);
    await set(used);
    const twice = await t.person();
    const replaced = await linkTo(twice.email);
    const newer = await linkTo(twice.email);
    const late = await t.person();
    const expired = await linkTo(late.email);
    await t.owner`update password_resets set expires_at = now() where user_id = ${late.userId}`;
    const changed = await t.person();
    const older = await linkTo(changed.email);
    await changePassword(t.tenancy, changed.userId, { current: TEST_PASSWORD, next: NEXT }, somewhere());
    const answers = new Set<string>();
    for (const token of [used, replaced, expired, older, issueToken('pw').token, 'junk', '', issueToken('in').token]) {
      answers.add(await codeOf(lookAtReset(t.tenancy, token, somewhere())));
      answers.add(await codeOf(set(token, 'yet another set of words')));
    }
    expect([...answers]).toEqual([expect.stringMatching(/^not_found This link cannot be used/)]);
    await set(newer);
  });

  test('works for an hour', async () => {
    const { email, userId } = await t.person();
    await linkTo(email);
    const [row] = await t.owner`select extract(epoch from expires_at - now())::int as left from password_resets where user_id = ${userId}`;
    expect(row!.left).toBeGreaterThan(3_580);
    expect(row!.left).toBeLessThanOrEqual(3_600);
  });

  test('is not used up by being looked at, nor by a password that sign-up would refuse', async () => {
    const { email } = await t.person();
    const token = await linkTo(email);
    await expect(set(token, 'password1234')).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'password' }] });
    await expect(set(token, email)).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'password' }] });
    await lookAtReset(t.tenancy, token, somewhere());
    await set(token);
  });

  test('used six times at once sets one password', async () => {
    const { email } = await t.person();
    const token = await linkTo(email);
    const tries = Array.from({ length: 6 }, (_, i) => `passphrase of number ${i} here`);
    const codes = await Promise.all(tries.map((password) => codeOf(set(token, password))));
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(codes.filter((code) => code.startsWith('not_found'))).toHaveLength(5);
    await signIn(t.tenancy, { email, password: tries[codes.indexOf('done')]! }, somewhere());
  });

  test('is guessed at from one network only so often, and the rightful do not count', async () => {
    const client = { address: '192.0.2.99', userAgent: null };
    const token = await linkTo((await t.person()).email);
    for (let i = 0; i < 60; i++) await lookAtReset(t.tenancy, token, client);
    const codes = [];
    for (let i = 0; i < 53; i++) codes.push((await codeOf(lookAtReset(t.tenancy, issueToken('pw').token, client))).split(' ')[0]);
    expect(codes.slice(0, 50)).toEqual(Array(50).fill('not_found'));
    expect(codes.at(-1)).toBe('rate_limited');
  });

  test('is swept once its time is over', async () => {
    const { email, userId } = await t.person();
    await linkTo(email);
    await t.owner`update password_resets set expires_at = now() - interval '1 second' where user_id = ${userId}`;
    await ask(nobody());
    expect(await t.owner`select from password_resets where user_id = ${userId}`).toHaveLength(0);
  });
});

describe('the operator', () => {
  test('makes a link by the same rules: sessions end at once, the old password holds until it is used', async () => {
    const { email, sessionId, userId } = await t.person();
    const made = await operatorReset(services, { email: ` ${email.toUpperCase()}`, password: null });
    expect(made).toMatchObject({ user: { id: userId, email }, sessionsEnded: 1, link: { url: expect.stringMatching(/^https:\/\/ohm\.example\/reset\/ohm_pw_\w{38}$/) }, passwordWarning: null });
    expect(server.mails).toHaveLength(0);
    expect(await readSession(t.tenancy, sessionId)).toBeNull();
    const { sessionId: again } = await signIn(t.tenancy, { email, password: TEST_PASSWORD }, somewhere());
    await set(made.link!.url.split('/').at(-1)!);
    expect(await readSession(t.tenancy, again)).toBeNull();
  });

  test('sets a password, voids the link that was under way, and the person is told', async () => {
    const { email, sessionId } = await t.person();
    const token = await linkTo(email);
    const done = await operatorReset(services, { email, password: NEXT });
    expect(done).toMatchObject({ sessionsEnded: 1, link: null, passwordWarning: null });
    expect(await readSession(t.tenancy, sessionId)).toBeNull();
    await signIn(t.tenancy, { email, password: NEXT }, somewhere());
    expect(await codeOf(set(token, 'yet another set of words'))).toMatch(/^not_found/);
    expect((await mailsTo(email, 2)).at(-1)).toContain('by whoever runs this installation');
  });

  test('is refused an address without an account and a short password, and warned of a guessable one', async () => {
    const { email, sessionId } = await t.person();
    await expect(operatorReset(services, { email: 'never@example.com', password: null })).rejects.toMatchObject({ code: 'not_found', message: 'never@example.com has no account.' });
    await expect(operatorReset(services, { email, password: 'eleven char' })).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'password' }] });
    expect(await readSession(t.tenancy, sessionId)).not.toBeNull();
    expect((await operatorReset(services, { email, password: 'password1234' })).passwordWarning).toContain('attacker');
  });
});

test('a sign-in that checked the old password just before it was replaced starts no session', async () => {
  const { email, userId } = await t.person();
  const [row] = await t.owner`select password_hash from users where id = ${userId}`;
  await operatorReset(services, { email, password: NEXT });
  await expect(startSession(t.tenancy, userId, somewhere(), row!.password_hash)).rejects.toMatchObject({ code: 'stale' });
});
