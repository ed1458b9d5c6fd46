import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { testLooks, type Screen } from './look.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { make } = here;

beforeAll(async () => {
  await here.stack.kube.createNamespace('cherries');
  const description = 'Credentials of the orders database';
  await make('orders-database', { 'db-password': 'x' }, { description });
  await make('orders', { token: 'x' });
  await here.admin.post('/api/namespaces/cherries/secrets', { name: 'billing', data: { token: 'x' } });
});

const FOCUSED = 'document.activeElement.ariaLabel';
const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' });
const options = (page: Page) => page.getByRole('option');
const openList = async (page: Page) => {
  await page.goto(`/namespaces/${here.namespace}`);
  await page.getByRole('link', { name: 'orders-database' }).waitFor();
};
const openSearch = async (page: Page) => {
  await page.keyboard.press('/');
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Search everything');
};
const activeText = (page: Page) =>
  page.evaluate<string>(
    `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''`,
  );

test('a Secret in another namespace takes three: a slash, its name, Enter', async () => {
  const { page, close } = await here.visitInNewContext(ADMIN);
  await openList(page);
  await openSearch(page);
  await page.keyboard.type('billing');
  await expect.poll(() => activeText(page)).toContain('billing');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/namespaces/cherries/secrets/billing');
  await page.getByRole('heading', { name: 'billing', level: 1 }).waitFor();
  expect(await field(page).count()).toBe(0);
  const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
  expect(JSON.parse(kept)).toEqual([expect.anything(), {}]);
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await openSearch(page);
  await page.getByRole('listbox', { name: 'Recent Secrets' }).getByText('billing').waitFor();
  await close();
});

test('what is loaded is found while the service is silent, and the rest once it answers', async () => {
  const { page, close } = await here.visit(ADMIN);
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const queries: string[] = [];
  await page.route('**/api/search?*', async (route) => {
    queries.push(new URL(route.request().url()).searchParams.get('q') ?? '');
    await held;
    await route.continue().catch(() => undefined); // given up by the page
  });
  await openList(page);
  await page.getByRole('textbox', { name: 'Filter by name' }).focus();
  await page.keyboard.press('Control+k');
  await field(page).pressSequentially('token', { delay: 5 });
  await expect.poll(() => options(page).allTextContents()).toEqual([expect.stringContaining('token')]);
  await page.getByRole('status').getByText('Searching all namespaces').waitFor();
  answer();
  await page.getByRole('listbox', { name: 'Keys' }).getByText('in billing, cherries').waitFor();
  expect(queries.at(-1)).toBe('token');
  expect(queries.length).toBeLessThan('token'.length);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

test('arrows choose, the right one shows the actions of a result, and Escape leads back step by step', async () => {
  const { page, close } = await here.visit(ADMIN);
  await openList(page);
  const filter = page.getByRole('textbox', { name: 'Filter by name' });
  await filter.focus();
  await page.keyboard.press('Control+k');
  await field(page).fill('orders');
  await expect.poll(() => options(page).count()).toBe(2);
  expect(await activeText(page)).toContain('orders');
  await page.keyboard.press('ArrowDown');
  expect(await activeText(page)).toContain('orders-database');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('listbox', { name: 'Actions for orders-database' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox', { name: 'Secrets' }).waitFor();
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  expect(await page.evaluate(FOCUSED)).toContain('Filter by name');
  await close();
});

test('the actions of a result are there for the pointer, too', async () => {
  const { page, close } = await here.visit(ADMIN);
  await openList(page);
  await openSearch(page);
  await field(page).fill('orders-database');
  await options(page).first().locator('.search-more').click();
  await options(page).getByText('History').click();
  await page.waitForURL('**/orders-database/history');
  await close();
});

test('an answer that is missing, cut or leaves out namespaces is said calmly', async () => {
  const { page, close } = await here.visit(ADMIN);
  await openList(page);
  await openSearch(page);
  const answerWith = async (status: number, json: object) => {
    await page.unrouteAll();
    await page.route('**/api/search?*', (route) => route.fulfill({ status, json }));
  };
  await answerWith(503, { error: 'Not now' });
  await field(page).fill('orders');
  await page.getByText('Only what this tab has loaded was searched').waitFor();
  expect(await options(page).count()).toBe(2);
  await answerWith(200, { results: [], more: true, skipped: ['broken-rules'] });
  await field(page).fill('orders d');
  await page.getByText('There are more').waitFor();
  await page.getByText('Not searched right now: broken-rules.').waitFor();
  await page.unrouteAll();
  await close();
});

test('a list without a match, and a Secret that is not found, lead to the search', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await openList(page);
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('billing');
  await page.getByRole('button', { name: 'Search all namespaces' }).click();
  await expect.poll(() => activeText(page)).toContain('billing');
  await open(here.at('billing'));
  await page.getByRole('button', { name: 'Search for billing' }).click();
  await expect.poll(() => activeText(page)).toContain('billing');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/namespaces/cherries/secrets/billing');
  await close();
});

const LOOKS: Readonly<Record<string, Screen>> = {
  search: async ({ page }) => {
    await openList(page);
    await openSearch(page);
    await field(page).fill('orders');
    await page.getByText('2 results').waitFor();
  },
  'search-start': async ({ page }) => {
    await openList(page);
    await openSearch(page);
    await options(page).first().waitFor();
  },
};

testLooks(LOOKS, () => here.visit(ADMIN));
