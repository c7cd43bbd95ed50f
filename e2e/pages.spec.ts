import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { call, issueKey, makeRoute, manage, sandboxTiers, signUp } from './person';

const PUBLIC = ['/', '/sign-in', '/sign-up', '/nowhere/at/all'];

async function expectSound(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
  expect(await page.title(), path).not.toBe('');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [path, id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${path} scrolls sideways`).toBeLessThanOrEqual(0);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1440]) {
    test(`axe finds nothing on the public pages, ${colorScheme}, ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const path of PUBLIC) await expectSound(page, path);
    });

    test(`axe finds nothing in the dashboard, ${colorScheme}, ${width} px`, async ({ page }) => {
      test.slow(); // ten pages, each looked at whole
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const workspace = await signUp(page, 'Axe');
      await expectSound(page, `/${workspace}`); // the checklist
      await call(page, await issueKey(page, 'ci'), 'demo');
      const { data: keys } = await manage<{ data: { id: string }[] }>(page, 'GET', '/keys');
      const { data: connections } = await manage<{ data: { id: string }[] }>(page, 'GET', '/connections');
      const paths = ['', '/connections', '/connections/new', `/connections/${connections[0]!.id}`, '/models', '/keys', '/keys/new', `/keys/${keys[0]!.id}`, '/members', '/settings', '/audit', '/keys/nope'];
      for (const path of paths) await expectSound(page, `/${workspace}${path}`);
    });
  }
}

test('files that browsers and crawlers look for do not lead to sign-in, nor does the bare root of the API', async ({ request }) => {
  const answers = await Promise.all(['/favicon.ico', '/apple-touch-icon.png', '/v1', '/sitemap.xml'].map((path) => request.get(path, { maxRedirects: 0 })));
  expect(answers.map((answer) => answer.status())).toEqual([404, 404, 404, 200]);
  expect(answers[2]!.headers()['content-type']).toBe('application/json');
  expect(await answers[3]!.text()).toContain('/docs/streaming-failover</loc>');
});

test('the list of calls fits screens of 1280 and of 1440 px with names of a usual length', async ({ page }) => {
  const workspace = await signUp(page, 'Wide');
  const key = await issueKey(page, 'production gateway');
  await makeRoute(page, 'assistant-for-customers', sandboxTiers('status:503', 'text:40,error:429,tag:eu'));
  await call(page, key, 'demo');
  await call(page, key, 'assistant-for-customers');
  await page.goto(`/${workspace}/calls`);
  const table = page.getByRole('region', { name: 'Calls, newest first, table' });
  await expect(table.locator('tbody tr')).toHaveCount(2);
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
  }
});

test('the first stop of the keyboard skips to the content', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});

test('the chosen theme holds from the first paint of the next page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.goto('/sign-in');
  await expect(page.locator('html')).toHaveClass(/dark/);
});

test('the home page loads nothing from anywhere else', async ({ page, baseURL }) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL!) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(foreign).toEqual([]);
});
