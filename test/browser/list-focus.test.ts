import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const SECRETS = 80;

beforeAll(async () => {
  for (let index = 0; index < SECRETS; index++) {
    await here.make(`secret-${String(index).padStart(2, '0')}`, { token: 'x' });
  }
});

const list = () => `/namespaces/${here.namespace}`;
const FOCUSED = 'document.activeElement.textContent';

/** Scrolls the table, and waits until other rows are drawn. */
async function scrollTo(page: Page, place: 'top' | 'bottom'): Promise<void> {
  const top = place === 'top' ? '0' : 'element.scrollHeight';
  await page.evaluate(
    `{ const element = document.querySelector('.table-scroll'); element.scrollTop = ${top}; }`,
  );
  await page.getByRole('link', { name: place === 'top' ? 'secret-05' : `secret-${SECRETS - 1}` }).waitFor();
}

test('the focus stays with its row when that is scrolled out of sight and back', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.getByRole('link', { name: 'secret-02' }).focus();
  await scrollTo(page, 'bottom');
  expect(await page.evaluate(FOCUSED)).toBe('secret-02');
  await scrollTo(page, 'top');
  expect(await page.evaluate(FOCUSED)).toBe('secret-02');
  // The actions of its row, the choice of the next one, and that itself.
  for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab');
  expect(await page.evaluate(FOCUSED)).toBe('secret-03');
  await close();
});

test('coming back to the list reads it again, and everything stays where it was', async () => {
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(`${list()}?q=secret&sort=-name`);
  await page.getByText(`${SECRETS} of ${SECRETS} Secrets`).waitFor();
  await page.getByRole('link', { name: 'secret-72' }).focus();
  const scrolled = () => page.evaluate("document.querySelector('.table-scroll').scrollTop");
  const before = await scrolled();
  await here.stack.kube.patchSecret(here.namespace, 'secret-72', {
    metadata: { annotations: { 'service.io/description': 'described elsewhere' } },
  });
  const comeBack = async (ms: number) => {
    await page.clock.fastForward(ms);
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
  };
  await comeBack(60_000);
  await page.getByText('described elsewhere').waitFor();
  expect(await page.evaluate(FOCUSED)).toBe('secret-72');
  expect(await scrolled()).toBe(before);
  expect(new URL(page.url()).search).toBe('?q=secret&sort=-name');
  expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
  await close();
});

test('text of twice the size takes columns away instead of cutting what is in them', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.getByRole('columnheader', { name: 'Access' }).waitFor();
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await page.getByRole('columnheader', { name: 'Access' }).waitFor({ state: 'hidden' });
  const cut = () =>
    page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.secrets thead th, .secrets .labels, .secrets th a')]
    .filter(({ offsetParent, scrollWidth, clientWidth }) => offsetParent !== null && scrollWidth > clientWidth + 1 && clientWidth > 0)
    .map(({ textContent }) => textContent)`);
  await expect.poll(cut).toEqual([]);
  const heights = () =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('.secrets tbody tr:not(.spacer)')].map((row) => row.getBoundingClientRect().height)`,
    );
  await expect.poll(async () => new Set(await heights())).toEqual(new Set([84]));
  await close();
});
