import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { makeRoute, manage, sandboxTiers, signUp } from './person';

let workspace: string;

test.beforeEach(async ({ page }) => {
  workspace = await signUp(page, 'Savings');
  await makeRoute(page, 'answers', sandboxTiers('text:20'));
});

interface Key {
  id: string;
  key: string;
}

const keyWith = (page: Page, name: string, savers: string[], percent: number) => manage<Key>(page, 'POST', '/keys', { name, replay: { enabled: false }, savers, holdout: { percent } });

/** A conversation whose tool result is indented JSON; resolves with the call's id. */
async function ask(page: Page, key: Key, turn: number): Promise<string> {
  const json = JSON.stringify({ rows: Array.from({ length: 20 }, (_, at) => ({ at, turn })) }, null, 2);
  const answer = await page.request.post('/v1/chat/completions', {
    headers: { authorization: `Bearer ${key.key}` },
    data: {
      model: 'answers',
      messages: [
        { role: 'user', content: `Question ${turn}` },
        { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'rows', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: json },
      ],
    },
  });
  expect(answer.status()).toBe(200);
  return answer.headers()['x-ohm-request-id']!;
}

/** Calls are counted after they were answered. */
const counted = (page: Page, id: string) => expect.poll(async () => (await manage<{ tokens_after: number | null }>(page, 'GET', `/calls/${id}`)).tokens_after, { timeout: 30_000 }).not.toBeNull();

test('savers are chosen where a key is edited, the lossless ones with one button, and a hold-out with them', async ({ page }) => {
  const key = await keyWith(page, 'web', [], 0);
  await page.goto(`/${workspace}/keys/${key.id}`);
  await expect(page.getByText('none: messages are sent as they come')).toBeVisible();
  await page.getByRole('button', { name: 'Take the lossless ones' }).click();
  await expect(page.getByLabel('Text of HTML pages')).not.toBeChecked();
  await page.getByLabel('Hold-out (percent of conversations)').fill('51');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByText('Must be at most 50.')).toBeVisible();
  await page.getByLabel('Hold-out (percent of conversations)').fill('10');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByText('of conversations are sent as they come, for comparison')).toBeVisible();
  expect(await manage(page, 'GET', `/keys/${key.id}`)).toMatchObject({ savers: ['repeat-reference', 'terminal-output', 'json-compact', 'log-fold', 'blank-lines'], holdout: { percent: 10 } });
});

test('the chosen savers are tried on a pasted text before the key is saved', async ({ page }) => {
  const key = await keyWith(page, 'web', ['json-compact'], 0);
  await page.goto(`/${workspace}/keys/${key.id}`);
  await page.getByText('Try them on a text').click();
  await page.getByLabel('Text or request').fill('{\n  "a": 1\n}');
  await page.getByRole('button', { name: 'Show the effect' }).click();
  await expect(page.getByRole('region', { name: 'The text: Compact JSON, difference' })).toContainText('{"a":1}');
  expect(await manage(page, 'GET', `/keys/${key.id}`)).toMatchObject({ revision: 1 });
});

test('a rewritten call has its receipt, and the savings page sums it without claiming that it was measured', async ({ page }) => {
  const key = await keyWith(page, 'web', ['json-compact', 'blank-lines'], 0);
  const id = await ask(page, key, 1);
  await counted(page, id);
  await page.goto(`/${workspace}/calls/${id}`);
  const receipt = page.getByRole('table', { name: 'What each saver did' }).getByRole('row', { name: /Compact JSON/ });
  await expect(receipt.getByRole('cell').last()).toHaveText('no');
  await expect(page.getByText('savers worked on its conversation')).toBeVisible();
  await page.getByRole('link', { name: 'What this key saved' }).click();
  await expect(page).toHaveURL(new RegExp(`savings\\?key=${key.id}`));
  await expect(page.getByText('not_measured').first()).toBeVisible();
  await expect(page.getByText('Missing: There are fewer than two conversations in one of the arms.').first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Arms of web, text:20' }).getByRole('row', { name: /hold-out/ })).toContainText('nothing received');
  await page.getByRole('link', { name: 'Its calls, each with its receipt' }).click();
  await expect(page.getByRole('table', { name: 'Calls, newest first' }).getByRole('row')).toHaveCount(2);
});

test('with a hold-out both arms stand side by side with an interval, as an estimate until there are enough calls', async ({ page }) => {
  test.slow();
  const key = await keyWith(page, 'web', ['json-compact'], 50);
  let last = '';
  for (let turn = 0; turn < 24; turn++) last = await ask(page, key, turn);
  await counted(page, last);
  await page.goto(`/${workspace}/savings?period=week&key=${key.id}`);
  await expect(page.getByText('estimate_only').first()).toBeVisible();
  await expect(page.getByText(/95% interval/).first()).toBeVisible();
  await expect(page.getByText(/200 of each are needed/).first()).toBeVisible();
  await expect(page.getByLabel('Time')).toHaveValue('week');
  await expect(page.getByRole('table', { name: 'Answers of web, text:20 in both arms' }).getByRole('row')).toHaveCount(3);
});

test('replay stands apart, and an empty time says what to do', async ({ page }) => {
  await page.goto(`/${workspace}/savings`);
  await expect(page.getByText('No call with savers in this time')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Replay, apart from savers' })).toBeVisible();
  await expect(page.getByText('nothing was replayed')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} pages of savers, and they fit 320 px`, async ({ page }) => {
    test.slow();
    const key = await keyWith(page, 'web', ['json-compact', 'html-text'], 50);
    let last = '';
    for (let turn = 0; turn < 8; turn++) last = await ask(page, key, turn);
    await counted(page, last);
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['savings', `savings?key=${key.id}`, 'savings?model=nobody', `calls/${last}`, `keys/${key.id}`, 'keys/new']) {
        await page.goto(`/${workspace}/${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [path, id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
      }
    }
  });
}
