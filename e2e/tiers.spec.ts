import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { makeRoute, manage, sandboxTiers, signUp } from './person';

const MODELS = ['text:1', 'text:2', 'text:3', 'text:4'];

const order = (page: Page) => page.getByLabel('Model', { exact: true }).evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
const handle = (page: Page, position: number) => page.getByRole('button', { name: new RegExp(`^Move tier ${position}, [^ ]+ on sandbox$`) });
const save = (page: Page) => page.getByRole('button', { name: /^Save as revision/ });
const moved = (list: string[], from: number, to: number) => {
  const rest = list.filter((_, index) => index !== from);
  rest.splice(to, 0, list[from]!);
  return rest;
};

let workspace: string;
let route: { id: string; revision: number };

test.beforeEach(async ({ page }) => {
  workspace = await signUp(page, 'Tiers');
  route = await makeRoute(page, 'chat', sandboxTiers(...MODELS));
  await page.goto(`/${workspace}/routes/${route.id}`);
  await expect(handle(page, 1)).toBeVisible();
});

/** Saves and reads the page again: what it then shows is what is stored. */
async function expectSaved(page: Page, expected: string[]) {
  await save(page).click();
  await expect(page.getByText(`Revision ${route.revision + 1} is in force.`)).toBeVisible();
  await page.reload();
  await expect.poll(() => order(page)).toEqual(expected);
}

async function dragByKeyboard(page: Page, from: number, to: number) {
  await handle(page, from + 1).focus();
  await page.keyboard.press('Space');
  const live = page.locator('[id^="DndLiveRegion"]');
  // "Picked up" is said before the places are measured, and an arrow key in between moves nothing: the next sentence says where the tier is.
  await expect(live).toContainText(`is over position ${from + 1} of ${MODELS.length}`);
  // The sensor listens for the next key from a timer that it sets at the pick-up; one set now runs after it.
  await page.evaluate(() => new Promise((resume) => setTimeout(resume)));
  const step = Math.sign(to - from);
  for (let at = from; at !== to; at += step) {
    await page.keyboard.press(step > 0 ? 'ArrowDown' : 'ArrowUp');
    await expect(live).toContainText(`is over position ${at + step + 1} of ${MODELS.length}`);
  }
  await page.keyboard.press('Space');
  await expect(live).toContainText(`put down at position ${to + 1} of ${MODELS.length}`);
}

test('a tier dragged by the keyboard stays where it was put, after a reload too, and keeps the focus', async ({ page }) => {
  await dragByKeyboard(page, 0, 2);
  expect(await order(page)).toEqual(moved(MODELS, 0, 2));
  await expect(handle(page, 3)).toBeFocused();
  await expectSaved(page, moved(MODELS, 0, 2));
});

test('every place is reached from every place by keyboard drag', async ({ page }) => {
  let now = MODELS;
  for (const from of MODELS.keys()) {
    for (const to of MODELS.keys()) {
      await dragByKeyboard(page, from, to);
      now = moved(now, from, to);
      await expect.poll(() => order(page)).toEqual(now);
    }
  }
});

test('every place is reached from every place by the position select', async ({ page }) => {
  let now = MODELS;
  for (const from of MODELS.keys()) {
    for (const to of MODELS.keys()) {
      const select = page.getByRole('combobox', { name: new RegExp(`^Position of tier ${from + 1},`) });
      await select.selectOption({ label: `${to + 1} of ${MODELS.length}` });
      now = moved(now, from, to);
      await expect.poll(() => order(page)).toEqual(now);
    }
  }
  await page.getByRole('combobox', { name: /^Position of tier 1,/ }).selectOption({ label: '4 of 4' });
  await expectSaved(page, moved(now, 0, 3));
});

test('the buttons move a tier by one, say where it is, and keep the focus to the end of the list', async ({ page }) => {
  const down = page.getByRole('button', { name: /^Move tier \d, text:1 on sandbox down$/ });
  await down.focus();
  for (const position of [2, 3, 4]) {
    await page.keyboard.press('Enter');
    await expect(page.getByText(`text:1 on sandbox moved to position ${position} of 4.`)).toBeAttached();
    await expect(down).toBeFocused();
  }
  await page.keyboard.press('Enter'); // at the end it does nothing
  expect(await order(page)).toEqual(moved(MODELS, 0, 3));
  await page.getByRole('button', { name: /^Move tier 4, text:1 on sandbox up$/ }).click();
  await expectSaved(page, moved(MODELS, 0, 2));
});

test('a pointer drags a lower tier above a higher one', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1600 }); // both handles in sight
  const [from, to] = [await handle(page, 4).boundingBox(), await handle(page, 2).boundingBox()];
  await page.mouse.move(from!.x + 10, from!.y + 10);
  await page.mouse.down();
  await page.mouse.move(from!.x + 10, from!.y - 20, { steps: 5 });
  await page.mouse.move(to!.x + 10, to!.y + 10, { steps: 10 });
  await expect(page.locator('[id^="DndLiveRegion"]')).toContainText('is over position 2 of 4');
  await page.mouse.up();
  await expect.poll(() => order(page)).toEqual(moved(MODELS, 3, 1));
});

test('a stale edit saves nothing, shows both versions, and lets one take theirs', async ({ page }) => {
  await manage(page, 'PATCH', `/routes/${route.id}`, { tiers: sandboxTiers('text:9') }, route.revision);
  await page.getByRole('button', { name: /^Move tier 1, .* down$/ }).click();
  await save(page).click();
  const notice = page.getByTestId('stale');
  await expect(notice).toContainText('Nothing was saved.');
  await expect(save(page)).toHaveCount(0); // nothing is offered as the next revision until one of the two is chosen
  await expect(notice.getByRole('row', { name: /Tier 1/ })).toContainText('text:9 on sandbox');
  await expect(notice.getByRole('row', { name: /Tier 1/ })).toContainText('text:2 on sandbox');
  await expect(page.getByRole('listitem').filter({ hasText: 'in force' })).toHaveText(/^Revision 2/); // in the history, too
  expect(await order(page)).toEqual(moved(MODELS, 0, 1));
  await notice.getByRole('button', { name: 'Take revision 2, drop my changes' }).click();
  await expect.poll(() => order(page)).toEqual(['text:9']);
});

test('a stale edit can overwrite the other one, knowingly, and history brings it back', async ({ page }) => {
  await manage(page, 'PATCH', `/routes/${route.id}`, { tiers: sandboxTiers('text:9') }, route.revision);
  await page.getByRole('button', { name: /^Move tier 1, .* down$/ }).click();
  await save(page).click();
  await page.getByRole('button', { name: 'Overwrite revision 2 with mine' }).click();
  await expect(page.getByText('Revision 3 is in force.')).toBeVisible();
  expect(await order(page)).toEqual(moved(MODELS, 0, 1));
  await page.getByRole('button', { name: 'Restore revision 2' }).click();
  await expect(page.getByText('Revision 4 is in force.')).toBeVisible();
  expect(await order(page)).toEqual(['text:9']);
});

test('an edit outlives the session that it was begun in', async ({ page, context }) => {
  await page.getByRole('button', { name: /^Move tier 1, .* down$/ }).click();
  await page.getByRole('button', { name: 'Add tier 5' }).scrollIntoViewIfNeeded();
  const cookies = await context.cookies();
  await context.clearCookies(); // as when another tab signs out
  await save(page).click();
  const notice = page.getByRole('alert').filter({ hasText: 'You are signed out.' });
  await expect(notice).toContainText('what you typed is still here');
  await expect(notice).toBeInViewport();
  expect(await order(page)).toEqual(moved(MODELS, 0, 1));
  const opened = page.waitForEvent('popup');
  await notice.getByRole('link', { name: 'Sign in in a new tab' }).click();
  await expect((await opened).getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await context.addCookies(cookies);
  await expectSaved(page, moved(MODELS, 0, 1));
});

test('what the API would refuse is said beside the field before anything is sent', async ({ page }) => {
  const models = page.getByLabel('Model', { exact: true });
  await models.nth(1).fill('text:1');
  await expect(page.getByText('Tier 1 is the same model on the same connection.')).toBeVisible();
  await models.nth(1).fill('');
  await save(page).click();
  await expect(page.getByText('Not saved: one field needs another look.')).toBeVisible();
  await expect(models.nth(1)).toBeFocused();
  await page.reload();
  await expect.poll(() => order(page)).toEqual(MODELS);
});

test('leaving with changes asks first', async ({ page }) => {
  await page.getByRole('button', { name: /^Move tier 1, .* down$/ }).click();
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Its calls' }).click();
  await expect.poll(() => questions).toEqual([expect.stringContaining('not saved')]);
  expect(new URL(page.url()).pathname).toBe(`/${workspace}/routes/${route.id}`);
});

test('a test with the first tier failing shows the second one answering', async ({ page }) => {
  await page.getByRole('button', { name: 'Test with tier 1 failing' }).click();
  await expect(page.getByText('Tier 2 answered in full')).toBeVisible();
  await expect(page.getByRole('img', { name: /Tier 2 \(text:2 on sandbox\) committed/ })).toBeVisible();
});

test('a new route is made from the empty form', async ({ page }) => {
  await page.goto(`/${workspace}/routes/new`);
  await page.getByLabel('Name', { exact: true }).fill('second');
  await page.getByLabel('Model', { exact: true }).fill('text:5');
  await page.getByRole('button', { name: 'Make route' }).click();
  await expect(page).toHaveURL(new RegExp(`/${workspace}/routes/route_`));
  await expect(page.getByText('Revision 1 is in force.')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} editor, and it fits 320 px`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of [`routes/${route.id}`, 'routes', 'routes/new']) {
        await page.goto(`/${workspace}/${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.locator('main details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
      }
    }
  });
}
