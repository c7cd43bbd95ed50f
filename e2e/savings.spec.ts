import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { sample } from '../lib/savers/samples';
import { type Contact, openai, scriptedUpstream } from './harness';
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
  // Beside the form there is little room: no column is cut off all the same.
  expect(await page.getByRole('region', { name: 'Effect of each saver, table' }).evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
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
  await expect(page.getByText('not measured').first()).toBeVisible();
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
  await expect(page.getByText('estimate only').first()).toBeVisible();
  await expect(page.getByText(/95% interval/).first()).toBeVisible();
  await expect(page.getByText(/200 of each are needed/).first()).toBeVisible();
  await expect(page.getByLabel('Time')).toHaveValue('week');
  await expect(page.getByRole('table', { name: 'Answers of web, text:20 in both arms' }).getByRole('row')).toHaveCount(3);
});

test('a key that keeps rewritten texts shows them before and after on the receipt, until they are deleted or it is turned off', async ({ page }) => {
  const key = await keyWith(page, 'web', ['json-compact', 'blank-lines'], 0);
  await page.goto(`/${workspace}/keys/${key.id}`);
  await expect(page.getByText('not kept: receipts have counts only')).toBeVisible();
  await page.getByLabel('Keep rewritten texts (days)').fill('7');
  await page.getByRole('button', { name: 'Save key' }).click();
  await expect(page.getByText('kept for 7 days')).toBeVisible();
  const askAndKeep = async (turn: number) => {
    const id = await ask(page, key, turn);
    await expect.poll(async () => page.evaluate(async (path) => (await fetch(path)).status, `/api/v1/calls/${id}/texts`)).toBe(200);
    return id;
  };
  const id = await askAndKeep(1);
  await page.goto(`/${workspace}/calls/${id}`);
  const difference = page.getByRole('region', { name: 'Message 3 (tool): Compact JSON, difference' });
  await expect(difference).toContainText('"turn": 1');
  await expect(difference).toContainText('{"rows":[{"at":0,"turn":1}');
  await page.goto(`/${workspace}/keys/${key.id}`);
  await page.getByRole('button', { name: 'Delete the kept texts of web' }).click();
  await page.getByLabel('Type web to confirm').fill('web');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete kept texts' }).click();
  await expect(page.getByText('Deleted: the texts of 1 call')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.goto(`/${workspace}/calls/${id}`);
  await expect(page.getByText('Counts only: no text of this call is kept')).toBeVisible();
  await expect(difference).toBeHidden();

  const next = await askAndKeep(1);
  await page.goto(`/${workspace}/calls/${next}`);
  await expect(difference).toBeVisible();
  await manage(page, 'PATCH', `/keys/${key.id}`, { keep_texts: null }, 2);
  await page.reload();
  await expect(page.getByText('Counts only: no text of this call is kept')).toBeVisible();
  await expect(difference).toBeHidden();
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

/** A provider that counts otherwise than we do: words, numbers, runs of a sign and wide spaces. It caches what it has seen, and a note of ours it has not. */
function billed({ body }: Contact) {
  const contents = (JSON.parse(body) as { messages: { content: string }[] }).messages.map(({ content }) => content);
  const prompt = contents.reduce((sum, content) => sum + (content.match(/[a-z]+|\d+|\s{2,4}|([^\w\s])\1*/gi)?.length ?? 0) + 4, 3);
  const cached = contents.some((content) => content.includes('stands here')) ? 0 : Math.floor(prompt * 0.8);
  return openai.json(200, { ...openai.completion('ok'), usage: { prompt_tokens: prompt, completion_tokens: 2, total_tokens: prompt + 2, prompt_tokens_details: { cached_tokens: cached } } });
}

const tool = (id: string, content: string) => [{ role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }] }, { role: 'tool', tool_call_id: id, content }];

/** A rule of 70 signs is a token or two, and the note that it repeats is more: fewer bytes that cost more. */
const RULES = ['=', '-', '#'].map((sign) => `${sign.repeat(70)}\n`.repeat(3)).join('');
const LOSING = (at: number) => [{ role: 'user', content: `Question ${at}: ${sample('prose', 300)}` }, ...tool(`call_Zq81LmNx0vTtYb27KdRw${at}`, RULES), ...tool(`call_Wm40PkDs6hHcRe93JfQx${at}`, RULES)];
const WINNING = (at: number) => [{ role: 'user', content: `Question ${at} \n\n\n\nand more` }, ...tool(`call_${at}`, sample('json', 900 + ((at * 7_919) % 600)))];

/** As many conversations of one call each, eight at a time. */
async function converse(origin: string, { key }: Key, conversations: number, messages: (at: number) => object[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let at = next++; at < conversations; at = next++) {
        const answer = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'billed', messages: messages(at) }) });
        expect(answer.status).toBe(200);
        await answer.text();
      }
    }),
  );
}

interface Report {
  total: { measured_calls: number; comparison: { status: string; tokens: { saved: number }; money: { saved: number } } };
}

test('a saving and a loss are both shown as measured, with their intervals and sample sizes, and a loss to the left', async ({ page, baseURL }) => {
  test.setTimeout(300_000);
  const upstream = await scriptedUpstream(billed);
  try {
    await manage(page, 'POST', '/connections', { name: 'up', wire: 'openai', base_url: upstream.baseUrl, api_key: 'sk-scripted-upstream' });
    await makeRoute(page, 'billed', [{ connection: 'up', model: 'gpt-4o-mini' }]);
    await manage(page, 'PUT', '/prices', { connection: 'up', model: 'gpt-4o-mini', input_nano_usd_per_million_tokens: 1_000_000_000, output_nano_usd_per_million_tokens: 2_000_000_000, cached_input_nano_usd_per_million_tokens: 100_000_000 });
    const [saves, loses] = [await keyWith(page, 'saves', ['json-compact', 'blank-lines'], 50), await keyWith(page, 'loses', ['log-fold'], 50)];
    await converse(baseURL!, saves, CONVERSATIONS, WINNING);
    await converse(baseURL!, loses, CONVERSATIONS, LOSING);
    const report = (key: Key) => manage<Report>(page, 'GET', `/savings?key=${key.id}`);
    for (const key of [saves, loses]) await expect.poll(async () => (await report(key)).total.measured_calls, { timeout: 60_000 }).toBe(CONVERSATIONS);
    expect((await report(saves)).total.comparison).toMatchObject({ status: 'measured' });
    const { comparison } = (await report(loses)).total;
    expect([comparison.status, comparison.tokens.saved < 0, comparison.money.saved < 0]).toEqual(['measured', true, true]);

    await page.goto(`/${workspace}/savings?key=${saves.id}`);
    await expect(page.getByText('measured', { exact: true }).first()).toBeVisible();
    await expect(page.getByText(/^saved [\d,]+$/).first()).toBeVisible();
    for (const arm of ['treated', 'hold-out']) {
      const cells = page.getByRole('table', { name: 'Arms of saves, gpt-4o-mini' }).getByRole('row', { name: arm }).getByRole('cell');
      expect(Number(await cells.first().innerText())).toBeGreaterThanOrEqual(200);
    }

    await page.goto(`/${workspace}/savings?key=${loses.id}`);
    await expect(page.getByText('measured', { exact: true }).first()).toBeVisible();
    await expect(page.getByText(/^lost [\d,]+$/).first()).toBeVisible();
    await expect(page.getByText(/^lost \$/).first()).toBeVisible();
    await expect(page.getByText(/calls, lost [\d.]+% of billed prompt tokens/)).toBeVisible();
    await expect(page.getByText('1 saver changed something; 1 made requests longer: a loss, drawn to the left.').first()).toBeVisible();
    await expect(page.getByRole('table', { name: /Tokens and bytes by saver, loses/ }).getByRole('row', { name: /Repeated log lines/ })).toContainText(/−[\d,]+/);

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of [`savings?key=${loses.id}`, 'savings']) {
          await page.goto(`/${workspace}/${path}`);
          await expect(page.getByText('measured', { exact: true }).first()).toBeVisible();
          expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [path, id, nodes.map(({ html }) => html)])).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
        }
      }
    }
  } finally {
    await upstream.close();
  }
});

/** Half of them in each arm by chance: that one has fewer than 200 happens less than once in a million times. */
const CONVERSATIONS = 520;
