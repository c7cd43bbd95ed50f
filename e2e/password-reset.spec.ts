import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { mailServer, type MailServer } from '../lib/alerts/test-receivers';
import { startOhm, type RunningOhm } from './harness';

/** An installation of its own, with a mail server. The journeys' own has none. */
let ohm: RunningOhm;
let mail: MailServer;
test.beforeAll(async () => {
  mail = await mailServer();
  ohm = await startOhm({ env: { OHM_SMTP_URL: mail.url, OHM_MAIL_FROM: 'Ohm <ohm@example.org>' } });
});
test.afterAll(async () => {
  await ohm?.stop();
  await mail?.close();
});

const [OLD, NEXT] = ['quite unguessable words', 'some other unrelated words'];
let made = 0;

async function signUp(page: Page): Promise<string> {
  const email = `forgetful-${process.pid}-${made++}@example.com`;
  await page.goto(`${ohm.url}/sign-up`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(OLD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  return email;
}

/** Asks on the page for a link, and takes it out of the mailbox. */
async function askFor(page: Page, email: string): Promise<string> {
  await page.goto(`${ohm.url}/sign-in`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeVisible(); // sign-in has such a field, too
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Look into your mailbox' })).toBeVisible();
  const links = () => mail.mails.filter(({ to }) => to.includes(email)).flatMap(({ data }) => /http:\/\/\S+\/reset\/ohm_pw_\w{38}/.exec(data.replace(/=\r\n/g, ''))?.[0] ?? []);
  await expect.poll(() => links().length).toBe(1);
  return links()[0]!;
}

async function expectSound(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [page.url(), id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0);
}

for (const javaScriptEnabled of [true, false]) {
  test(`whoever forgot their password sets another by mail ${javaScriptEnabled ? '' : 'without script '}and is signed out everywhere`, async ({ page, browser }) => {
    const email = await signUp(page);
    const other = await (await browser.newContext({ javaScriptEnabled })).newPage();
    const link = await askFor(other, email);
    await other.goto(link);
    await expect(other.getByLabel('Account')).toHaveValue(email);
    await other.getByLabel('New password').fill('password1234');
    await other.getByRole('button', { name: 'Set password' }).click();
    await expect(other.getByLabel('New password')).toHaveAccessibleDescription(/an attacker would try/);
    await other.getByLabel('New password').fill(NEXT);
    await other.getByRole('button', { name: 'Set password' }).click();
    await expect(other.getByText('Your password was changed')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();

    await other.getByLabel('E-mail').fill(email);
    await other.getByLabel('Password').fill(NEXT);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await expect(other.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    expect((await other.goto(link))!.status()).toBe(404);
    if (javaScriptEnabled) await expect(other.getByRole('heading', { level: 1 })).toHaveText('This link cannot be used'); // Next draws its 404s by script
    await other.context().close();
  });
}

test('without a mail server the page names the operator’s command and has no form', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByText('This installation sends no mail')).toBeVisible();
  await expect(page.getByText('npm run --silent ohm -- reset-password --email')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expectSound(page);
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1280]) {
    test(`axe finds nothing on the pages of a new password, ${colorScheme}, ${width} px`, async ({ page, browser }) => {
      const email = await signUp(page);
      const guest = await (await browser.newContext({ colorScheme, viewport: { width, height: 900 } })).newPage();
      const link = await askFor(guest, email);
      for (const path of ['/sign-in', '/sign-in?reset=1', '/reset', '/reset?sent=1', new URL(link).pathname, '/reset/nothing']) {
        await guest.goto(ohm.url + path);
        await expectSound(guest);
        const { OHM_SHOTS } = process.env;
        if (OHM_SHOTS) await guest.screenshot({ path: `${OHM_SHOTS}/${path.replace(/ohm_pw_\w+/, 'token').replace(/\W+/g, '-')}-${colorScheme}-${width}.png` });
      }
      await guest.context().close();
    });
  }
}
