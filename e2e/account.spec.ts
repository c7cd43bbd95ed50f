import { expect, test, type Page } from '@playwright/test';
import { signUp } from './person';

const PASSWORD = 'quite unguessable words';
const address = () => `account-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}@example.com`;

async function makeAccount(page: Page, email: string) {
  await page.goto('/sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
}

async function trySignIn(page: Page, email: string, password: string) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('signs out and in again, and comes back to the page that was asked for', async ({ page }) => {
  const email = address();
  await makeAccount(page, email);
  const workspace = new URL(page.url()).pathname;
  await signOut(page);
  await page.goto(workspace);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await trySignIn(page, email, PASSWORD);
  await expect(page).toHaveURL(new RegExp(`${workspace}$`));
});

test('a link to a page with a query survives the sign-in', async ({ page }) => {
  const email = address();
  await makeAccount(page, email);
  const asked = `${new URL(page.url()).pathname}/calls?state=truncated`;
  await signOut(page);
  await page.goto(asked);
  await trySignIn(page, email, PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Calls' })).toBeVisible();
  await expect(page).toHaveURL(asked);
});

test('a wrong password and an unknown address get the same answer', async ({ page }) => {
  const email = address();
  await makeAccount(page, email);
  await signOut(page);
  const answers: string[] = [];
  for (const [who, password] of [[email, 'not this one at all'], [address(), PASSWORD]] as const) {
    await page.goto('/sign-in');
    await trySignIn(page, who, password);
    answers.push(await page.getByRole('alert').filter({ hasText: /./ }).first().innerText());
    await expect(page.getByLabel('Password')).toHaveValue(password); // what was typed stays
  }
  expect(answers[0]).toBe(answers[1]);
});

test('sign-up says what is wrong beside the field, and keeps what was typed', async ({ page }) => {
  await page.goto('/sign-up');
  await page.getByLabel('E-mail').fill('nobody');
  await page.getByLabel('Password').fill('quite unguessable words');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/is not an e-mail address/i);
  await page.getByLabel('E-mail').fill(address());
  await page.getByLabel('Password').fill('password1234');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/an attacker would try/);
});

test('signing up with an address that is taken makes nothing, changes nothing and does not say so', async ({ page, browser }) => {
  const email = address();
  await makeAccount(page, email);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto('/sign-up');
  await stranger.getByLabel('E-mail').fill(email);
  await stranger.getByLabel('Password').fill('another set of words');
  await stranger.getByRole('button', { name: 'Create account' }).click();
  await expect(stranger.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expect(stranger.locator('body')).not.toContainText(/taken|exists|already/i);
  await expect(stranger.getByText('You are not signed in')).toBeVisible();
  await expect(stranger.getByText(/your session may have ended, or the address you gave/)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible(); // the owner is untouched
  await stranger.context().close();
});

test('forms work without script', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/sign-up');
  await page.getByLabel('E-mail').fill(address());
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await context.close();
});

test("somebody else's workspace is a 404, like one that never was", async ({ page, browser }) => {
  const theirs = await signUp(page, 'Theirs');
  const mine = await (await browser.newContext()).newPage();
  await signUp(mine, 'Mine');
  const texts: string[] = [];
  for (const path of [`/${theirs}`, '/there-is-no-such-workspace']) {
    for (const rest of ['', '/keys', '/connections', '/settings', '/first-call']) {
      const answer = await mine.request.get(`${path}${rest}`);
      expect(answer.status(), `${path}${rest}`).toBe(404);
    }
    await mine.goto(path);
    await expect(mine).toHaveTitle('Not found · Ohm');
    texts.push(await mine.locator('main').innerText());
  }
  expect(texts[0]).toBe(texts[1]);
  await mine.context().close();
});

test('a session that was ended elsewhere is over at its next request', async ({ page, browser }) => {
  const email = address();
  await makeAccount(page, email);
  const other = await (await browser.newContext()).newPage();
  await other.goto('/sign-in');
  await trySignIn(other, email, PASSWORD);
  await expect(other.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();

  await page.goto(`${new URL(page.url()).pathname}/settings`);
  await page.getByRole('button', { name: 'End all others' }).click();
  await expect(page.getByRole('table', { name: 'Your sessions' }).locator('tbody tr')).toHaveCount(1);
  await other.reload();
  await expect(other.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await other.context().close();
});

test('one session of several can be ended by itself', async ({ page, browser }) => {
  const email = address();
  await makeAccount(page, email);
  const other = await (await browser.newContext()).newPage();
  await other.goto('/sign-in');
  await trySignIn(other, email, PASSWORD);
  await expect(other.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();

  await page.goto(`${new URL(page.url()).pathname}/settings`);
  const rows = page.getByRole('table', { name: 'Your sessions' }).locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await rows.getByRole('button', { name: /^End the session of/ }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('this one');
  await other.reload();
  await expect(other.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expect(other.getByText('You are not signed in')).toBeVisible();
  await expect(other.getByText('Your session has ended.')).toBeVisible();
  await other.context().close();
});

test('a management key is issued, opens the management API and no call, and is revoked', async ({ page, request }) => {
  const workspace = await signUp(page, 'Scripts');
  await page.goto(`/${workspace}/settings`);
  await page.getByRole('button', { name: 'Issue management key…' }).click();
  const form = page.getByRole('dialog', { name: 'Issue a management key' });
  await form.getByLabel('Name', { exact: true }).fill('terraform');
  await form.getByLabel('Role').selectOption('developer');
  await form.getByRole('button', { name: 'Issue key' }).click();
  const token = (await page.getByTestId('issued-key').textContent())!;
  expect(token).toMatch(/^ohm_mk_/);
  await page.getByRole('button', { name: 'I stored it' }).click();
  await expect(page.getByTestId('issued-key')).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Management keys' })).toContainText('developer');

  const status = async (path: string) => (await request.get(path, { headers: { authorization: `Bearer ${token}` } })).status();
  expect(await status('/api/v1/routes')).toBe(200);
  expect(await status('/v1/models')).toBe(401);
  await page.getByRole('button', { name: 'Revoke terraform' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke terraform' });
  await dialog.getByRole('textbox').fill('terraform');
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText('No management keys')).toBeVisible();
  await expect.poll(() => status('/api/v1/routes'), { timeout: 5_000 }).toBe(401);
});

test('pages of a workspace are not kept by any cache', async ({ page }) => {
  const workspace = await signUp(page, 'Cache');
  for (const path of ['', '/keys', '/connections', '/settings', '/first-call']) {
    const answer = await page.request.get(`/${workspace}${path}`);
    expect(answer.headers()['cache-control'], path).toContain('no-store');
  }
});

test('a workspace is renamed, and keeps its address', async ({ page }) => {
  const slug = await signUp(page, 'Before');
  await page.goto(`/${slug}/settings`);
  await page.getByLabel('Name', { exact: true }).fill('Söns & Co');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name saved')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Söns & Co').first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/${slug}/settings$`));
});
