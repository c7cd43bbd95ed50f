import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailServer, type MailServer } from '../lib/alerts/test-receivers';
import { managementClient, type RunningOhm, startOhm } from './harness';

/** The built product invites by mail: the link is in the mail and nowhere else, and leads to the product's own address. */

let ohm: RunningOhm;
let mail: MailServer;
beforeAll(async () => {
  mail = await mailServer();
  ohm = await startOhm({ env: { OHM_SMTP_URL: mail.url, OHM_MAIL_FROM: 'Ohm <ohm@example.org>', OHM_PUBLIC_URL: 'https://ohm.example' } });
});
afterAll(async () => {
  await ohm?.stop();
  await mail?.close();
});

test('whoever invites gets no link; the mail has one, to the operator’s address whatever the request claims, and its page says who invites to what', async () => {
  const { managementKey } = await ohm.bootstrap('Crew');
  const api = managementClient(ohm.url, managementKey);
  const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
  const made = await api.request<{ mail: string; link: string | null }>('POST', '/invites', { email: 'ann@example.com', role: 'viewer' }, forged);
  expect([made.mail, made.link]).toEqual(['sent', null]);
  expect(JSON.stringify(made)).not.toContain('ohm_in_');
  expect(mail.mails.map(({ from, to }) => [from, to])).toEqual([['ohm@example.org', ['ann@example.com']]]);
  const text = mail.mails[0]!.data.replace(/=\r\n/g, '');
  const [link] = /https:\/\/ohm\.example\/invite\/ohm_in_\w{38}/.exec(text)!;
  expect(text).not.toContain('evil.example');

  const page = await fetch(`${ohm.url}${new URL(link).pathname}`);
  expect([page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([200, expect.stringContaining('no-store'), 'same-origin']);
  const html = await page.text();
  expect(html).toContain('Join Crew?');
  expect(html).toContain('an administrator’s management key');
  expect(html).not.toContain('ann@example.com');
  expect((await fetch(`${ohm.url}/invite/ohm_in_${'x'.repeat(38)}`)).status).toBe(404);

  mail.replies = { MAIL: '451 4.7.1 later' };
  const failed = await api.request<{ mail: string; mail_error: string; state: string }>('POST', '/invites', { email: 'bob@example.com', role: 'viewer' });
  expect(failed).toMatchObject({ mail: 'failed', mail_error: 'the mail server answered 451', state: 'pending' });
});
