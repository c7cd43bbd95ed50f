import { expect, test, type Page } from '@playwright/test';
import { call, manage, signUp } from './person';

let workspace: string;

test.beforeEach(async ({ page }) => {
  workspace = await signUp(page, 'Keys');
});

/** Issues a key in the browser and stays on its page. */
async function issue(page: Page, name: string): Promise<string> {
  await page.goto(`/${workspace}/keys/new`);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Issue key' }).click();
  const token = await store(page);
  await page.waitForURL(/\/keys\/key_/);
  return token;
}

async function store(page: Page): Promise<string> {
  const token = (await page.getByTestId('issued-key').textContent())!;
  await page.getByRole('button', { name: 'I stored it' }).click();
  await expect(page.getByTestId('issued-key')).toHaveCount(0);
  return token;
}

const statusOf = async (page: Page, token: string) => (await call(page, token, 'auto')).status;

test('a key is used, disabled and enabled, each within five seconds', async ({ page }) => {
  const token = await issue(page, 'ci');
  expect(await statusOf(page, token)).toBe(200);
  await page.getByRole('button', { name: 'Disable key' }).click();
  await expect(page.getByRole('button', { name: 'Enable key' })).toBeVisible();
  await expect.poll(() => statusOf(page, token), { timeout: 5_000 }).toBe(401);
  await page.getByRole('button', { name: 'Enable key' }).click();
  await expect(page.getByRole('button', { name: 'Disable key' })).toBeVisible();
  await expect.poll(() => statusOf(page, token), { timeout: 5_000 }).toBe(200);
});

test('a rotated key has a new token, and the old one works for the overlap', async ({ page }) => {
  const old = await issue(page, 'ci');
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByLabel('Overlap').selectOption('3600');
  await page.getByRole('button', { name: 'Make a new token' }).click();
  const fresh = await store(page);
  expect(fresh).not.toBe(old);
  await expect(page.getByText('works until')).toBeVisible();
  await expect.poll(() => statusOf(page, fresh), { timeout: 5_000 }).toBe(200);
  expect(await statusOf(page, old)).toBe(200);
});

test('a key is revoked by typing its name, and is refused within five seconds', async ({ page }) => {
  const token = await issue(page, 'to end');
  expect(await statusOf(page, token)).toBe(200);
  await page.getByRole('button', { name: 'Revoke key…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke to end' });
  await dialog.getByRole('textbox').fill('to en');
  await expect(dialog.getByRole('button', { name: 'Revoke key' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('to end');
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'to end', exact: true })).toHaveCount(0);
  await expect.poll(() => statusOf(page, token), { timeout: 5_000 }).toBe(401);
});

test('a key says what becomes of its answers, shows what was served again, and forgets them', async ({ page }) => {
  const token = await issue(page, 'keeps');
  const outcome = async () => {
    const answer = await page.request.post('/v1/chat/completions', { headers: { authorization: `Bearer ${token}` }, data: { model: 'auto', messages: [{ role: 'user', content: 'Hello' }] } });
    return answer.headers()['x-at-cache'];
  };
  expect([await outcome(), await outcome()]).toEqual(['MISS', 'HIT']);
  await page.reload();
  const replay = page.getByRole('region', { name: 'Exact replay' });
  await expect(replay).toContainText('answers are kept for 1 hour and served to this key alone');
  await expect(replay).toContainText('50% (1 of 2 that looked)');
  await replay.getByRole('button', { name: 'Forget stored answers' }).click();
  await expect(page.getByText('Stored answers forgotten')).toBeVisible();
  expect([await outcome(), await outcome()]).toEqual(['MISS', 'HIT']);

  const kept = page.getByLabel('Keep finished answers, and serve them again to an equal request');
  await expect(kept).toHaveAccessibleDescription(/prompts are never kept/);
  await page.getByLabel('Kept for').selectOption('86400');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(replay).toContainText('1 day');
  await kept.uncheck();
  await expect(page.getByLabel('Kept for')).toBeHidden();
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(replay).toContainText('no answer is kept');
  await expect.poll(outcome, { timeout: 5_000 }).toBe('BYPASS');
});

test('going back shows what is, not what was when the page was left', async ({ page }) => {
  await page.goto(`/${workspace}`);
  await expect(page.locator('[data-step="key"]')).toHaveAttribute('aria-current', 'step');
  await page.locator('[data-step="key"]').getByRole('link', { name: 'Issue key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('passing');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await store(page);
  await page.waitForURL(`**/${workspace}`);
  await page.goBack();
  await page.goBack();
  await expect(page.locator('[data-step="key"]')).toHaveAttribute('data-done', 'true');

  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('link', { name: 'passing', exact: true }).click();
  await page.getByRole('button', { name: 'Revoke key…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke passing' });
  await dialog.getByRole('textbox').fill('passing');
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'There is nothing here' })).toBeVisible();
  await page.reload();
  await expect(page).toHaveTitle(/^Not found/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'passing', exact: true })).toHaveCount(0);
});

test('one long name leaves every column of the keys in sight', async ({ page }) => {
  const name = 'unbroken'.repeat(13).slice(0, 100);
  await manage(page, 'POST', '/keys', { name });
  await page.goto(`/${workspace}/keys`);
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  const [held, box] = await page.getByRole('region', { name: 'Keys, table' }).evaluate((region) => [region.scrollWidth, region.clientWidth]);
  expect(held).toBeLessThanOrEqual(box!);
});

test('the list is searched, filtered and ordered by its address', async ({ page }) => {
  for (const name of ['alpha', 'beta', 'gamma']) await issue(page, name);
  await page.goto(`/${workspace}/keys`);
  const names = () => page.getByRole('table', { name: 'Keys' }).locator('tbody tr td:first-child').allInnerTexts();
  expect(await names()).toEqual(['gamma', 'beta', 'alpha']);
  await page.getByLabel('Order').selectOption('name');
  await page.getByLabel('Search by name').fill('a');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/q=a/);
  expect(await names()).toEqual(['alpha', 'beta', 'gamma']);
  await page.getByLabel('Search by name').fill('bet');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/q=bet/);
  expect(await names()).toEqual(['beta']);
  await page.getByLabel('State').selectOption('expired');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText('No key matches')).toBeVisible();
});

test('a name that is taken and a day that has passed are refused beside their fields', async ({ page }) => {
  await issue(page, 'ci');
  await page.goto(`/${workspace}/keys/new`);
  await page.getByLabel('Name', { exact: true }).fill('ci');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/taken/i);
  await page.getByLabel('Name', { exact: true }).fill('ci 2');
  await page.getByLabel('Expires').selectOption('on');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await expect(page.getByLabel('Last day (until 23:59 UTC)')).toHaveAccessibleDescription('Choose a day.');
  await page.getByLabel('Last day (until 23:59 UTC)').fill('2020-01-01');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await expect(page.getByLabel('Last day (until 23:59 UTC)')).toHaveAccessibleDescription(/in the future/i);
});

test('changes of a key that are not saved are asked about before they are lost', async ({ page }) => {
  const { id } = await manage<{ id: string }>(page, 'POST', '/keys', { name: 'edited' });
  await page.goto(`/${workspace}/keys/${id}`);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  const away = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Keys' });
  const rate = page.getByRole('textbox', { name: 'Requests a minute' });
  await rate.fill('60');
  await expect(async () => {
    await away.click();
    expect(asked).toContain('This key has changes that are not saved. Leave and lose them?');
  }).toPass();
  await expect(rate).toHaveValue('60');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByText('60 left of 60')).toBeVisible();
  asked.length = 0;
  await away.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  expect(asked).toEqual([]);
});

test('what was typed into a form outlives the session', async ({ page, context }) => {
  await page.goto(`/${workspace}/keys/new`);
  await page.getByLabel('Name', { exact: true }).fill('typed before');
  const cookies = await context.cookies();
  await context.clearCookies(); // as when another tab signs out
  await page.getByRole('button', { name: 'Issue key' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'You are signed out.' });
  await expect(notice).toContainText('Sign in in a new tab');
  await expect(notice).toBeInViewport(); // the form is long, and the button at its foot
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('typed before');
  await context.addCookies(cookies);
  await page.getByRole('button', { name: 'Issue key' }).click();
  await expect(page.getByTestId('issued-key')).toBeVisible();
});

test('an edit made on an old revision is refused and nothing is overwritten', async ({ page, context }) => {
  await issue(page, 'ci');
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel('Name', { exact: true }).fill('renamed elsewhere');
  await other.getByRole('button', { name: 'Save key' }).click();
  await expect(other.getByText('Key saved')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('renamed here');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Somebody edited this' })).toBeVisible();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'See it as it is now, in a new tab' }).click();
  await expect((await opened).getByLabel('Name', { exact: true })).toHaveValue('renamed elsewhere');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('renamed here');
  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('renamed elsewhere');
});
