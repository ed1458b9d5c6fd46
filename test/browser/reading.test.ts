import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible } from './expectations.ts';
import { base64, openReadingFixture } from './reading-fixture.ts';

const { here, at, change, withVersions } = openReadingFixture();

/** The paths below a Secret that were requested. */
function requestedPaths(page: Page, name: string): readonly string[] {
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(`/api${at(name)}`)) requested.push(pathname.slice(`/api${at(name)}`.length));
  });
  return requested;
}

describe('a revealed value', () => {
  test('that is JSON is laid out without a change of its numbers, keys or their order', async () => {
    const stored = '{"id":12345678901234567890,"x":1.10,"1":0,"b":2,"b":3}';
    await withVersions('numbers', [{ 'a.json': stored }]);
    const { page, open, close } = await here.visit(ADMIN);
    await open(at('numbers'));
    await page.getByRole('button', { name: 'Reveal a.json' }).click();
    await page.getByRole('button', { name: 'Show as formatted JSON' }).click();
    const shown = page.getByLabel('Value of a.json');
    expect((await shown.textContent())?.replaceAll(/\s/g, '')).toBe(stored);
    expect(await shown.textContent()).toContain('\n  "x": 1.10,\n  "1": 0,\n');
    await page.getByRole('button', { name: 'Show as it is stored' }).click();
    expect(await shown.textContent()).toBe(stored);
    await close();
  });

  test('has symbols for what cannot be seen, and is copied without them', async () => {
    const odd = '\uFEFFa\u00A0b \r\n\u200Bc\n';
    await withVersions('odd', [{ odd, plain: 'plain' }]);
    const { page, context, open, close } = await here.visitInNewContext(ADMIN);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(at('odd'));
    await page.getByRole('button', { name: 'Reveal odd' }).click();
    const facts = page.getByRole('listitem').filter({ hasText: 'odd' }).locator('.value-kind');
    const shown = page.getByLabel('Value of odd');
    await shown.waitFor();
    expect(await facts.textContent()).toBe(
      '2 lines, begins with a BOM, has lines that end in white space, has no-break spaces, ' +
        'has zero-width characters, ends with a line break, has mixed line endings',
    );
    expect(await shown.textContent()).toBe(odd);
    const symbols = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('.unseen'), (element) => element.dataset.symbol)`,
    );
    expect(symbols).toEqual(['BOM', 'NBSP', '·', 'CR', 'U+200B', '↵']);
    await page.getByRole('button', { name: 'Copy odd' }).click();
    await page.getByText('odd is copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(odd);
    await page.getByRole('button', { name: 'Reveal plain' }).click();
    expect(await page.getByLabel('Value of plain').locator('.unseen').count()).toBe(0);
    await close();
  });

  test('that is empty looks unlike the value "(empty)"', async () => {
    await withVersions('emptiness', [{ nothing: '', words: '(empty)' }]);
    const { page, open, close } = await here.visit(ADMIN);
    await open(at('emptiness'));
    await page.getByRole('button', { name: 'Reveal words' }).click();
    await page.getByRole('button', { name: 'Reveal nothing' }).click();
    expect(await page.getByLabel('Value of words').textContent()).toBe('(empty)');
    await expect.poll(() => page.locator('.no-value').allTextContents()).toEqual(['empty']);
    expect(await page.getByLabel('Value of nothing').count()).toBe(0);
    await expectAccessible(page);
    await close();
  });

  test('that is very long is drawn in part, and is shown and copied whole on demand', async () => {
    const long = Array.from({ length: 65_000 }, (_, line) => `line ${line}`).join('\n');
    await here.stack.kube.createSecret(here.namespace, {
      metadata: { name: 'long' },
      data: { 'long.txt': base64(long) },
    });
    const { page, context, open, close } = await here.visitInNewContext(ADMIN);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(at('long'));
    await page.getByRole('button', { name: 'Reveal long.txt' }).click();
    const shown = page.getByLabel('Value of long.txt');
    expect((await shown.textContent())?.split('\n')).toHaveLength(2_000);
    await page.getByRole('button', { name: 'Copy long.txt' }).click();
    await page.getByText('long.txt is copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(long);
    await page.getByRole('button', { name: 'Show all 65,000 lines' }).click();
    expect(await shown.textContent()).toBe(long);
    await close();
  });

  test('keeps its button in sight in a comparison, and scrolls with the keyboard', async () => {
    await withVersions('tall', [{ 'tall.txt': 'short' }, { 'tall.txt': 'line\n'.repeat(5_000) }]);
    const { page, open, close } = await here.visit(ADMIN);
    await open(`${at('tall')}/history`);
    await page
      .getByRole('button', { name: /^View version/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Reveal tall.txt (Live)' }).click();
    const shown = page.getByLabel('Value of tall.txt (Live)');
    await expect.poll(async () => (await shown.boundingBox())?.height).toBeLessThan(300);
    await shown.focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => page.evaluate<number>('document.activeElement.scrollTop')).toBeGreaterThan(50);
    await page.getByRole('button', { name: 'Hide tall.txt (Live)' }).click();
    await shown.waitFor({ state: 'detached' });
    await close();
  });
});

describe('a comparison', () => {
  test('shows invisible differences by sizes and words', async () => {
    await withVersions('lookalikes', [
      { blank: 'secret', bom: 'x', none: '', seen: 'a' },
      { blank: 'secret\n', bom: '\uFEFFx', none: '(empty)', seen: 'b' },
    ]);
    const { page, open, close } = await here.visit(ADMIN);
    await open(`${at('lookalikes')}/history`);
    await page
      .getByRole('button', { name: /^View version/ })
      .first()
      .click();
    const row = (key: string) => page.getByRole('row', { name: new RegExp(`^${key}`) });
    await row('blank').getByText('differs only in white space').waitFor();
    await row('blank').getByText('7 B, ends with a line break').waitFor();
    await row('bom').getByText('differs only in invisible characters').waitFor();
    await row('none').getByText('0 B').waitFor();
    expect(await row('none').getByText('differs only').count()).toBe(0);
    expect(await row('seen').getByText('differs only').count()).toBe(0);
    await expectAccessible(page);
    await close();
  });

  test('copies a value of either side without showing it', async () => {
    await withVersions('copied', [{ token: 'old' }, { token: 'new' }]);
    const { page, context, open, close } = await here.visitInNewContext(ADMIN);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(`${at('copied')}/history`);
    await page
      .getByRole('button', { name: /^View version/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Copy token (Version 1)' }).click();
    await page.getByText('token (Version 1) is copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('old');
    await close();
  });

  test('takes a text for another value than the bytes whose base64 it is', async () => {
    await withVersions('letters', [{ key: '//79', same: 'x' }]);
    await change('letters', { key: '//79', same: 'y' });
    await here.stack.kube.patchSecret(here.namespace, 'letters', { data: { key: '//79' } });
    const { page, open, close } = await here.visit(ADMIN);
    await open(`${at('letters')}/history`);
    await page
      .getByRole('button', { name: /^View version/ })
      .first()
      .click();
    const row = page.getByRole('row', { name: /^key changed/ });
    await row.getByText('4 B').waitFor();
    await row.getByText('binary, 3 B').waitFor();
    await close();
  });

  test('is the first to request values, and requests those of its two states only', async () => {
    await withVersions('unread', [{ token: 'one' }, { token: 'two' }, { token: 'three' }]);
    const { page, open, close } = await here.visit(ADMIN);
    const requested = requestedPaths(page, 'unread');
    await open(`${at('unread')}/history`);
    await page.getByRole('row', { name: /^View version 3 live / }).waitFor();
    await page.getByRole('row', { name: /^View version 2 / }).waitFor();
    // The level that decides whether Restore is offered, and no value.
    await expect.poll(() => [...requested].sort()).toEqual(['/access', '/versions']);
    await page.getByRole('button', { name: 'View version 2' }).click();
    await page.getByText('The only key differs.').waitFor();
    expect([...requested].sort()).toEqual(['/access', '/versions', '/versions/1', '/versions/2']);
    await close();
  });
});
