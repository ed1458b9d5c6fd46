import { beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { ADMIN, DEVELOPER_A, DEVELOPER_B } from '../harness/api-client.ts';
import { expectNoSidewaysScroll } from './expectations.ts';
import { content, openUserMenu, withoutCounts } from './frame-actions.ts';
import { testLooks, type Screen } from './look.ts';
import { signIn } from './profiles.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { make } = here;
const OTHERS = ['apples', 'bananas', 'cherries'];

beforeAll(async () => {
  for (const name of OTHERS) await here.stack.kube.createNamespace(name);
  await make('a-secret', { token: 'x' });
});

const list = () => `/namespaces/${here.namespace}`;
const FOCUSED = 'document.activeElement.ariaLabel ?? document.activeElement.textContent';
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Navigation' });
const search = (page: Page) => page.getByRole('textbox', { name: 'Find a namespace' });
const openSwitcher = (page: Page) => page.getByRole('button', { name: /^Switch from/ }).click();
const linksOf = (page: Page) => navigation(page).getByRole('link').allTextContents();

test('the frame and the title of the screen are there before anything is answered', async () => {
  const { page, context } = await here.visitInNewContext(ADMIN);
  await page.route('**/api/**', () => new Promise(() => undefined));
  await page.goto(`${list()}/secrets/orders/edit`, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Edit orders', level: 1 }).waitFor();
  expect(await page.title()).toBe('Edit orders · Secrets');
  await page.getByRole('button', { name: `Switch from ${here.namespace}` }).waitFor();
  await navigation(page).getByRole('link', { name: here.namespace }).waitFor();
  await content(page).getByRole('link', { name: 'orders' }).waitFor();
  await page.getByText('Still loading').waitFor();
  await context.close();
});

test('data that comes late does not take the focus from where someone has gone', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/namespaces/*/secrets/a-secret?*', async (route) => {
    await held;
    await route.continue();
  });
  await open(here.at('a-secret'));
  await openSwitcher(page);
  await search(page).fill('app');
  answer();
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('Find a namespace');
  await close();
});

test('another namespace takes one key, its beginning and Enter', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.getByRole('link', { name: 'a-secret' }).waitFor();
  await page.getByRole('button', { name: 'Your account' }).waitFor();
  await navigation(page).getByRole('link', { name: 'cherries' }).waitFor();
  await page.keyboard.press('n');
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Find a namespace');
  await page.keyboard.type('CHER');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/namespaces/cherries');
  await search(page).waitFor({ state: 'detached' });
  await close();
});

test('the switcher is walked through with arrows, and Escape leads back to its button', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await openSwitcher(page);
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Find a namespace');
  await search(page).fill('an');
  await page.getByRole('menuitem', { name: 'bananas', exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  const first = await page.evaluate<string>(FOCUSED);
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(FOCUSED)).not.toBe(first);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(FOCUSED)).toBe(`Switch from ${here.namespace}`);
  await openSwitcher(page);
  await search(page).fill('no such namespace');
  await page.getByRole('status').getByText('No matches').waitFor();
  await close();
});

test('stars come first, survive a reload, and are of one person', async () => {
  const visit = await here.visitInNewContext(DEVELOPER_A);
  const { page, context, open, close } = visit;
  await withoutCounts(page);
  await open('/');
  await navigation(page).getByRole('link', { name: 'cherries' }).waitFor();
  expect((await linksOf(page)).slice(0, 2)).toEqual(['All namespaces', 'apples']);
  await page.getByRole('button', { name: 'Choose a namespace' }).click();
  await page.getByRole('menuitem', { name: 'Star cherries' }).click();
  await expect.poll(async () => (await linksOf(page))[1]).toContain('cherries');
  await page.reload();
  await expect.poll(async () => (await linksOf(page))[1]).toContain('cherries');
  await page.getByRole('button', { name: 'Choose a namespace' }).click();
  await page.getByRole('menuitem', { name: 'Remove the star of cherries' }).waitFor();
  await signIn(context, here.stack.url, DEVELOPER_B);
  await page.reload();
  await expect.poll(async () => (await linksOf(page))[1]).toBe('apples');
  await close();
});

test('each namespace is beside the screen with the number of its Secrets, and the one of the screen is marked', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.getByRole('link', { name: 'a-secret' }).waitFor();
  await expect.poll(async () => await linksOf(page)).toContain(`${here.namespace}1 Secrets`);
  await expect.poll(async () => await linksOf(page)).toContain('apples0 Secrets');
  await navigation(page)
    .getByRole('link', { name: here.namespace })
    .and(page.locator('[aria-current=page]'))
    .waitFor();
  await close();
});

test('hundreds of namespaces neither fill the side nor the menu', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  const namespaces = Array.from({ length: 500 }, (_, index) => ({ name: `team-${index}`, canCreate: true }));
  await page.route('**/api/namespaces', (route) => route.fulfill({ json: { namespaces } }));
  await open(list());
  await navigation(page).getByRole('link', { name: 'team-7', exact: true }).waitFor();
  // With those to all namespaces, to the one of the screen, to what expires, to what happened, and to what was deleted.
  expect((await linksOf(page)).length).toBe(35);
  await openSwitcher(page);
  await page.getByText('400 more: type to narrow them down').waitFor();
  await search(page).fill('team-499');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/namespaces/team-499');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

test('the menu of the user names them, their groups and what these are for, and changes the colors', async () => {
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(list());
  await openUserMenu(page);
  await page.getByRole('paragraph').getByText(DEVELOPER_A.email).waitFor();
  const groups = page.getByRole('list', { name: 'Your groups' }).getByRole('listitem');
  await expect.poll(() => groups.allTextContents()).toEqual(DEVELOPER_A.groups);
  await page.getByText('These decide what you can see.').waitFor();
  await page.getByRole('menuitem', { name: 'Use dark colors' }).click();
  expect(await page.evaluate("document.documentElement.classList.contains('pf-v6-theme-dark')")).toBe(true);
  await openUserMenu(page);
  await page.getByRole('menuitem', { name: 'Use light colors' }).waitFor();
  await close();
});

test('a question mark shows the shortcuts, which can be turned off, and are letters in a field', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  const filter = page.getByRole('textbox', { name: 'Filter by name' });
  await filter.fill('');
  await filter.press('?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await filter.blur();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Use shortcuts of a single key').click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await search(page).count()).toBe(0);
  await close();
});

test('below 1,200 pixels the namespaces are in a drawer, which a choice, Escape or a click beside it closes', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.setViewportSize({ width: 1100, height: 800 });
  await open(list());
  const toggle = page.getByRole('button', { name: 'Show or hide the sidebar' });
  const isOpen = () => toggle.getAttribute('aria-expanded');
  expect(await isOpen()).toBe('false');
  expect(await navigation(page).count()).toBe(0);
  await toggle.click();
  await navigation(page).getByRole('link', { name: 'apples' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await isOpen()).toBe('false');
  expect(await page.evaluate(FOCUSED)).toBe('Show or hide the sidebar');
  await toggle.click();
  await navigation(page).getByRole('link', { name: 'apples' }).click();
  await page.waitForURL('**/namespaces/apples');
  await expect.poll(isOpen).toBe('false');
  await toggle.click();
  await page.mouse.click(900, 500);
  await expect.poll(isOpen).toBe('false');
  await page.setViewportSize({ width: 1200, height: 800 });
  await navigation(page).getByRole('link', { name: 'apples' }).waitFor();
  await close();
});

const LOOKS: Readonly<Record<string, Screen>> = {
  'namespace-switcher': async ({ open, page }) => {
    await open(list());
    await openSwitcher(page);
    await page.getByRole('menuitem', { name: 'apples', exact: true }).waitFor();
  },
  'user-menu': async ({ open, page }) => {
    await open(list());
    await openUserMenu(page);
    await page.getByText('These decide what you can see.').waitFor();
  },
  shortcuts: async ({ open, page }) => {
    await open(list());
    await openUserMenu(page);
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog').waitFor();
  },
};

testLooks(LOOKS, () => here.visit(DEVELOPER_A));

test('with text of twice the size, the switcher and the menu of the user stay in the window', async () => {
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(list());
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  for (const width of [1280, 640, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await expectNoSidewaysScroll(page);
    const names = [/^Show or hide/, /^Switch from/, /^Search everything/, /^Your account/];
    const buttons = names.map((name) => page.getByRole('button', { name }));
    // Where they are depends on the width, which reaches the pages a little later.
    await expect.poll(() => misplaced(buttons, width)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await close();
});

/** Of controls that come one after the other, none over another: those that do not, and what is not in the window. */
async function misplaced(controls: readonly Locator[], width: number): Promise<readonly object[]> {
  const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
  return boxes.flatMap((box, index) => {
    if (box === null) return [{ index }];
    const before = boxes[index - 1] ?? undefined;
    const isBelow = before !== undefined && box.y >= before.y + before.height;
    const from = before === undefined || isBelow ? 0 : before.x + before.width;
    return box.x >= from && box.x + box.width <= width ? [] : [{ index, from, box }];
  });
}
