import { expect, test } from '@playwright/test';
import { manage, signUp } from './person';

test('the audit log says who did what to which thing, and can be checked', async ({ page }) => {
  const workspace = await signUp(page);
  const email = (await page.getByRole('button', { name: /^Account:/ }).getAttribute('aria-label'))!.replace('Account: ', '');
  const key = await manage<{ id: string; revision: number }>(page, 'POST', '/keys', { name: 'watched' });
  await manage(page, 'PATCH', `/keys/${key.id}`, { disabled: true }, key.revision);

  await page.goto(`/${workspace}/settings`);
  await page.getByRole('link', { name: 'Audit log' }).click();
  const table = page.getByRole('table', { name: 'Entries, newest first' });
  await expect(table).toContainText('workspace.created');
  await table.getByRole('link', { name: key.id }).first().click();
  await expect(table.getByRole('row')).toHaveCount(3);
  const newest = table.getByRole('row').nth(1);
  await expect(newest).toContainText(email);
  await newest.locator('summary').click();
  await expect(newest).toContainText('false → true');

  await page.getByLabel('Thing (id)').fill('');
  await page.getByLabel('Action or kind of thing').fill('key.created');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(table.getByRole('row')).toHaveCount(2);

  await page.getByRole('link', { name: 'Check the log' }).click();
  await expect(page.getByText(/Checked just now from its beginning: all \d+ entries are as they were written/)).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(2);
});
