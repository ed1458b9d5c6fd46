import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeCertificate } from '../fakes/certificate.ts';
import { ADMIN } from '../harness/api-client.ts';
import { deleteArchived } from './delete-archived.ts';
import { openReadingFixture } from './reading-fixture.ts';

const { here, at, withVersions } = openReadingFixture();
const WIDTHS = [700, 768, 860, 1024, 1200, 1440];

beforeAll(async () => {
  await withVersions('imported-environment', [{ token: 'one' }, { token: 'two' }]);
  await here.make('deleted-environment', { token: 'one' });
  await deleteArchived(here.admin, here.namespace, 'deleted-environment');
  const { cert, key } = makeCertificate('orders.example.com', {
    validFrom: -90 * 86_400,
    validTo: -14 * 86_400,
  });
  const data = { 'tls.crt': cert, 'tls.key': key };
  await here.make('expired-tls', data, { type: 'kubernetes.io/tls' });
});

/** The texts that are broken into more lines, of a table's cells or of what is selected in them. */
const brokenTexts = (page: Page, lines: number, selector = '') =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('main tbody :is(td, th) ${selector}')].flatMap((cell) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      range.selectNodeContents(text);
      if (new Set([...range.getClientRects()].map(({ y }) => Math.round(y))).size > ${lines}) found.push(text.data);
    }
    return found;
  })`);

/** The words that are broken within; a hyphen ends one. */
const brokenWords = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const range = document.createRange();
    const texts = document.createTreeWalker(document.getElementById('main'), NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ y }) => Math.round(y))).size > 1) found.push(word);
      }
    }
    return found;
  })()`);

const sidewaysScroll = (page: Page) =>
  page.evaluate<number>(
    `document.getElementById('main').scrollWidth - document.getElementById('main').clientWidth`,
  );

test.each([
  ['history', () => `${at('imported-environment')}/history`],
  ['deleted Secrets', () => `/namespaces/${here.namespace}/deleted`],
  ['activity', () => `/namespaces/${here.namespace}/activity`],
])(
  'no name or email of the %s is broken into letters, and no time at all, however wide the window is',
  async (_name, path) => {
    const { page, open, close } = await here.visit(ADMIN);
    await open(path());
    await page.getByText('admin@example.com').first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await brokenTexts(page, 2)]).toEqual([width, []]);
      expect([width, await brokenTexts(page, 1, 'time')]).toEqual([width, []]);
      expect([width, await sidewaysScroll(page)]).toEqual([width, 0]);
    }
    await close();
  },
);

test('no word of a history is broken, nor of a comparison in it, however wide the window is', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('imported-environment')}/history`);
  await page.getByRole('button', { name: 'View version 2' }).click();
  await page.getByText('The only key differs.').waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await brokenWords(page)]).toEqual([width, []]);
  }
  await close();
});

test('what is said of an expired certificate in a list is not cut, and said once', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  const label = page.getByRole('row', { name: /expired-tls/ }).getByText('expired 14 days ago');
  await label.waitFor();
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await label.evaluate((element) => {
      const { scrollWidth, clientWidth } = element as unknown as Record<
        'scrollWidth' | 'clientWidth',
        number
      >;
      return scrollWidth - clientWidth;
    });
    expect([width, cut]).toEqual([width, 0]);
  }
  expect(await page.getByText('14 days ago').count()).toBe(1);
  await close();
});

test('selecting a row moves no other', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  const row = page.getByRole('row', { name: /imported-environment/ });
  const box = page.getByRole('checkbox', { name: 'Select imported-environment' });
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(`innerWidth === ${width}`);
    await box.uncheck();
    const top = (await row.boundingBox())?.y;
    await box.check();
    await page.getByText('1 selected').waitFor();
    expect([width, (await row.boundingBox())?.y]).toEqual([width, top]);
  }
  await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
  await close();
});

test.each([
  ['list', '', 'a[href$="/create"]'],
  ['activity', '/activity', 'button'],
  ['deleted Secrets', '/deleted', 'button'],
])('in a narrow window the button of the %s stands beside the title', async (_name, path, button) => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(`/namespaces/${here.namespace}${path}`);
  const box = await page.locator(`.screen-title > ${button}`).boundingBox();
  const title = await page.getByRole('heading', { level: 1 }).boundingBox();
  const middle = (box?.y ?? 0) + (box?.height ?? 0) / 2;
  expect(middle).toBeGreaterThan(title?.y ?? Infinity);
  expect(middle).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
  await close();
});
