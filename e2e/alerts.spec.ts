import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { call, issueKey, makeRoute, manage, sandboxTiers, signUp } from './person';

let workspace: string;

test.beforeEach(async ({ page }) => {
  workspace = await signUp(page, 'Alerts');
});

async function addMail(page: Page, name: string) {
  await page.goto(`/${workspace}/alerts`);
  await page.getByRole('button', { name: 'Add channel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a channel' });
  await dialog.getByLabel('Kind').selectOption('email');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Address').fill('ops@example.com');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(page.getByRole('table', { name: 'Channels' }).getByText('ops@example.com')).toBeVisible();
}

test('a webhook’s secret is shown once, and leaves the page when it is stored', async ({ page }) => {
  await page.goto(`/${workspace}/alerts`);
  await page.getByRole('button', { name: 'Add channel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a channel' });
  await dialog.getByLabel('Name').fill('hook');
  await dialog.getByLabel('URL').fill('https://10.0.0.1/hook');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(dialog.getByLabel('URL')).toHaveAccessibleDescription(/not public/i);
  await dialog.getByLabel('URL').fill('https://hooks.example.com/ohm');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  const secret = (await page.getByTestId('webhook-secret').textContent())!;
  expect(secret).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('webhook-secret')).toBeVisible();
  await page.getByRole('button', { name: 'I stored it' }).click();
  await expect(page.getByTestId('webhook-secret')).toHaveCount(0);
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Rotate the secret of hook' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await expect(page.getByTestId('webhook-secret')).not.toHaveText(secret);
});

test('an alert is made, fires on a cut answer, is muted, tested, sent again, and deleted', async ({ page }) => {
  test.slow(); // a resend is allowed 10 s after the last try
  await addMail(page, 'ops');
  await page.goto(`/${workspace}/alerts/new`);
  await page.getByLabel('Name').fill('cuts');
  await page.getByLabel('Watch for').selectOption('truncation_rate');
  await page.getByLabel('Fires at').fill('50');
  await page.getByLabel('In a window of').fill('10');
  await page.getByLabel('Unit of the window').selectOption('min');
  await page.getByLabel('Of calls, at least').fill('1');
  await page.getByRole('checkbox', { name: 'ops' }).check();
  await page.getByRole('button', { name: 'Watch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'cuts' })).toBeVisible();
  await expect(page.getByText('at least 50%, of 1 call or more in 10 min')).toBeVisible();

  await makeRoute(page, 'cutting', sandboxTiers('text:5,reset'));
  expect((await call(page, await issueKey(page, 'ci'), 'cutting')).body).toContain('stream_truncated');
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Truncation rate 100% of 1 call in 10 min.')).toBeVisible({ timeout: 500 });
    await expect(page.getByText('kept here').first()).toBeVisible({ timeout: 500 }); // what it says goes out a moment later
  }).toPass({ timeout: 60_000, intervals: [2_000] });
  await expect(page.getByText('Firing', { exact: true })).toBeVisible();

  const alertPage = page.url();
  await page.goto(`/${workspace}`);
  await expect(page.getByText('An alert is firing')).toBeVisible();
  await page.goto(alertPage);
  await page.getByLabel('Mute for').selectOption('1h');
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await expect(page.getByText('This is a test of the alert “cuts”: nothing has happened.')).toBeVisible();

  await page.goto(`/${workspace}/alerts`);
  const log = page.getByRole('table', { name: 'Deliveries' });
  await log.getByText('fired: Truncation rate').click();
  await expect(log.locator('pre:visible').filter({ hasText: 'Workspace: ' })).toHaveCount(1);
  await expect(async () => {
    await log.getByRole('button', { name: /^Send again: \[Ohm\] Firing/ }).click();
    await expect(page.getByText('Queued to be sent')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000, intervals: [3_000] });

  await page.getByRole('link', { name: 'cuts', exact: true }).first().click();
  await page.getByRole('button', { name: 'Delete alert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete cuts' });
  await dialog.getByRole('textbox').fill('cuts');
  await dialog.getByRole('button', { name: 'Delete alert' }).click();
  await expect(page.getByText('Nothing is watched yet')).toBeVisible();
});

test('fields follow the kind, and what does not go together is refused beside its field', async ({ page }) => {
  await page.goto(`/${workspace}/alerts/new`);
  await page.getByLabel('Name').fill('x');
  await page.getByLabel('In a window of').fill('2');
  await page.getByLabel('Unit of the window').selectOption('h');
  await page.getByRole('button', { name: 'Watch' }).click();
  await expect(page.getByLabel('In a window of')).toHaveAccessibleDescription(/from 10 to 3,600 s/);
  await expect(page.getByLabel('In a window of')).toBeFocused();
  const usual = await page.getByLabel(/^Fires at/).inputValue();
  await page.getByLabel(/^Fires at/).fill('0');
  await page.getByRole('button', { name: 'Watch' }).click();
  await expect(page.getByLabel(/^Fires at/)).toHaveAccessibleDescription(/more than 0/);
  await expect(page.getByLabel('In a window of')).toHaveAccessibleDescription(/from 10 to 3,600 s/);
  const [amount, unit] = [await page.getByLabel('In a window of').boundingBox(), await page.getByLabel('Unit of the window').boundingBox()];
  expect(unit!.y).toBeCloseTo(amount!.y, 0);
  await page.getByLabel(/^Fires at/).fill(usual);
  await page.getByLabel('Watch for').selectOption('budget');
  await expect(page.getByLabel('In a window of')).toHaveCount(0);
  await page.getByLabel('Tell from').selectOption('50');
  await page.getByRole('button', { name: 'Watch' }).click();
  await expect(page.getByText('at 50%, 80%, 100%')).toBeVisible();
});

test('limits are set on a key and on the workspace, and what is left is shown', async ({ page }) => {
  await page.goto(`/${workspace}/keys/new`);
  await page.getByLabel('Name', { exact: true }).fill('limited');
  await page.getByLabel('Requests a minute').fill('60');
  await page.getByLabel('US dollars a day').fill('0.25');
  await page.getByRole('button', { name: 'Issue key' }).click();
  const token = (await page.getByTestId('issued-key').textContent())!;
  await page.getByRole('button', { name: 'I stored it' }).click();
  await page.waitForURL(/\/keys\/key_/);
  await expect(page.getByText('60 left of 60')).toBeVisible();
  await expect(page.getByText('$0.25 left of $0.25')).toBeVisible();
  expect((await call(page, token, 'demo')).status).toBe(200);
  await page.reload();
  await expect(page.getByText('59 left of 60')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Requests a minute: 1\.\d% used$/ })).toBeVisible();
  await page.getByLabel('Tokens a minute').fill('-1');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByLabel('Tokens a minute')).toHaveAccessibleDescription(/at least 1/);
  await page.getByLabel('Tokens a minute').fill('');
  // What a slip of the finger leaves behind is no empty field: a budget is not taken away by it.
  const [rate, day] = [page.getByRole('textbox', { name: 'Requests a minute' }), page.getByRole('textbox', { name: 'US dollars a day' })];
  await rate.clear();
  await rate.pressSequentially('6-0');
  await day.clear();
  await day.pressSequentially('1,50');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(rate).toHaveAccessibleDescription(/whole number/);
  await expect(rate).toHaveValue('6-0');
  await expect(day).toHaveAccessibleDescription(/number of US dollars/);
  await expect(page.getByText('59 left of 60')).toBeVisible();
  await rate.fill('');
  await day.fill('');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByText('Nothing limits this key')).toBeVisible();

  await page.goto(`/${workspace}/settings`);
  await page.getByLabel('Calls in flight').fill('3');
  await page.getByLabel('US dollars a month').fill('20');
  await page.getByLabel('When a budget is used up').selectOption('warn');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('3 left of 3')).toBeVisible();
  await expect(page.getByText('warns only')).toBeVisible();
  const { limits } = await manage<{ limits: unknown }>(page, 'GET', '/workspace');
  expect(limits).toEqual({ concurrent_calls: 3, monthly_cost_usd: 20, on_budget: 'warn' });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} pages of alerts, and they fit 320 px`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    await manage(page, 'POST', '/channels', { type: 'email', name: 'ops', email: 'ops@example.com' });
    const { id } = await manage<{ id: string }>(page, 'POST', '/alerts', { name: 'cut by a rate limit', kind: 'rate_limited.after_content', channels: ['ops'] });
    await manage(page, 'POST', `/alerts/${id}/test`, undefined);
    await manage(page, 'POST', '/keys', { name: 'limited', limits: { requests_per_minute: 60, tokens_per_minute: 1_000, concurrent_calls: 4, daily_cost_usd: 1, monthly_cost_usd: 20 } });
    const { data: keys } = await manage<{ data: { id: string }[] }>(page, 'GET', '/keys');
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/alerts', '/alerts/new', `/alerts/${id}`, '/alerts/deliveries', `/keys/${keys[0]!.id}`, '/settings']) {
        await page.goto(`/${workspace}${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id: rule, nodes }) => [path, rule, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${path} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0);
        if (process.env.OHM_SHOTS) await page.screenshot({ path: `${process.env.OHM_SHOTS}/${colorScheme}-${width}${path.replaceAll('/', '_').replace(/_(alert|key)_\w+/, '_one')}.png`, fullPage: true });
      }
    }
  });
}
