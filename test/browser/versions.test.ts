import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { openReadingFixture } from './reading-fixture.ts';

const { here, at, change, withVersions } = openReadingFixture();

test('a line of the history says who changed which keys, and when', async () => {
  await withVersions('line', [
    { password: 'one', host: 'x' },
    { password: 'two', host: 'x' },
  ]);
  await change('line', { password: 'two', 'replica-url': 'y' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('line'));
  await page.getByRole('tab', { name: 'History' }).click();
  const row = (version: RegExp) => page.getByRole('row', { name: version });
  await row(/^View version 3 live admin@example.com just now \+ replica-url, − host/).waitFor();
  await row(/^View version 2 admin@example.com just now password changed/).waitFor();
  await row(/^View version 1 admin@example.com just now the oldest version here/).waitFor();
  const keys = page.getByRole('table', { name: 'Keys' });
  await keys
    .getByRole('row', { name: /^replica-url added in version 3 admin@example.com just now/ })
    .waitFor();
  await keys.getByRole('row', { name: /^host removed in version 3 / }).waitFor();
  await keys
    .getByRole('row', { name: /^password changed in version 2 / })
    .getByRole('link', { name: 'version 2' })
    .click();
  await page.getByRole('region', { name: 'Version 2, compared with Version 1' }).waitFor();
  await expect
    .poll(() => page.evaluate('document.activeElement.ariaLabel'))
    .toBe('Version 2, compared with Version 1');
  await close();
});

test('a version is viewed under an address of its own, masked', async () => {
  await withVersions('viewed', [{ token: 'old' }, { token: 'new' }]);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('viewed')}/history`);
  await page.getByRole('button', { name: 'View version 1' }).click();
  const view = page.getByRole('region', { name: 'Version 1' });
  await view.getByRole('button', { name: 'Reveal token' }).waitFor();
  expect(await page.getByText('old', { exact: true }).count()).toBe(0);
  expect(new URL(page.url()).search).toBe('?view=1');
  await page.reload();
  await view.getByRole('button', { name: 'Reveal token' }).click();
  expect(await page.getByLabel('Value of token').textContent()).toBe('old');
  await page.getByRole('button', { name: 'View version 1' }).click();
  await view.waitFor({ state: 'detached' });
  await open(`${at('viewed')}/history?view=7`);
  await page.getByText('Version 7 is no longer kept').waitFor();
  await close();
});

test('a version opens in its row, in sight and with the focus, and says what it changed', async () => {
  const states = Array.from({ length: 12 }, (_none, index) => ({ token: `value ${index}`, other: 'x' }));
  await withVersions('opened', states);
  const { page, open, close } = await here.visit(ADMIN);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(`${at('opened')}/history`);
  const panel = page.getByRole('region', { name: 'Version 4, compared with Version 3' });
  const isInSight = async () => {
    const box = await panel.boundingBox();
    return box !== null && box.y >= 0 && box.y + Math.min(box.height, 600) <= 740;
  };
  const isFocused = () =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.tagName');
  const toggle = page.getByRole('button', { name: 'View version 4' });
  await toggle.click();
  await panel.getByRole('row', { name: /^token changed/ }).waitFor();
  expect(await panel.getByText('1 of 2 keys differ.').count()).toBe(1);
  await expect.poll(isInSight).toBe(true);
  expect(await isFocused()).toBe('Version 4, compared with Version 3');
  expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  await panel.getByRole('button', { name: 'Reveal token (Version 3)' }).click();
  await panel.getByText('value 2', { exact: true }).waitFor();
  await page.reload();
  await panel.getByRole('row', { name: /^token changed/ }).waitFor();
  await expect.poll(isInSight).toBe(true);
  await expect.poll(isFocused).toBe('Version 4, compared with Version 3');
  await panel.getByLabel('Compare with').selectOption('live');
  const other = page.getByRole('region', { name: 'Version 4, compared with Live' });
  await other.getByRole('button', { name: 'Reveal token (Live)' }).waitFor();
  expect(new URL(page.url()).search).toBe('?compare=4-live');
  await other.getByRole('button', { name: 'View all keys' }).click();
  await page.getByRole('region', { name: 'Version 4', exact: true }).getByText('other').waitFor();
  await close();
});

test('a version that is gone is said to be gone, and how many are kept', async () => {
  await withVersions(
    'many',
    Array.from({ length: 12 }, (_none, index) => ({ token: `value ${index}` })),
  );
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('many')}/history?compare=1-live`);
  await page
    .locator('[aria-live]')
    .getByRole('heading', { level: 2, name: 'Version 1 is no longer kept' })
    .waitFor();
  await page.getByText('10 earlier versions kept; older ones were removed.').waitFor();
  expect(await page.getByText('Both versions have the same values.').count()).toBe(0);
  await close();
});

test('two versions of a long value are compared line by line, and so is a restore', async () => {
  const text = (line: string) => ({ 'app.conf': `first\n${line}\nlast\n` });
  await withVersions('compared', [text('before'), text('after')]);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('compared')}/history`);
  await page.getByRole('button', { name: 'View version 1' }).click();
  await page.getByLabel('Compare with').selectOption('live');
  await page.waitForURL(/\?compare=1-live$/);
  const show = page.getByRole('button', { name: 'Show the lines of app.conf that differ' });
  await show.click();
  const lines = page.getByRole('group', { name: 'Lines of app.conf that differ' });
  await lines.waitFor();
  await expect
    .poll(() => lines.locator('.diff-line').allTextContents())
    .toEqual([' first', '−removed before', '+added after', ' last']);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Show the lines of app.conf that differ' }).click();
  await dialog.getByText('added before').waitFor();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is restored as version 3.').waitFor();
  expect((await here.stored('compared')).get('app.conf')).toBe('first\nbefore\nlast\n');
  await close();
});
