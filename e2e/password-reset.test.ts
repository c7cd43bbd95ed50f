import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailServer, type MailServer } from '../lib/alerts/test-receivers';
import { managementClient, type RunningOhm, startOhm } from './harness';
import { environment } from './harness/start-ohm';

/** Whoever forgot their password, in the built product: by mail, and through the operator, without script. */

let ohm: RunningOhm;
let mail: MailServer;
const dataDir = mkdtempSync(join(tmpdir(), 'ohm-reset-')); // outlives a stop
beforeAll(async () => {
  mail = await mailServer();
  ohm = await startOhm({ dataDir, env: { OHM_SMTP_URL: mail.url, OHM_MAIL_FROM: 'Ohm <ohm@example.org>' } });
});
afterAll(async () => {
  await ohm?.stop();
  await mail?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const NEXT = 'a quite different phrase';
const unescape = (text: string) => text.replace(/&quot;/g, '"').replace(/&#x27;/g, "'").replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

/** Fills a page's form in and sends it, as a browser without script does. */
async function submit(path: string, values: Record<string, string>, headers: Record<string, string> = {}) {
  const page = await (await fetch(ohm.url + path)).text();
  const form = new FormData();
  for (const [tag] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const attribute = (name: string) => unescape(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
    form.append(attribute('name'), attribute('value'));
  }
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  const answer = await fetch(ohm.url + path, { method: 'POST', body: form, redirect: 'manual', headers: { origin: ohm.url, ...headers } });
  return { status: answer.status, location: answer.headers.get('location'), cookies: answer.headers.getSetCookie(), html: await answer.text() };
}

const signsIn = async (email: string, password: string) => (await submit('/sign-in', { email, password })).location === '/app';
const links = (email: string) => mail.mails.filter(({ to }) => to.includes(email)).flatMap(({ data }) => /http:\/\/\S+\/reset\/ohm_pw_\w{38}/.exec(data.replace(/=\r\n/g, ''))?.[0] ?? []);

function operator(args: string[], stdin = '', folder = dataDir): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = environment({ OHM_DATA_DIR: folder }); // without PORT: the link leads to the server that runs
    const child = execFile(process.execPath, ['.build/cli.mjs', 'reset-password', ...args], { env }, (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }));
    child.stdin?.end(stdin);
  });
}

describe('by mail', () => {
  test('the link goes to the address alone, under the product’s own address whatever the request claims, and opens the account once', async () => {
    const { email, password, managementKey } = await ohm.bootstrap('forgetful');
    const asked = await submit('/reset', { email }, { 'x-forwarded-proto': 'https', 'x-forwarded-port': '1', forwarded: 'host=evil.example' });
    const unknown = await submit('/reset', { email: 'nobody-at-all@example.com' });
    expect([asked.status, asked.location, asked.cookies]).toEqual([303, '/reset?sent=1', []]);
    expect({ ...unknown, html: '' }).toEqual({ ...asked, html: '' });
    await expect.poll(() => links(email).length).toBe(1);
    const [link] = links(email);
    expect(link!.startsWith(`${ohm.url}/reset/ohm_pw_`)).toBe(true);
    expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
    expect(ohm.stdout() + ohm.stderr()).not.toContain('ohm_pw_');

    const { pathname } = new URL(link!);
    const page = await fetch(ohm.url + pathname);
    expect([page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([200, expect.stringContaining('no-store'), 'same-origin']);
    const weak = await submit(pathname, { password: 'password1234' });
    expect([weak.status, weak.html.includes('an attacker would try')]).toEqual([200, true]);
    expect((await submit(pathname, { password: NEXT }, { origin: 'http://evil.test', 'x-forwarded-host': 'evil.test' })).status).toBe(403);
    expect(await signsIn(email, password)).toBe(true);

    const set = await submit(pathname, { password: NEXT });
    expect([set.status, set.location]).toEqual([303, '/sign-in?reset=1']);
    expect([await signsIn(email, password), await signsIn(email, NEXT)]).toEqual([false, true]);
    expect(await managementClient(ohm.url, managementKey).request('GET', '/me')).toMatchObject({ role: 'owner' });
    for (const path of [pathname, `/reset/ohm_pw_${'x'.repeat(38)}`, '/reset/x']) {
      const answer = await fetch(ohm.url + path);
      expect([path, answer.status, (await answer.text()).includes('This link cannot be used')]).toEqual([path, 404, true]);
    }
    await expect.poll(() => mail.mails.filter(({ data }) => data.includes('Subject: Your password for Ohm was changed')).map(({ to }) => to)).toEqual([[email]]);
    expect(ohm.stdout()).toMatch(/a password was reset by a link .*"user":"user_\w+"/);
  });
});

describe('through the operator, beside the running installation', () => {
  test('a link is printed as one line of JSON, and works', async () => {
    const { email } = await ohm.bootstrap('linked');
    const { code, stdout, stderr } = await operator(['--email', email, '--json']);
    expect([code, stdout.trim().includes('\n')], stderr).toEqual([0, false]);
    const made = JSON.parse(stdout) as { link: string; expires_at: string };
    expect(made).toMatchObject({ email, sessions_ended: 0, installation: expect.stringContaining(dataDir) });
    expect(Date.parse(made.expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    expect(made.link.startsWith(`${ohm.url}/reset/`)).toBe(true);
    expect((await submit(new URL(made.link).pathname, { password: NEXT })).location).toBe('/sign-in?reset=1');
    expect(await signsIn(email, NEXT)).toBe(true);
  });

  test('a password is set, also from standard input, and said in words', async () => {
    const { email } = await ohm.bootstrap('set');
    const { code, stdout } = await operator(['--email', email, '--password', '-'], 'from standard input, a phrase\n');
    expect([code, stdout]).toEqual([0, `Set a new password for ${email}.\nSessions ended: 0.\n`]);
    expect(await signsIn(email, 'from standard input, a phrase')).toBe(true);
    expect((await operator(['--email', email])).stdout).toMatch(/can be set once, until \S+, at\nhttp:\/\/127\.0\.0\.1:\d+\/reset\/ohm_pw_\w{38}\nSessions ended: 1\. Until the link is used the old password holds\.\n$/);
  });

  test.each([
    ['an address without an account', ['--email', 'never@example.com'], 1, /never@example\.com has no account/],
    ['an address that is none', ['--email', 'nobody'], 1, /not an e-mail address/],
    ['a short password', ['--email', 'set@example.com', '--password', 'eleven char'], 1, /at least 12 characters/],
    ['no address', ['--json'], 2, /--email is missing/],
    ['an unknown option', ['--email', 'set@example.com', '--workspace', 'x'], 2, /--workspace/],
  ])('%s: nothing on stdout, a reason on stderr', async (_, args, code, reason) => {
    expect(await operator(args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(reason) });
  });

  test('makes no installation where there is none', async () => {
    const folder = join(dataDir, 'elsewhere');
    expect(await operator(['--email', 'set@example.com'], '', folder)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`there is no installation in ${folder}`) });
    expect(existsSync(folder)).toBe(false);
  });

  test('works on a stopped installation, too', async () => {
    const { email } = await ohm.bootstrap('stopped');
    await ohm.stop();
    expect((await operator(['--email', email, '--password', NEXT])).code).toBe(0);
    expect((await operator(['--email', email])).stderr).toContain('a guess from PORT');
    ohm = await ohm.restart();
    expect(await signsIn(email, NEXT)).toBe(true);
  });
});
