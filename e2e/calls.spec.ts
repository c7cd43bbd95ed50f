import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { call, issueKey, makeRoute, sandboxTiers, signUp } from './person';

let workspace: string;
let key: string;

test.beforeEach(async ({ page }) => {
  workspace = await signUp(page, 'Calls');
  key = await issueKey(page, 'ci');
});

/** A call that failed over, one that was cut after content, one that no tier could serve. */
async function threeCalls(page: Page) {
  await makeRoute(page, 'cut', sandboxTiers('text:3,reset'));
  await makeRoute(page, 'broken', sandboxTiers('status:401'));
  return { served: await call(page, key, 'demo'), cut: await call(page, key, 'cut'), refused: await call(page, key, 'broken') };
}

test('every call is on the list, failed and refused ones too, and says how it ended', async ({ page }) => {
  const { served, cut, refused } = await threeCalls(page);
  expect([served.status, cut.status, refused.status]).toEqual([200, 200, 502]);
  await page.goto(`/${workspace}/calls`);
  const rows = page.getByRole('table', { name: 'Calls, newest first' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText(/rejected\s*502/);
  await expect(rows.nth(2)).toContainText('truncated');
  await expect(rows.nth(3)).toContainText('finished');
  await expect(rows.nth(3).getByRole('img')).toHaveAccessibleName(/Tier 2 \(text:20 on sandbox\) committed/);
});

test('filters stand in the address and survive a reload', async ({ page }) => {
  const { cut } = await threeCalls(page);
  await page.goto(`/${workspace}/calls`);
  await page.getByLabel('Ended').selectOption({ label: 'truncated' });
  await page.getByLabel('Time').selectOption('today');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/state=truncated/);
  await expect(page).toHaveURL(/range=today/);
  const rows = page.getByRole('table', { name: 'Calls, newest first' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(cut.id.slice(-6));
});

test('calls that come while the list is open are announced and shown when asked for', async ({ page }) => {
  await page.goto(`/${workspace}/calls`);
  await expect(page.getByText('No calls')).toBeVisible();
  await call(page, key, 'demo');
  await page.getByRole('button', { name: 'Show 1 new call' }).click();
  await expect(page.getByRole('table', { name: 'Calls, newest first' }).getByRole('row')).toHaveCount(2);
});

test('a call that failed over shows each attempt, why the walk went on, the commit and the flushed bytes', async ({ page }) => {
  const { id, body } = await call(page, key, 'demo');
  await page.goto(`/${workspace}/calls/${id}`);
  await expect(page.getByRole('img', { name: /^Timeline of a call\./ })).toContainText('committed');
  const attempts = page.getByRole('table', { name: 'Attempts in the order of the walk' });
  await expect(attempts.getByRole('row')).toHaveCount(4); // a header, tier 1 and its retry, tier 2
  await expect(attempts).toContainText('so the same tier was asked once more on a fresh connection.');
  await expect(attempts).toContainText('so the walk went on to tier 2.');
  const bytes = new Intl.NumberFormat('en-US').format(Buffer.byteLength(body));
  await expect(page.getByText(`${bytes} bytes`).first()).toBeVisible();
  await expect(page.getByText('X-Ohm-Stream-Failover')).toBeVisible();
});

test('a truncated call says what reached the client, and that nobody else was asked', async ({ page }) => {
  await makeRoute(page, 'cut', sandboxTiers('text:3,reset', 'text:5'));
  const { id, body } = await call(page, key, 'cut');
  expect(body).toContain('stream_truncated');
  await page.goto(`/${workspace}/calls/${id}`);
  await expect(page.getByRole('table', { name: 'Attempts in the order of the walk' })).toContainText(
    'so the answer was cut with an error frame and no other tier was asked.',
  );
  await expect(page.getByText(/estimated as characters \/ 4/)).toBeVisible();
});

test('a call of another workspace is not there', async ({ page, browser }) => {
  const { id } = await call(page, key, 'demo');
  const other = await browser.newContext();
  const stranger = await other.newPage();
  const theirs = await signUp(stranger, 'Others');
  const answer = await stranger.goto(`/${theirs}/calls/${id}`);
  expect(answer?.status()).toBe(404);
  const foreign = await stranger.goto(`/${workspace}/calls`);
  expect(foreign?.status()).toBe(404);
  await other.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} calls pages, and they fit 320 px`, async ({ page }) => {
    const { served, cut, refused } = await threeCalls(page);
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['calls', `calls/${served.id}`, `calls/${cut.id}`, `calls/${refused.id}`]) {
        await page.goto(`/${workspace}/${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
      }
    }
  });
}
