import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';

const PAGES = [
  { path: '/docs', h1: 'Docs' },
  { path: '/docs/streaming-failover', h1: 'Streaming and failover: the contract' },
  { path: '/docs/apis', h1: 'APIs, clients and translation' },
  { path: '/docs/two-planes', h1: 'Two planes: the edge' },
  { path: '/trust', h1: 'Trust' },
  { path: '/docs/errors', h1: 'Error codes' },
  { path: '/docs/sandbox', h1: 'The sandbox provider' },
  { path: '/models', h1: 'Models' },
  { path: '/waste', h1: 'Waste in a prompt' },
  { path: '/status', h1: 'Status' },
  { path: '/honesty', h1: 'Honesty' },
];

for (const { path, h1 } of PAGES) {
  test(`${path} reads without script, at 320 px and in both schemes, and axe finds nothing`, async ({ browser, baseURL }) => {
    test.slow(); // four visits and three looks by axe
    const silent = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false });
    const plain = await silent.newPage();
    await plain.goto(path);
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText(h1);
    await silent.close();
    for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [320, 'dark']] as const) {
      const context = await browser.newContext({ baseURL: baseURL!, viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.goto(path);
      await expect(page).toHaveTitle(/ · Ohm$/);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      expect((await new AxeBuilder({ page }).analyze()).violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`)).toEqual([]);
      await context.close();
    }
  });
}

test('every link and anchor on the public pages leads somewhere', async ({ page, request }) => {
  const seen = new Map<string, Set<string>>();
  for (const { path } of PAGES) {
    await page.goto(path);
    for (const href of await page.locator('main a[href]').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))) {
      const url = new URL(href);
      if (url.origin !== new URL(page.url()).origin) continue;
      const hashes = seen.get(url.pathname) ?? new Set();
      if (url.hash) hashes.add(url.hash.slice(1));
      seen.set(url.pathname, hashes);
    }
  }
  for (const [path, hashes] of seen) {
    const answer = await request.get(path);
    expect([path, answer.status()]).toEqual([path, 200]);
    const html = await answer.text();
    for (const hash of hashes) expect([path, hash, html.includes(`id="${hash}"`)]).toEqual([path, hash, true]);
  }
});

test('a claim is found from the contract, with its evidence', async ({ page }) => {
  await page.goto('/docs/streaming-failover');
  await page.getByRole('link', { name: 'mid stream handoff' }).click();
  await expect(page).toHaveURL(/\/honesty#mid_stream_handoff$/);
  const claim = page.locator('#mid_stream_handoff');
  await expect(claim).toContainText('no_handoff_after_content');
  await expect(claim.getByRole('link', { name: 'Contract' })).toHaveAttribute('href', '/docs/streaming-failover#after-the-first-byte');
});

test('an ending opens to the frames that the engine sends', async ({ page }) => {
  await page.goto('/docs/streaming-failover');
  const ending = page.locator('#ending-truncated');
  await ending.locator('summary').click();
  await expect(ending).toContainText('"code":"stream_truncated"');
});

test('models are searched without script, and the address keeps the search', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/models');
  const rows = page.getByRole('region', { name: 'Models, table' }).locator('tbody tr');
  expect(await rows.count()).toBeGreaterThanOrEqual(50);
  await page.getByLabel('Name or vendor').fill('deepseek');
  await page.getByLabel('images').check();
  await page.getByLabel('Order').selectOption('input');
  await page.getByRole('button', { name: 'Show models' }).click();
  await expect(page).toHaveURL(/q=deepseek.*order=input.*images=1/);
  await expect(page.getByText(/^\d+ of \d+ models$/)).toBeVisible();
  for (const text of await rows.allInnerTexts()) expect(text).toMatch(/DeepSeek[^]*images/);
  await page.getByLabel('Name or vendor').fill('nothing of that name');
  await page.getByRole('button', { name: 'Show models' }).click();
  await expect(page.getByText('No model fits')).toBeVisible();
  await context.close();
});
