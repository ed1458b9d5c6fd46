import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

beforeAll(async () => {
  await make('printed', { token: 'stays masked', url: 'is revealed' }, { description: 'What it is for' });
  for (let index = 10; index < 40; index++) await make(`secret-${index}`, { token: 'x' });
});

/** What one can press on paper. */
const controls = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('button, input, select, a.pf-v6-c-button')]
    .filter((element) => element.checkVisibility() && element.offsetWidth > 1)
    .map((element) => element.ariaLabel ?? element.textContent ?? element.name)`);

test('a Secret is printed with what is on the screen, without buttons, and with its values as masked as they are', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('printed'));
  await page.getByRole('button', { name: 'Reveal url' }).click();
  await page.getByText('is revealed').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await controls(page)).toEqual([]);
  for (const text of ['What it is for', 'is revealed', 'token']) {
    expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
  }
  expect(await page.getByText('••••••••').count()).toBe(1);
  expect(await page.content()).not.toContain('stays masked');
  await page.emulateMedia({ media: null });
  expect(await page.getByRole('link', { name: 'Edit' }).isVisible()).toBe(true);
  await close();
});

test('a list is printed beyond the window, and its versions keep their numbers', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('link', { name: 'secret-12' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  // Of the headings that sort.
  await expect.poll(() => controls(page)).toEqual(['Name', 'Type', 'Keys', 'Changed']);
  const cut = `[...document.querySelectorAll('.frame, .frame main, .table-scroll')]
    .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1).length`;
  expect(await page.evaluate(cut)).toBe(0);
  await page.emulateMedia({ media: null });
  const { secret } = (await here.admin.get(`/api${at('printed')}`)).json as {
    secret: { resourceVersion: string };
  };
  const change = { resourceVersion: secret.resourceVersion, set: { token: 'other' } };
  expect((await here.admin.patch(`/api${at('printed')}`, change)).status).toBe(200);
  await open(`${at('printed')}/history`);
  await page.getByRole('button', { name: 'View version 1' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await controls(page)).toEqual(['View version 2', 'View version 1']);
  await page.emulateMedia({ media: null });
  await close();
});
