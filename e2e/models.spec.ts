import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { call, issueKey, manage, signUp } from './person';

let workspace: string;
test.beforeEach(async ({ page }) => {
  workspace = await signUp(page, 'Models');
});

const table = (page: Page, name: string) => page.getByRole('region', { name: `${name}, table` });

async function expectSound(page: Page) {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('a connection makes its vendor’s models usable by name, at the list’s price or at one’s own', async ({ page }) => {
  await page.goto(`/${workspace}/models`);
  await expect(page.getByText('No catalog model yet')).toBeVisible();
  await manage(page, 'POST', '/connections', { name: 'openai', provider: 'openai', api_key: 'sk-not-a-real-key' });
  await page.reload();
  const mini = table(page, 'Models usable by name').getByRole('row', { name: /gpt-5-mini/ });
  await expect(mini).toContainText('$0.25');
  await expect(mini).toContainText('the list');

  await page.getByLabel('Connection').selectOption('openai');
  await page.getByLabel('Model', { exact: true }).fill('gpt-5-mini');
  await page.getByLabel('Input', { exact: true }).fill('cheap');
  await page.getByLabel('Output').fill('1.5');
  await page.getByRole('button', { name: 'State price' }).click();
  await expect(page.getByText('Dollars a million tokens, such as 0.15')).toBeVisible();
  await page.getByLabel('Input', { exact: true }).fill('0.2');
  await page.getByRole('button', { name: 'State price' }).click();
  await expect(table(page, 'Your prices').getByRole('row', { name: /gpt-5-mini/ })).toContainText('in force');
  await expect(mini).toContainText('$0.20');
  await expect(mini).toContainText('you');
  await expectSound(page);

  await page.getByRole('button', { name: /^Take back the price of gpt-5-mini/ }).click();
  await expect(mini).toContainText('the list');
});

test('an eco tier is made in the editor, asks the cheapest, and its call says what was compared', async ({ page }) => {
  await manage(page, 'PUT', '/prices', { connection: 'sandbox', model: 'text:20', input_nano_usd_per_million_tokens: 2_000_000_000, output_nano_usd_per_million_tokens: 3_000_000_000 });
  await page.goto(`/${workspace}/routes/new`);
  await page.getByLabel('Name').fill('cheap');
  await page.getByRole('combobox', { name: /^What tier 1/ }).selectOption('eco');
  await page.getByLabel('Model of candidate 1').fill('text:20');
  await page.getByRole('button', { name: 'Add candidate' }).click();
  await expect(page.getByLabel('Model of candidate 2')).toBeFocused();
  await page.getByLabel('Model of candidate 2').fill('text:5');
  await expectSound(page);
  await page.getByRole('button', { name: 'Make route' }).click();
  await expect(page).toHaveURL(/\/routes\/route_\w+$/);
  await expect(page.getByText('Revision 1 is in force.')).toBeVisible();
  const { data } = await manage<{ data: { name: string; tiers: unknown[] }[] }>(page, 'GET', '/routes?q=cheap');
  expect(data[0]!.tiers).toEqual([{ eco: [{ connection: 'sandbox', model: 'text:20' }, { connection: 'sandbox', model: 'text:5' }], first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null }]);
  await page.reload();
  await expect(page.getByLabel('Model of candidate 2')).toHaveValue('text:5');

  await call(page, await issueKey(page, 'ci'), 'cheap');
  await page.goto(`/${workspace}/calls`);
  await page.getByRole('row', { name: /cheap/ }).getByRole('link').first().click();
  const candidates = table(page, 'Candidates of tier 1, cheapest first').locator('tbody tr');
  await expect(candidates).toHaveText([/text:5.*\$0.*chosen/, /text:20.*workspace:price_.*only if a cheaper one fails/]);
  await expectSound(page);
});
