import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import { startCounting } from './clicks.ts';
import { content, homeIsRead } from './frame-actions.ts';
import { testLooks, type Screen } from './look.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString();

beforeAll(async () => {
  await here.make('first', { token: 'x' }, { expiresAt: inDays(-3.5) });
  await here.make('last', { token: 'x' }, { rotateEvery: '5d' });
  const path = `/api/namespaces/${here.namespace}/secrets/first`;
  const { secret } = (await here.admin.get(path)).json as { secret: { resourceVersion: string } };
  await here.admin.patch(path, { resourceVersion: secret.resourceVersion, set: { token: 'y' } });
});

const part = (page: Page, name: string) => content(page).getByRole('region', { name });
const item = (page: Page, name: string, secret: string) =>
  part(page, name)
    .getByRole('listitem')
    .filter({ hasText: `${secret} in ${here.namespace}` });
const opened: Screen = async ({ open, page }) => {
  await open('/');
  await item(page, 'Lately', 'first').waitFor();
  await item(page, 'Needs attention', 'first').waitFor();
};

test('home says what needs attention, the most urgent first', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open('/');
  await item(page, 'Needs attention', 'first').getByText('expired 3 days ago').waitFor();
  await item(page, 'Needs attention', 'last').getByText('rotation due in 4 days').waitFor();
  const names = await part(page, 'Needs attention').getByRole('listitem').allTextContents();
  expect(names.findIndex((name) => name.startsWith('first'))).toBeLessThan(
    names.findIndex((name) => name.startsWith('last')),
  );
  await close();
});

test('who changed what last is seen with two clicks', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  const { click, count } = startCounting();
  await open(`/namespaces/${here.namespace}`);
  await click(content(page).getByRole('link', { name: 'Namespaces' }));
  await item(page, 'Lately', 'last')
    .getByText(/created .* by admin@example.com/)
    .waitFor();
  await item(page, 'Lately', 'first')
    .getByText(/changed .* by admin@example.com/)
    .waitFor();
  await click(item(page, 'Lately', 'first').getByRole('link', { name: 'first' }));
  await page.waitForURL('**/secrets/first/history');
  await page.getByText('token changed').first().waitFor();
  expect(count()).toBe(2);
  await close();
});

test('home leads back to what was opened last', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open('/');
  await item(page, 'Lately', 'first').waitFor();
  expect(await part(page, 'Recently opened').count()).toBe(0);
  for (const name of ['first', 'last']) {
    await open(`/namespaces/${here.namespace}/secrets/${name}`);
    await content(page).getByText('token', { exact: true }).waitFor();
  }
  await open('/');
  await item(page, 'Recently opened', 'last').waitFor();
  const names = await part(page, 'Recently opened').getByRole('link').allTextContents();
  expect(names).toEqual(['last', 'first']);
  await homeIsRead(page);
  await part(page, 'Recently opened').getByRole('link', { name: 'first' }).click();
  await page.waitForURL('**/secrets/first');
  await close();
});

test('a star on the page of a Secret brings it to the top of home, two clicks away', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  const { click, count } = startCounting();
  await open(`/namespaces/${here.namespace}/secrets/first`);
  const star = (name: string) => content(page).getByRole('button', { name, exact: true });
  expect(await star('Star first').getAttribute('aria-pressed')).toBe('false');
  await star('Star first').click();
  await star('Unstar first').waitFor();
  expect(await star('Unstar first').getAttribute('aria-pressed')).toBe('true');
  await click(content(page).getByRole('link', { name: 'Namespaces' }));
  await homeIsRead(page);
  await click(item(page, 'Starred', 'first').getByRole('link', { name: 'first' }));
  await page.waitForURL('**/secrets/first');
  expect(count()).toBe(2);
  await star('Unstar first').waitFor();
  await page.reload();
  await star('Unstar first').click();
  await star('Star first').waitFor();
  await open('/');
  await item(page, 'Recently opened', 'first').waitFor();
  expect(await part(page, 'Starred').count()).toBe(0);
  await close();
});

test('the star of a Secret that is gone can be taken away at home', async () => {
  await here.make('leaves', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/secrets/leaves`);
  await content(page).getByRole('button', { name: 'Star leaves', exact: true }).click();
  await here.stack.kube.deleteSecret(here.namespace, 'leaves');
  await open('/');
  await homeIsRead(page);
  await item(page, 'Starred', 'leaves').getByRole('button', { name: 'Unstar leaves', exact: true }).click();
  await item(page, 'Recently opened', 'leaves').waitFor();
  expect(await part(page, 'Starred').count()).toBe(0);
  await close();
});

test('home does not say that nothing expires where not every namespace could be read', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.route('**/api/expiring?*', (route) => route.fulfill({ json: { items: [], more: true } }));
  await open('/');
  await part(page, 'Needs attention').getByText('Not every namespace could.').waitFor();
  await close();
});

test('a row of a list has the star, too, and home lists what has one above what was opened, and once', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  for (const name of ['first', 'last']) {
    await open(`/namespaces/${here.namespace}/secrets/${name}`);
    await content(page).getByText('token', { exact: true }).waitFor();
  }
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('button', { name: 'Actions for last' }).click();
  await page.getByRole('menuitem', { name: 'Star last', exact: true }).click();
  await page.getByText('last is starred.').waitFor();
  await page.getByRole('button', { name: 'Actions for last' }).click();
  await page.getByRole('menuitem', { name: 'Unstar last', exact: true }).waitFor();
  await open('/');
  await item(page, 'Starred', 'last').waitFor();
  const titles = await content(page).getByRole('heading', { level: 2 }).allTextContents();
  expect(titles.indexOf('Starred')).toBe(titles.indexOf('Recently opened') - 1);
  expect(await part(page, 'Recently opened').getByRole('link').allTextContents()).toEqual(['first']);
  await close();
});

test('a namespace and its activity are links with names of their own', async () => {
  const { page, close, ...visit } = await here.visit(ADMIN);
  await opened({ page, close, ...visit });
  const links = part(page, 'Lately').getByRole('link', { name: `Activity of ${here.namespace}` });
  await links.click();
  await page.waitForURL(`**/namespaces/${here.namespace}/activity`);
  await close();
});

test('a part that fails leaves the others, and one without anything says what to do', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.route('**/api/expiring?*', (route) =>
    route.fulfill({ status: 503, json: { error: 'Not now' } }),
  );
  await open('/');
  await part(page, 'Needs attention').getByText('Not now').waitFor();
  await item(page, 'Lately', 'first').waitFor();
  await page.route('**/api/expiring?*', (route) => route.fulfill({ json: { items: [], more: false } }));
  await page.reload();
  await part(page, 'Needs attention').getByText('Edit a Secret to be reminded of it').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

test('of namespaces only those where one cannot create are marked', async () => {
  await here.stack.kube.createNamespace('closed');
  await here.stack.kube.setPolicy('closed', {
    allowedUsers: '["no-one@example.com"]',
    readerUsers: `["${DEVELOPER_A.email}"]`,
  });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  const marked = content(page).getByRole('list', { name: 'Namespaces' }).getByRole('listitem');
  await expect
    .poll(async () => {
      await open('/');
      await marked.first().waitFor();
      return marked.filter({ hasText: 'read only' }).allTextContents();
    })
    .toEqual([expect.stringContaining('closed')]);
  await close();
});

testLooks({ home: opened }, () => here.visit(ADMIN));
