import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { issueKey, signUp } from './person';

let made = 0;
const address = () => `guest-${process.pid}-${Date.now().toString(36)}-${made++}@example.com`;

/** Without a mail server: the owner is shown the link, once. */
async function invite(page: Page, workspace: string, email: string, role: string): Promise<string> {
  await page.goto(`/${workspace}/members`);
  await page.getByRole('button', { name: 'Invite a person…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Make link' }).click();
  const link = (await page.getByTestId('invite-link').textContent())!;
  await page.getByRole('button', { name: 'I passed it on' }).click();
  await expect(page.getByTestId('invite-link')).toHaveCount(0);
  return new URL(link).pathname;
}

async function signUpFrom(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign up'); // sign-in has a field of the same name
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('quite unguessable words');
  await page.getByRole('button', { name: 'Create account' }).click();
}

const newPage = async (browser: Browser, options = {}) => await (await browser.newContext(options)).newPage();

/** Also of a page behind a dialog, whose heading is then nobody's to see. */
async function expectSound(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [page.url(), id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0);
}

test('a person is invited, signs up by the link, joins, is given another role, and is removed', async ({ page, browser }) => {
  test.slow();
  const workspace = await signUp(page, 'Crew');
  const email = address();
  const link = await invite(page, workspace, email, 'developer');
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email);

  const guest = await newPage(browser);
  const opened = await guest.goto(link);
  expect(opened!.headers()).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': expect.stringContaining('no-store') });
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(/^Join Crew/);
  await expect(guest.getByText('developer: also issues')).toBeVisible();
  await expect(guest.locator('body')).not.toContainText(email);
  await signUpFrom(guest, email);
  await expect(guest).toHaveURL(link);
  await guest.getByRole('button', { name: 'Join as developer' }).click();
  await expect(guest).toHaveURL(new RegExp(`/${workspace}$`));
  await guest.getByRole('button', { name: /^Workspace: Crew/ }).click();
  await expect(guest.getByRole('menu').getByRole('menuitem')).toHaveCount(2);
  await guest.keyboard.press('Escape');
  expect((await guest.goto(link))!.status()).toBe(404);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This invitation cannot be used');

  await page.reload();
  await expect(page.getByText('Nobody is invited')).toBeVisible();
  await page.getByRole('button', { name: `Change the role of ${email}` }).click();
  await page.getByRole('dialog', { name: 'Change role' }).getByLabel('Role').selectOption('viewer');
  await page.getByRole('dialog', { name: 'Change role' }).getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: email })).toContainText('viewer');
  await guest.goto(`/${workspace}/members`);
  await expect(guest.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: '(you)' })).toContainText('viewer');
  await expect(guest.getByRole('button', { name: 'Invite a person…' })).toHaveCount(0);

  await page.getByRole('button', { name: `Remove ${email}` }).click();
  const dialog = page.getByRole('dialog', { name: `Remove ${email}` });
  await dialog.getByRole('textbox').fill(email);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('table', { name: 'People' }).locator('tbody tr')).toHaveCount(1);
  expect((await guest.reload())!.status()).toBe(404);
  await guest.context().close();
});

test('a link that came to somebody else is refused to their account, and another account can be used', async ({ page, browser }) => {
  const workspace = await signUp(page, 'Forwarded');
  const email = address();
  const link = await invite(page, workspace, email, 'viewer');
  const stranger = await newPage(browser);
  await signUp(stranger, 'Stranger');
  await stranger.goto(link);
  await stranger.getByRole('button', { name: 'Join as viewer' }).click();
  await expect(stranger.getByRole('alert').filter({ hasText: /./ })).toContainText('Sign in with the address that it was sent to');
  expect((await stranger.request.get(`/${workspace}`)).status()).toBe(404);
  await stranger.getByRole('button', { name: 'Use another account' }).click();
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await signUpFrom(stranger, email); // sign-in and sign-up hand on where to come back to
  await expect(stranger).toHaveURL(link);
  await stranger.getByRole('button', { name: 'Join as viewer' }).click();
  await expect(stranger).toHaveURL(new RegExp(`/${workspace}$`));
  await stranger.context().close();
});

test('a new link ends the one before, and revoking ends it for good', async ({ page, browser }) => {
  const workspace = await signUp(page, 'Again');
  const email = address();
  const first = await invite(page, workspace, email, 'viewer');
  await page.getByRole('button', { name: `New link for ${email}` }).click();
  const second = new URL((await page.getByTestId('invite-link').textContent())!).pathname;
  await page.getByRole('button', { name: 'I passed it on' }).click();
  const guest = await newPage(browser);
  const status = async (link: string) => (await guest.request.get(link)).status();
  expect([await status(first), await status(second)]).toEqual([404, 200]);
  await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click();
  await expect(page.getByText('Nobody is invited')).toBeVisible();
  expect(await status(second)).toBe(404);
  await guest.context().close();
});

test('the last owner is told that they cannot leave before they type anything', async ({ page }) => {
  const workspace = await signUp(page, 'Alone');
  await page.goto(`/${workspace}/members`);
  await page.getByRole('button', { name: /^Leave Alone/ }).click();
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/needs an owner, and you are the last one/);
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveCount(0);
});

test('a developer is told what needs an admin, and leaves by themselves; the keys that a removed one made can be ended with them', async ({ page, browser }) => {
  const workspace = await signUp(page, 'Leaving');
  const email = address();
  const guest = await newPage(browser);
  await guest.goto(await invite(page, workspace, email, 'developer'));
  await signUpFrom(guest, email);
  await guest.getByRole('button', { name: 'Join as developer' }).click();
  await expect(guest).toHaveURL(new RegExp(`/${workspace}$`));
  for (const [path, words] of [['connections/new', 'Adding a connection'], ['routes/new', 'Making a route'], ['audit', 'Reading the audit log']]) {
    await guest.goto(`/${workspace}/${path}`);
    await expect(guest.getByText(`${words} needs the role admin or higher; yours is developer.`)).toBeVisible();
  }
  await guest.goto(`/${workspace}/members`);
  await guest.getByRole('button', { name: /^Leave Leaving/ }).click();
  await guest.getByRole('dialog').getByRole('textbox').fill(workspace);
  await guest.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(guest.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect((await guest.request.get(`/${workspace}`)).status()).toBe(404);

  await guest.goto(await invite(page, workspace, email, 'developer'));
  await guest.getByRole('button', { name: 'Join as developer' }).click();
  await expect(guest).toHaveURL(new RegExp(`/${workspace}$`));
  const key = await guest.evaluate(async (slug) => {
    const answer = await fetch('/api/v1/keys', { method: 'POST', headers: { 'content-type': 'application/json', 'x-ohm-workspace': slug }, body: JSON.stringify({ name: 'theirs' }) });
    return ((await answer.json()) as { key: string }).key;
  }, workspace);
  const works = async () => (await page.request.get('/v1/models', { headers: { authorization: `Bearer ${key}` } })).status();
  expect(await works()).toBe(200);
  await page.goto(`/${workspace}/members`);
  await page.getByRole('button', { name: `Remove ${email}` }).click();
  const dialog = page.getByRole('dialog', { name: `Remove ${email}` });
  await dialog.getByRole('checkbox', { name: /Also end the keys that they made \(1 API key\)/ }).check();
  await dialog.getByRole('textbox').fill(email);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('table', { name: 'People' }).locator('tbody tr')).toHaveCount(1);
  await expect.poll(works, { timeout: 5_000 }).toBe(401);
  await guest.context().close();
});

test('joining works without script, and by the keyboard alone', async ({ page, browser }) => {
  const workspace = await signUp(page, 'Plain');
  const email = address();
  await page.goto(`/${workspace}/members`);
  await page.getByRole('button', { name: 'Invite a person…' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('E-mail')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  const link = new URL((await page.getByTestId('invite-link').textContent())!).pathname;
  await page.keyboard.press('Escape'); // shown once: only its own button closes it
  await expect(page.getByTestId('invite-link')).toBeVisible();
  await page.getByRole('button', { name: 'I passed it on' }).focus();
  await page.keyboard.press('Enter');

  const guest = await newPage(browser, { javaScriptEnabled: false });
  await guest.goto(link);
  await signUpFrom(guest, email);
  await guest.getByRole('button', { name: 'Join as developer' }).focus();
  await guest.keyboard.press('Enter');
  await expect(guest).toHaveURL(new RegExp(`/${workspace}$`));
  await guest.context().close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1280]) {
    test(`axe finds nothing on the pages of members and invitations, ${colorScheme}, ${width} px`, async ({ page, browser }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const workspace = await signUp(page, 'Axe');
      await issueKey(page, 'ci');
      const link = await invite(page, workspace, `somebody-with-a-rather-long-address-${address()}`, 'admin');
      await expectSound(page);
      await page.getByRole('button', { name: 'Invite a person…' }).click();
      await expectSound(page);
      const guest = await newPage(browser, { colorScheme, viewport: { width, height: 900 } });
      await guest.goto(link);
      await expectSound(guest);
      await guest.goto('/invite/nothing');
      await expectSound(guest);
      await signUp(guest, 'Axe guest');
      await guest.goto(link);
      await expectSound(guest);
      await guest.context().close();
    });
  }
}
