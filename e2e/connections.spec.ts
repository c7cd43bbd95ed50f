import { expect, test, type Page } from '@playwright/test';
import { openai, scriptedUpstream, type Contact, type ScriptedUpstream } from './harness';
import { signUp } from './person';

let workspace: string;
let upstream: ScriptedUpstream;

test.beforeEach(async ({ page }) => {
  upstream = await scriptedUpstream(healthy);
  workspace = await signUp(page, 'Connections');
});

test.afterEach(async () => {
  await upstream.close();
});

const SECRET = 'sk-test-0123456789abcdef';

function healthy({ path, headers }: Contact) {
  if (headers.authorization !== `Bearer ${SECRET}`) return openai.error(401, 'bad key', { type: 'invalid_request_error', code: 'invalid_api_key' });
  if (path === '/v1/models') return openai.json(200, { object: 'list', data: [{ id: 'tiny', object: 'model', created: 1, owned_by: 'test' }] });
  return openai.streamOf('Hello');
}

async function add(page: Page, key = SECRET) {
  await page.goto(`/${workspace}/connections/new`);
  await page.getByLabel('Provider').selectOption('custom');
  await page.getByLabel('Name').fill('main');
  await page.getByLabel('Base URL').fill(upstream.baseUrl);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Add connection' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'main' })).toBeVisible();
}

const outcomes = (page: Page) => page.getByRole('region', { name: 'Test' }).getByRole('listitem').allInnerTexts();

test('a connection is stored without contacting anybody, and its key is never shown again', async ({ page }) => {
  await add(page);
  expect(upstream.contacts).toEqual([]);
  await expect(page.getByText('ends in')).toContainText('cdef');
  await page.reload();
  expect(await page.content()).not.toContain(SECRET);
  await page.getByLabel('API key').selectOption('replace');
  await expect(page.getByLabel('New API key')).toHaveValue('');
});

test('the test tells DNS, connection, auth, model list and first content apart', async ({ page }) => {
  await add(page);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('The connection works; tiny answered.')).toBeVisible();
  expect((await outcomes(page)).map((text) => text.split('\n')[0])).toEqual(['DNS', 'Connect', 'Auth', 'Model list', 'First content']);
});

test('the test of a wrong key fails at auth and tries nothing after it', async ({ page }) => {
  await add(page, 'sk-wrong-key');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText(/^Auth failed/)).toBeVisible();
  const rows = await outcomes(page);
  expect(rows[2]).toContain('failed');
  expect(rows[3]).toContain('not tried');
  expect(rows[4]).toContain('not tried');
});

test('a new origin asks for the key again, and the stored one is not sent there', async ({ page }) => {
  await add(page);
  const elsewhere = await scriptedUpstream(openai.json(200, {}));
  await page.getByLabel('Base URL').fill(elsewhere.baseUrl);
  await expect(page.getByText('The address has a new origin.')).toBeVisible();
  await expect(page.getByLabel('API key', { exact: true }).getByRole('option', { name: /^Keep/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Save connection' }).click();
  await expect(page.getByLabel('New API key')).toHaveAttribute('aria-invalid', 'true');
  expect(elsewhere.contacts).toEqual([]);
  await elsewhere.close();
});

test('a connection in use says which routes use it and cannot be deleted; another is deleted by its name', async ({ page }) => {
  await page.goto(`/${workspace}/connections`);
  await page.getByRole('link', { name: 'sandbox' }).click();
  await expect(page.getByText('It has tiers in the route demo.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete connection…' })).toBeDisabled();

  await add(page);
  await page.getByRole('button', { name: 'Delete connection…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Delete connection' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('main');
  await dialog.getByRole('button', { name: 'Delete connection' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'main', exact: true })).toHaveCount(0);
});

test('an address that may not be used is refused beside its field', async ({ page }) => {
  await page.goto(`/${workspace}/connections/new`);
  await page.getByLabel('Provider').selectOption('custom');
  await page.getByLabel('Base URL').fill('https://169.254.169.254/v1');
  await page.getByRole('button', { name: 'Add connection' }).click();
  await expect(page.getByLabel('Base URL')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Base URL')).toHaveValue('https://169.254.169.254/v1');
});
