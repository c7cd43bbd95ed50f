import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';

const SAMPLES = ['agent', 'log', 'html', 'json'];

test('without script a sample and a pasted text come back with each saver’s effect, as an estimate, with the tokenizer named', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/waste');
  await page.getByRole('link', { name: /coding agent/ }).click();
  await expect(page).toHaveURL(/sample=agent/);
  await expect(page.getByText('estimate_only')).toBeVisible();
  await expect(page.getByText(/Counted with o200k_base, which stands in/)).toBeVisible();
  await expect(page.getByRole('row', { name: /Repeated tool results/ })).toContainText('on');
  await page.goto('/waste');
  await page.getByLabel('Prompt, request or tool result').fill('{\n  "a": [\n    1,\n    2\n  ]\n}');
  await page.getByRole('button', { name: 'Show the effect' }).click();
  await expect(page.getByRole('region', { name: 'The text: Compact JSON, difference' })).toContainText('{"a":[1,2]}');
  await expect(page.getByText(/Counted with o200k_base, the model’s own/)).toBeVisible();
  await expect(page.getByLabel('Prompt, request or tool result')).toHaveValue('{\n  "a": [\n    1,\n    2\n  ]\n}');
  await context.close();
});

test('lossy savers are off, and say what would be lost once they are chosen', async ({ page }) => {
  await page.goto('/waste?sample=html');
  const row = page.getByRole('row', { name: /Text of HTML pages/ });
  await expect(row).toContainText('off, shown alone');
  await expect(page.getByText('No text was changed')).toBeVisible();
  await page.getByText(/^Savers: 5 of 9 on/).click();
  await page.getByLabel('Text of HTML pages').check();
  await page.getByRole('button', { name: 'Show the effect' }).click();
  await expect(row).not.toContainText('off');
  await expect(page.getByText(/Markup, scripts, styles, drawings/).last()).toBeVisible();
});

test('nothing, and too much, are refused with what to do', async ({ page }) => {
  await page.goto('/waste');
  await page.getByRole('button', { name: 'Show the effect' }).click();
  await expect(page.getByText('There is no text.')).toBeVisible();
  await page.getByLabel('Prompt, request or tool result').fill('x'.repeat(200_001));
  await page.getByRole('button', { name: 'Show the effect' }).click();
  await expect(page.getByText(/more than 200,000 bytes/)).toBeVisible();
});

test('a form that another site sent is refused', async ({ browser, baseURL, request }) => {
  const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/waste');
  const members = await page.locator('form[aria-label="Text to appraise"] input[type=hidden]').evaluateAll((inputs) => inputs.map((input) => [(input as HTMLInputElement).name, (input as HTMLInputElement).value] as const));
  await context.close();
  const send = (site: string) => request.post('/waste', { headers: { 'sec-fetch-site': site, origin: baseURL! }, multipart: { ...Object.fromEntries(members), text: 'hello' } });
  expect((await send('same-origin')).status()).toBe(200);
  expect((await send('cross-site')).status()).toBe(403);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} page under any sample, and it fits 320 px`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const sample of SAMPLES) {
        await page.goto(`/waste?sample=${sample}`);
        await expect(page.getByText('estimate_only')).toBeVisible();
        expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [sample, id, nodes[0]?.html])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      }
    }
  });
}
