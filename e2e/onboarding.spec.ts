import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { call, issueKey, makeRoute, sandboxTiers, signUp } from './person';

const step = (page: Page, id: string) => page.locator(`[data-step="${id}"]`);

test('from sign-up to a first call that failed over, without leaving the checklist for anything but the key', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const workspace = await signUp(page, 'Newcomer');
  await expect(page).toHaveTitle(/Overview/);
  await expect(step(page, 'connection')).toHaveAttribute('data-done', 'true');
  await expect(step(page, 'route')).toHaveAttribute('data-done', 'true');
  await expect(step(page, 'key')).toHaveAttribute('aria-current', 'step');

  await step(page, 'key').getByRole('link', { name: 'Issue key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('first');
  await expect(page.getByLabel('Default route', { exact: true })).toHaveValue('demo');
  await page.getByRole('button', { name: 'Issue key' }).click();

  const dialog = page.getByRole('dialog', { name: /first/ });
  const token = await dialog.getByTestId('issued-key').textContent();
  expect(token).toMatch(/^ohm_sk_[0-9A-Za-z]{38}$/);
  await expect(dialog.getByRole('tabpanel')).toContainText(token!);
  await dialog.getByRole('button', { name: 'Copy key' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download .env' }).click();
  expect((await download).suggestedFilename()).toBe('first.env');
  await dialog.getByRole('button', { name: 'I stored it' }).click();

  await page.waitForURL(`**/${workspace}`);
  await expect(step(page, 'call')).toHaveAttribute('aria-current', 'step');
  const { status } = await call(page, token!, 'auto');
  expect(status).toBe(200);
  await expect(page.getByText('Set up: the first call came through')).toBeVisible();
  await expect(step(page, 'call')).toHaveAttribute('data-done', 'true');
  await step(page, 'call').getByRole('link', { name: 'See its timeline' }).click();
  await expect(page.getByRole('img', { name: /Tier 2 \(text:20 on sandbox\) committed/ }).first()).toBeVisible();
});

test('the token is nowhere on the page, in its address or in the browser once it is stored', async ({ page }) => {
  const workspace = await signUp(page, 'Secret');
  await page.goto(`/${workspace}/keys/new`);
  await page.getByLabel('Name', { exact: true }).fill('ci');
  await page.getByRole('button', { name: 'Issue key' }).click();
  const token = (await page.getByTestId('issued-key').textContent())!;

  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);

  await page.keyboard.press('Escape');
  await page.mouse.click(4, 4);
  await expect(page.getByTestId('issued-key')).toBeVisible(); // neither closes it
  for (let i = 0; i < 20; i++) await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true); // the focus stays inside

  await page.getByRole('button', { name: 'I stored it' }).click();
  await page.waitForURL(/\/keys\/key_/);
  expect(await page.content()).not.toContain(token);
  expect(page.url()).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]))).not.toContain(token);
  await page.goBack();
  expect(await page.content()).not.toContain(token);
  await page.reload();
  expect(await page.content()).not.toContain(token);
});

test('going back or closing the tab does not lose a token that was not stored yet', async ({ page }) => {
  const workspace = await signUp(page, 'Held');
  await page.goto(`/${workspace}/keys`);
  await page.getByRole('link', { name: 'Issue key' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('held');
  await page.getByRole('button', { name: 'Issue key' }).click();
  const shown = page.getByTestId('issued-key');
  const token = (await shown.textContent())!;

  for (let i = 0; i < 3; i++) {
    await page.evaluate(() => new Promise((resolve) => { window.addEventListener('popstate', resolve, { once: true }); window.history.back(); }));
    await expect(shown).toHaveText(token);
    await expect(page).toHaveURL(/\/keys\/new$/);
  }
  expect(await page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true);
  await page.waitForLoadState('networkidle'); // the page has been fetched again, as it is for anyone who takes a moment to read

  await page.getByRole('button', { name: 'I stored it' }).click();
  await page.waitForURL(/\/keys\/key_/);
  expect(await page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Issue key' })).toBeVisible();
  await page.goBack(); // nothing of the guard is left between
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
});

test('a first call that fails names the step and leads to the page that mends it', async ({ page }) => {
  await signUp(page, 'Failing');
  const key = await issueKey(page, 'ci');
  await makeRoute(page, 'broken', sandboxTiers('status:401'));
  expect((await call(page, key, 'broken')).status).toBe(502);
  await expect(step(page, 'connection')).toContainText('did not accept the credential');
  await step(page, 'connection').getByRole('link', { name: 'Check sandbox' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'sandbox' })).toBeVisible();
});

test('the checklist stops asking while the page is hidden', async ({ page }) => {
  await signUp(page, 'Hidden');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/first-call')) asked++;
  });
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const before = asked;
  await page.waitForTimeout(5_000); // two and a half periods: the absence of a request has no event to wait for
  expect(asked - before).toBeLessThanOrEqual(1); // one may have been under way
  const again = page.waitForRequest('**/first-call');
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await again;
});
