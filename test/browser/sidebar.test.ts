import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const MANY = Array.from({ length: 25 }, (_none, index) => `sidebar-${String(index).padStart(2, '0')}`);

beforeAll(async () => {
  for (const name of MANY) await here.stack.kube.createNamespace(name);
  await here.make('visited', { token: 'x' });
});

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Navigation' });
const order = (page: Page) =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('nav[aria-label=Navigation] a')].map((link) => link.getAttribute('href'))",
  );

test('the sidebar keeps its order when a namespace is visited, and shows the current one', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open('/');
  await navigation(page).getByRole('link', { name: here.namespace }).waitFor();
  const before = await order(page);
  await navigation(page).getByRole('link', { name: here.namespace }).click();
  await page.getByRole('link', { name: 'visited' }).waitFor();
  expect((await order(page)).filter((href) => !/\/(activity|deleted)$/.test(href))).toEqual(before);
  await open('/');
  await navigation(page).getByRole('link', { name: here.namespace }).waitFor();
  expect(await order(page)).toEqual(before);
  await close();
});

test('the views are in sight below any number of namespaces, and large text leaves most of the window to the page', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('link', { name: 'visited' }).waitFor();
  for (const name of ['Expiring', 'Activity', 'Deleted', here.namespace]) {
    const box = await navigation(page).getByRole('link', { name }).boundingBox();
    expect([name, box !== null && box.y > 0 && box.y + box.height <= 800]).toEqual([name, true]);
  }
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  const width = await page.evaluate<number>("document.getElementById('page-sidebar').offsetWidth");
  expect(width / 1280).toBeLessThan(0.25);
  await close();
});
