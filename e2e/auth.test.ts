import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOhm, type RunningOhm } from './harness';

let ohm: RunningOhm;
let person: { email: string; password: string; workspace: string };
beforeAll(async () => {
  ohm = await startOhm();
  person = await ohm.bootstrap('Auth');
});
afterAll(() => ohm.stop());

/** A browser's cookies, without a browser: what forms do when script is off. */
function visitor() {
  const jar = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await fetch(new URL(path, ohm.url), { redirect: 'manual', ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split(/=(.*)/s) as [string, string];
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  /** A page's form, filled in, with the page's hidden members. */
  const form = async (path: string, values: Record<string, string>) => {
    const page = await (await send(path)).text();
    const form = new FormData();
    for (const [tag] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
      const attribute = (name: string) => unescape(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
      form.append(attribute('name'), attribute('value'));
    }
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    return form;
  };
  /** Sends it as a browser without script does. */
  const submit = async (path: string, values: Record<string, string>, headers: Record<string, string> = { origin: ohm.url }) =>
    await send(path, { method: 'POST', body: await form(path, values), headers });
  const nextAuth = async (action: string, values: Record<string, string>) => {
    const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string };
    return await send(`/api/auth/${action}`, { method: 'POST', body: new URLSearchParams({ csrfToken, json: 'true', ...values }) });
  };
  const dashboard = async () => (await send('/app')).headers.get('location');
  return { jar, send, form, submit, nextAuth, dashboard };
}

const unescape = (text: string) => text.replace(/&quot;/g, '"').replace(/&#x27;/g, "'").replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
const SIGN_IN = /^\/sign-in(\?|$)/;
let serial = 0;
const fresh = () => ({ email: `auth${++serial}.${process.pid}@example.com`, password: 'yellow bicycle under rain', workspace: 'Auth' });

describe('the sign-up form', () => {
  test('answers alike for a free address and for a taken one, and lets in only where the password is the account\'s', async () => {
    const { email } = fresh();
    const shape = async (answer: Response, v: ReturnType<typeof visitor>) => ({
      status: answer.status,
      location: answer.headers.get('location'),
      cookies: answer.headers.getSetCookie().map((line) => line.replace(/=[^;]{100,}/, '=…').replace(/Expires=[^;]*/i, 'Expires=…')),
      cookieLength: v.jar.get('ohm-session')?.length,
    });
    const [first, second, third] = [visitor(), visitor(), visitor()];
    const free = await shape(await first.submit('/sign-up', { email, password: 'yellow bicycle under rain', workspace: 'Mine' }), first);
    const taken = await shape(await second.submit('/sign-up', { email, password: 'some other phrase here', workspace: 'Yours' }), second);
    const again = await shape(await third.submit('/sign-up', { email, password: 'yellow bicycle under rain', workspace: 'Again' }), third);
    expect(free.status).toBe(303);
    expect(free.cookies).toEqual([expect.stringMatching(/^ohm-session=….*HttpOnly/i)]);
    expect(taken).toEqual(free);
    expect(again).toEqual(free);
    expect(await first.dashboard()).toBe('/mine');
    expect(await second.dashboard()).toMatch(SIGN_IN);
    expect(await third.dashboard()).toBe('/mine');
  });
});

describe('a sign-in', () => {
  test('sets one cookie, HttpOnly and SameSite=Lax, whose content says nothing', async () => {
    const v = visitor();
    const answer = await v.submit('/sign-in', { email: person.email, password: person.password });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^ohm-session=/);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).toMatch(/Path=\//i);
    const parts = v.jar.get('ohm-session')!.split('.');
    expect(parts).toHaveLength(5); // a JWE: header, key, nonce, ciphertext, tag
    expect(JSON.parse(Buffer.from(parts[0]!, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM' });
    expect(await v.dashboard()).not.toMatch(SIGN_IN);
  });

  test('with a wrong password, or for nobody, is refused in the same words and sets no cookie', async () => {
    const words = async (email: string) => {
      const v = visitor();
      const answer = await v.submit('/sign-in', { email, password: 'wrong password here' });
      expect(v.jar.has('ohm-session')).toBe(false);
      return [answer.status, /The e-mail address or the password is wrong/.test(await answer.text())];
    };
    expect(await words(person.email)).toEqual([200, true]);
    expect(await words(fresh().email)).toEqual([200, true]);
  });

  test('with a planted cookie gets a new session, and the planted one is dead', async () => {
    const attacker = visitor();
    const mallory = fresh();
    await attacker.submit('/sign-up', mallory);
    const planted = attacker.jar.get('ohm-session')!;
    const victim = visitor();
    victim.jar.set('ohm-session', planted);
    await victim.nextAuth('callback/credentials', { email: person.email, password: person.password });
    expect(victim.jar.get('ohm-session')).not.toBe(planted);
    expect(await victim.dashboard()).not.toMatch(SIGN_IN);
    expect(await attacker.dashboard()).toMatch(SIGN_IN);
  });

  test('leads back to paths of this origin only', async () => {
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'https:evil.example', '/%0d%0aset-cookie:x=y', 'javascript:alert(1)']) {
      const answer = await visitor().submit('/sign-in', { ...person, next });
      expect({ next, location: answer.headers.get('location') }).toEqual({ next, location: '/app' });
      const url = ((await (await visitor().nextAuth('callback/credentials', { ...person, callbackUrl: next })).json()) as { url: string }).url;
      expect({ next, origin: new URL(url).origin }).toEqual({ next, origin: ohm.url });
    }
    const answer = await visitor().submit('/sign-in', { ...person, next: '/somewhere?x=1' });
    expect(answer.headers.get('location')).toBe('/somewhere?x=1');
  });

  test.each([
    ['without an Origin', () => ({}), 403],
    ['with an Origin that a browser hides', () => ({ origin: 'null' }), 500], // Next's own refusal: see below
    ['from another site', () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }), 500],
    ['from another site that X-Forwarded-Host names', () => ({ origin: 'http://evil.test', 'x-forwarded-host': 'evil.test' }), 403],
    ['from another port of this machine', () => ({ origin: `http://127.0.0.1:${ohm.port + 1}`, 'x-forwarded-host': `127.0.0.1:${ohm.port + 1}` }), 403],
    ['from a page that its browser calls cross-site', () => ({ origin: ohm.url, 'sec-fetch-site': 'cross-site' }), 403],
  ])('sent %s is refused', async (_, headers, status) => {
    // Where Origin is neither Host nor X-Forwarded-Host, Next refuses by itself, with 500, before any of our code runs.
    for (const path of ['/sign-in', '/sign-up']) {
      const v = visitor();
      const answer = await v.submit(path, { ...person, ...(path === '/sign-up' ? fresh() : {}) }, headers());
      expect([path, answer.status, [...v.jar.keys()]]).toEqual([path, status, []]);
    }
  });

  test('sent with a Host of another site is refused, though Origin agrees', async () => {
    const form = await visitor().form('/sign-in', person);
    const post = async (host: string) => {
      const sent = new Response(form);
      const headers = { host, origin: `http://${host}`, 'content-type': sent.headers.get('content-type')! };
      const body = Buffer.from(await sent.arrayBuffer());
      return await new Promise((resolve, reject) => {
        request(`${ohm.url}/sign-in`, { method: 'POST', headers }, (answer) => resolve([answer.resume().statusCode, answer.headers['set-cookie']])).on('error', reject).end(body);
      });
    };
    expect(await post('evil.test')).toEqual([403, undefined]);
    expect(await post(`localhost:${ohm.port}`)).toEqual([303, [expect.stringMatching(/^ohm-session=/)]]);
  });

  test('that a script sends is 403 too, and so is every other form of the dashboard', async () => {
    const v = visitor();
    await v.submit('/sign-up', fresh());
    const own = (await v.dashboard())!;
    const action = async (path: string) => {
      const page = await (await v.send(path)).text();
      return /\$ACTION_[^"]*:0" value="([^"]*)"/.exec(page)?.[1];
    };
    const id = (JSON.parse(unescape((await action(`${own}/connections/new`)) ?? '{}')) as { id?: string }).id;
    expect(id).toMatch(/^[0-9a-f]{40,}$/);
    const send = (headers: Record<string, string>) =>
      v.send(`${own}/connections/new`, { method: 'POST', body: '[]', headers: { 'next-action': id!, 'content-type': 'text/plain;charset=UTF-8', ...headers } });
    expect((await send({})).status).toBe(403);
    expect((await send({ origin: 'http://evil.test', 'x-forwarded-host': 'evil.test' })).status).toBe(403);
    const form = { name: 'planted', provider: 'sandbox' };
    expect((await v.submit(`${own}/connections/new`, form, {})).status).toBeGreaterThanOrEqual(400);
    expect(await (await v.send(`${own}/connections`)).text()).not.toContain('planted');
    expect((await v.submit(`${own}/connections/new`, form)).headers.get('location')).toContain('created=1');
  });

  test('does not take the word of X-Forwarded-For for where it comes from', async () => {
    const v = visitor();
    const { csrfToken } = (await (await v.send('/api/auth/csrf')).json()) as { csrfToken: string };
    const urls: string[] = [];
    for (let i = 0; i < 56; i++) {
      const body = new URLSearchParams({ csrfToken, json: 'true', email: fresh().email, password: 'wrong password here' });
      const answer = await v.send('/api/auth/callback/credentials', { method: 'POST', body, headers: { 'x-forwarded-for': `203.0.113.${i}` } });
      urls.push(((await answer.json()) as { url: string }).url);
    }
    expect(urls.filter((url) => url.includes('rate_limited')).length).toBeGreaterThan(0);
    expect(urls[0]).toContain('CredentialsSignin');
  });
});

describe('a session', () => {
  test('ends in the database when it is signed out of: a copy of its cookie opens nothing', async () => {
    const v = visitor();
    await v.submit('/sign-up', fresh());
    const thief = visitor();
    thief.jar.set('ohm-session', v.jar.get('ohm-session')!);
    expect(await thief.dashboard()).not.toMatch(SIGN_IN);
    expect(await (await thief.send('/api/auth/session')).json()).toMatchObject({ user: { email: expect.stringContaining('@') } });
    await v.nextAuth('signout', {});
    expect(v.jar.has('ohm-session')).toBe(false);
    expect(await thief.dashboard()).toMatch(SIGN_IN);
    expect(await (await thief.send('/api/auth/session')).json()).not.toHaveProperty('user');
  });

  test('is not opened by a cookie that was forged, cut, or made with another secret', async () => {
    const v = visitor();
    await v.submit('/sign-up', fresh());
    const real = v.jar.get('ohm-session')!;
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const forgeries = [real.slice(0, -4), `${real}x`, real.replace(/^[^.]+/, none), `${none}.${Buffer.from('{"sid":"session_x"}').toString('base64url')}.`, 'x'.repeat(5_000), ''];
    for (const forged of forgeries) {
      const w = visitor();
      w.jar.set('ohm-session', forged);
      expect(await w.dashboard()).toMatch(SIGN_IN);
    }
  });

  test('opens nobody else\'s workspace: it is not found, like one that does not exist', async () => {
    const v = visitor();
    await v.submit('/sign-up', fresh());
    const own = (await v.dashboard())!;
    expect((await v.send(own)).status).toBe(200);
    for (const path of [`/${person.workspace}`, '/no-such-workspace-anywhere']) expect((await v.send(path)).status).toBe(404);
  });
});
