import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMailer, type Mailer } from '../../alerts';
import { mailServer, type MailServer } from '../../alerts/test-receivers';
import type { Actor } from '../actor';
import { createTenancy } from '../tenancy';
import { createTestTenancy, type TestTenancy } from '../test-tenancy';
import { acceptInvite, createInvite, lookAtInvite, type InviteServices } from './index';

let t: TestTenancy;
let server: MailServer;
let mailer: Mailer;
let services: InviteServices;
let owner: Actor;
let serial = 0;
const client = { address: '198.51.100.8', userAgent: null };
const address = () => `mailed${++serial}@example.com`;

beforeAll(async () => {
  t = await createTestTenancy();
  server = await mailServer();
  mailer = createMailer({ smtpUrl: server.url, from: 'Ohm <ohm@example.org>' });
  const tenancy = createTenancy({ db: t.db, secret: t.secret, mail: mailer.send });
  services = { tenancy, env: { publicUrl: 'https://ohm.example' } };
  ({ actor: owner } = await t.person());
  afterAll(async () => {
    mailer.close();
    await tenancy.close();
    await server.close();
  });
});

beforeEach(() => {
  server.mails.length = 0;
  server.replies = {};
});

test('the link goes to the address alone: the inviter never sees it, and what came by mail opens the door', async () => {
  const email = address();
  const issued = await createInvite(services, owner, { email, role: 'developer' });
  expect(issued).toMatchObject({ mail: 'sent', mail_error: null, link: null });
  expect(server.mails.map(({ from, to }) => [from, to])).toEqual([['ohm@example.org', [email]]]);
  const { body } = parts(server.mails[0]!.data);
  const [token] = body.match(/ohm_in_[0-9A-Za-z]{38}/)!;
  expect(body).toContain(`https://ohm.example/invite/${token}\n`);
  expect(body).toContain('as developer');
  expect(JSON.stringify(issued)).not.toContain(token.slice(7));
  expect(await lookAtInvite(services.tenancy, token, client)).toMatchObject({ role: 'developer' });
  const guest = await t.person(email);
  expect(await acceptInvite(services.tenancy, { id: guest.userId, email }, token, client)).toMatchObject({ joined: true });
});

test('a mail that cannot be sent is told to the inviter; the invitation stands, and sending it again works', async () => {
  const email = address();
  server.replies = { RCPT: '550 5.1.1 no such user' };
  const failed = await createInvite(services, owner, { email, role: 'viewer' });
  expect(failed).toMatchObject({ mail: 'failed', mail_error: 'the mail server answered 550', link: null, state: 'pending' });
  server.replies = {};
  const again = await createInvite(services, owner, { email, role: 'viewer' });
  expect(again).toMatchObject({ id: failed.id, mail: 'sent', revision: 2 });
  expect(server.mails).toHaveLength(1);
});

test.each([
  ['a line break and a header', 'Acme\r\nBcc: everybody@example.net\r\n\r\nread this'],
  ['markup', '<a href="https://evil.example">Acme</a><script>alert(1)</script>'],
  ['an address to follow', 'Acme: confirm at https://evil.example/login or www.evil.example'],
  ['other characters for a dot and a slash', 'evil。example．com∕login evil.example'],
  ['a text that runs the other way', 'Acme \u202Egnp.exe\u2028second line\u0000'.replace('\0', '')],
])('a workspace’s name with %s is words in a mail and nothing else', async (_, name) => {
  await t.owner`update workspaces set name = ${name} where id = ${owner.workspaceId}`;
  const email = address();
  expect(await createInvite(services, owner, { email, role: 'viewer' })).toMatchObject({ mail: 'sent' });
  expect(server.mails[0]!.to).toEqual([email]);
  const { headers, body } = parts(server.mails[0]!.data);
  expect(headers.map((line) => line.split(':')[0]!.toLowerCase()).sort()).toEqual(['auto-submitted', 'content-transfer-encoding', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']);
  expect(headers).toContainEqual(expect.stringMatching(/^content-type: text\/plain/i));
  expect(body).not.toMatch(/[<>\u2028\u202E]|www\.|evil[.。．]example/);
  expect(body.match(/\w+:\/\/\S+/g)).toEqual([expect.stringMatching(/^https:\/\/ohm\.example\/invite\/ohm_in_\w{38}$/)]);
});

test('the same message is sent whether the address has an account or not', async () => {
  const known = await t.person();
  const bodies = [];
  for (const email of [known.email, address()]) {
    await createInvite(services, owner, { email, role: 'viewer' });
    bodies.push(parts(server.mails.at(-1)!.data).body.replaceAll(email, 'address').replace(/ohm_in_\w+/, 'token'));
  }
  expect(bodies[0]).toBe(bodies[1]);
});

/** Headers, unfolded, and the body as it is read. */
function parts(data: string): { headers: string[]; body: string } {
  const end = data.indexOf('\r\n\r\n');
  const headers = data.slice(0, end).replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const raw = data.slice(end + 4);
  const encoding = headers.find((line) => /^content-transfer-encoding:/i.test(line))?.split(': ')[1];
  const bytes = encoding === 'base64' ? Buffer.from(raw, 'base64') : encoding === 'quoted-printable' ? unquoted(raw) : Buffer.from(raw);
  return { headers, body: bytes.toString('utf8').replaceAll('\r\n', '\n') };
}

function unquoted(text: string): Buffer {
  const plain = text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}
