import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { call, issueKey, makeRoute, manage, sandboxTiers, signUp } from './person';

let workspace: string;
let keys: { web: string; batch: string };

test.beforeEach(async ({ page }) => {
  workspace = await signUp(page, 'Usage');
  keys = { web: await issueKey(page, 'web'), batch: await issueKey(page, 'batch') };
});

/** Five calls: two that failed over, one cut, one refused, one with a tag. */
async function fiveCalls(page: Page) {
  await makeRoute(page, 'cut', sandboxTiers('text:3,reset'));
  await makeRoute(page, 'broken', sandboxTiers('status:401'));
  for (const [key, model] of [[keys.web, 'demo'], [keys.web, 'demo'], [keys.batch, 'cut'], [keys.batch, 'broken']] as const) await call(page, key, model);
  await page.request.post('/v1/chat/completions', { headers: { authorization: `Bearer ${keys.web}`, 'x-ohm-tag': 'nightly' }, data: { model: 'demo', stream: true, messages: [{ role: 'user', content: 'Hello' }] } });
}

const cells = (page: Page, table: string, row: string) => page.getByRole('table', { name: table }).getByRole('row', { name: new RegExp(row) }).getByRole('cell').allTextContents();

test('the page sums what the calls list shows, to the unit, and leads to it', async ({ page }) => {
  await fiveCalls(page);
  await page.goto(`/${workspace}/usage?group=key`);
  await expect(page.getByText('in the time zone UTC', { exact: false })).toBeVisible();
  expect((await cells(page, 'Usage by key', 'web'))[0]).toBe('3');
  expect((await cells(page, 'Usage by key', 'batch')).at(-2)).toBe('1'); // truncations
  await page.getByRole('table', { name: 'Usage by key' }).getByRole('row', { name: /^web/ }).getByRole('link', { name: '3' }).click();
  await expect(page.getByRole('table', { name: 'Calls, newest first' }).getByRole('row')).toHaveCount(4);
  await page.goBack();
  await page.locator('dl').getByRole('link', { name: '5' }).click();
  await expect(page.getByRole('table', { name: 'Calls, newest first' }).getByRole('row')).toHaveCount(6);
});

test('estimated and unpriced shares always stand there, and what was not measured is no 0', async ({ page }) => {
  await fiveCalls(page);
  await page.goto(`/${workspace}/usage`);
  const totals = page.locator('dl').first();
  await expect(totals).toContainText('estimated: 25% of calls with tokens');
  await expect(totals).toContainText('unpriced: 0% of calls with tokens');
  await expect(totals).toContainText(/Written to cache\s*not reported/);
  await expect(page.getByRole('table', { name: 'Usage by day' }).getByRole('row')).toHaveCount(2); // a header, today: the days before were not measured
});

test('the chosen zone, grouping and filter stand in the address, and the charts have a sentence and can be walked by keyboard', async ({ page }) => {
  await fiveCalls(page);
  await page.goto(`/${workspace}/usage`);
  await page.getByLabel('Time').selectOption('today');
  await page.getByLabel('Group by').selectOption('route');
  await page.getByLabel('Key', { exact: true }).selectOption({ label: 'web' });
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/range=today.*group=route.*key=key_/);
  await expect(page.getByRole('table', { name: 'Usage by route' }).getByRole('row')).toHaveCount(2);
  await expect(page.getByText('Calls: 3 in all', { exact: false })).toBeVisible();
  const chart = page.getByRole('group', { name: 'Calls, chart' });
  await chart.locator('.recharts-surface').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(chart.getByText(/\d\d:\d\d to \d\d:\d\d/)).toBeVisible();
});

test('the CSV holds the same figures, with the total last', async ({ page }) => {
  await fiveCalls(page);
  await page.goto(`/${workspace}/usage?group=tag`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download CSV' }).click()]);
  const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n').map((line) => line.split(','));
  const column = (name: string) => head!.indexOf(name);
  expect(lines.map((line) => [line[column('tag')], line[column('calls')], line[column('zone')]])).toEqual([['without a tag', '4', 'UTC'], ['nightly', '1', 'UTC'], ['total', '5', 'UTC']]);
  expect(lines.at(-1)![column('cache_write_tokens')]).toBe('');
});

test('calls are exported under the filters of the list, as a file that comes when it is written', async ({ page }) => {
  await fiveCalls(page);
  await page.goto(`/${workspace}/calls?state=finished`);
  await page.getByRole('link', { name: 'Export' }).click();
  await expect(page.getByText('finished', { exact: true }).first()).toBeVisible();
  await page.getByLabel('Format').selectOption('jsonl');
  await page.getByRole('button', { name: 'Export these calls' }).click();
  const files = page.getByRole('table', { name: 'Exports, newest first' });
  await expect(files.getByRole('row')).toHaveCount(2);
  const link = files.getByRole('link', { name: 'Download' });
  await expect(link).toBeVisible({ timeout: 20_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const calls = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as { id: string; state: string });
  const { data } = await manage<{ data: { id: string }[] }>(page, 'GET', '/calls?state=finished');
  expect(calls.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  await files.getByRole('button', { name: /^Delete the export/ }).click();
  await expect(page.getByText('No exports')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} usage and export pages, and they fit 320 px`, async ({ page }) => {
    await fiveCalls(page);
    await manage(page, 'POST', '/exports', { format: 'csv' });
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['usage', 'usage?group=model&range=today', 'usage?group=tag&range=quarter&zone=Asia/Kolkata', 'usage?model=nobody', 'calls/exports?state=finished']) {
        await page.goto(`/${workspace}/${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [path, id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
      }
    }
  });
}
