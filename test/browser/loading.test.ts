import { expect, test } from 'vitest';
import { MAX_DATA_BYTES } from '../../src/contract/limits.ts';
import { ADMIN } from '../harness/api-client.ts';
import { slownessOf } from './load-figures.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
/** So many are drawn without anyone scrolling to them. */
const UNPROMPTED = 300;

const LINE = 'one more line of a long value\n';
const SECRETS = {
  '300-keys': withKeys(300),
  '2000-keys': withKeys(2_000),
  megabyte: { text: LINE.repeat(Math.floor(MAX_DATA_BYTES / LINE.length)) },
};

function withKeys(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, `value ${index}`]));
}

test.each(Object.entries(SECRETS))(
  'a Secret with %s is shown and edited without a long task, and painted within a second',
  async (name, data) => {
    await here.make(name, data);
    const { page, open, close } = await here.visit(ADMIN);
    const lines = Math.min(UNPROMPTED, Object.keys(data).length);
    for (const [path, line] of [
      ['', '.value-line'],
      ['/edit', '.row-editor'],
    ]) {
      const load = async () => {
        await open(`${here.at(name)}${path}`);
        await page.waitForSelector(`${line}:nth-child(${lines})`, { state: 'attached' });
      };
      expect(await slownessOf(page, load)).toEqual({});
    }
    await close();
  },
  120_000,
);

test('what is not drawn yet is drawn when someone scrolls to it, and a new row at once', async () => {
  await here.make('scrolled', withKeys(UNPROMPTED + 50));
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${here.at('scrolled')}/edit`);
  await page.waitForSelector(`.row-editor:nth-child(${UNPROMPTED})`, { state: 'attached' });
  await page.locator('.row-actions button', { hasText: 'Add a key' }).click();
  await expect
    .poll(() =>
      page.evaluate('document.activeElement === document.querySelector(".row-editor[data-key=\'\'] input")'),
    )
    .toBe(true);
  // The new row is the last one, and the others come before it.
  await page.locator('.row-editor').last().scrollIntoViewIfNeeded();
  await page.waitForSelector(`.row-editor:nth-child(${UNPROMPTED + 51})`, { state: 'attached' });
  await page.waitForSelector('.rows > [aria-hidden]', { state: 'detached' });
  await close();
});

test('a review of many keys has those out of sight when someone scrolls to them', async () => {
  await here.make('reviewed', withKeys(UNPROMPTED + 50));
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${here.at('reviewed')}/copy#duplicate`);
  await page.getByRole('button', { name: 'Review and copy' }).click();
  const rows = page.getByRole('dialog').locator('tbody tr');
  await rows.and(page.locator('[aria-hidden]')).waitFor({ state: 'attached' });
  await rows.nth(UNPROMPTED).waitFor({ state: 'attached' });
  await rows.last().scrollIntoViewIfNeeded();
  await rows.and(page.locator('[aria-hidden]')).waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(UNPROMPTED + 50);
  await close();
});
