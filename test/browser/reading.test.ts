import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN, type ApiClient } from '../harness/api-client.ts';
import { expectAccessible } from './expectations.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at } = here;
const base64 = (text: string) => Buffer.from(text).toString('base64');

type Data = Readonly<Record<string, string>>;

/** A Secret with a version for each of the given states, the last one live. */
async function withVersions(name: string, states: readonly Data[]): Promise<void> {
  const [first, ...later] = states;
  await expectOk(here.admin.post(`/api/namespaces/${here.namespace}/secrets`, { name, data: first }));
  for (const data of later) await change(name, data);
}

async function change(name: string, data: Data): Promise<void> {
  const { secret } = (await here.admin.get(`/api${at(name)}`)).json as {
    secret: { resourceVersion: string };
  };
  await expectOk(here.admin.put(`/api${at(name)}`, { resourceVersion: secret.resourceVersion, data }));
}

async function expectOk(sent: ReturnType<ApiClient['put']>): Promise<void> {
  const { status, text } = await sent;
  if (status >= 300) throw new Error(text);
}

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
    const facts = page.getByRole('listitem').filter({ hasText: 'odd' }).locator('.value-size');
    expect(await facts.textContent()).toBe(
      '15 bytes, 2 lines, begins with a BOM, has lines that end in white space, has no-break spaces, ' +
        'has zero-width characters, ends with a line break, has mixed line endings',
    );
    await page.getByRole('button', { name: 'Reveal odd' }).click();
    const shown = page.getByLabel('Value of odd');
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
    expect(await page.locator('.no-value').allTextContents()).toEqual(['empty']);
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
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Reveal tall.txt (Live)' }).click();
    const shown = page.getByLabel('Value of tall.txt (Live)');
    expect((await shown.boundingBox())?.height).toBeLessThan(300);
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
    await page.getByRole('button', { name: 'Compare' }).click();
    const row = (key: string) => page.getByRole('row', { name: new RegExp(`^${key}`) });
    await row('blank').getByText('differs only in white space').waitFor();
    await row('blank').getByText('7 bytes, ends with a line break').waitFor();
    await row('bom').getByText('differs only in invisible characters').waitFor();
    await row('none').getByText('0 bytes').waitFor();
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
    await page.getByRole('button', { name: 'Compare' }).click();
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
    await page.getByRole('button', { name: 'Compare' }).click();
    const row = page.getByRole('row', { name: /^key changed/ });
    await row.getByText('4 bytes').waitFor();
    await row.getByText('binary, 3 bytes').waitFor();
    await close();
  });

  test('is the first to request values, and requests those of its two states only', async () => {
    await withVersions('unread', [{ token: 'one' }, { token: 'two' }, { token: 'three' }]);
    const { page, open, close } = await here.visit(ADMIN);
    const requested = requestedPaths(page, 'unread');
    await open(`${at('unread')}/history`);
    await page.getByRole('row', { name: /^3 live .*made \d/ }).waitFor();
    await page.getByRole('row', { name: /^2 .*archived \d/ }).waitFor();
    expect(requested).toEqual(['/versions']);
    await page.getByLabel('Second state').selectOption('Version 1');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('1 of 1 keys differ.').waitFor();
    expect([...requested].sort()).toEqual(['/versions', '/versions/1', '/versions/2']);
    await close();
  });
});

describe('a restore', () => {
  test('cannot be confirmed before its review is there, nor without it', async () => {
    await withVersions('unread', [{ token: 'one' }, { token: 'two' }]);
    const { page, open, close } = await here.visit(ADMIN);
    const dialog = page.getByRole('dialog');
    const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/versions/1', async (route) => {
      await held;
      await route.fulfill({ status: 403, json: { error: 'Not now' } });
    });
    await open(`${at('unread')}/history`);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await dialog.getByLabel('Loading what would change').waitFor();
    expect(await restore.isDisabled()).toBe(true);
    answer();
    await dialog.getByRole('heading', { name: 'The version could not be read' }).waitFor();
    expect(await restore.count()).toBe(0);
    expect(await dialog.getByText('No value changes').count()).toBe(0);
    await expectAccessible(page);
    await page.unroute('**/versions/1');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('row', { name: /^token changed/ }).waitFor();
    expect(await restore.isEnabled()).toBe(true);
    await close();
  });

  test('that is overtaken is looked at again, and then done', async () => {
    await withVersions('overtaken', [{ token: 'one' }, { token: 'two' }]);
    const { page, open, close } = await here.visit(ADMIN);
    await open(`${at('overtaken')}/history`);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row', { name: /^token changed/ }).waitFor();
    await change('overtaken', { token: 'two', added: 'x' });
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.getByRole('heading', { name: 'Someone changed this Secret since you opened it' }).waitFor();
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await dialog.getByRole('row', { name: /^added removed/ }).waitFor();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('Version 1 is restored as version 4.').waitFor();
    const secret = await here.stack.kube.getSecret(here.namespace, 'overtaken');
    expect(secret?.data).toEqual({ token: base64('one') });
    await close();
  });

  test('that a counter collision stops is explained as such', async () => {
    await withVersions('collides', [{ token: 'one' }, { token: 'two' }, { token: 'three' }]);
    await here.stack.kube.patchSecret(here.namespace, 'collides', {
      metadata: { annotations: { 'service.io/version': '1' } },
    });
    const { page, open, close } = await here.visit(ADMIN);
    await open(`${at('collides')}/history`);
    await page.getByRole('button', { name: 'Restore version 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('The history already has this version number').waitFor();
    await page.getByRole('button', { name: 'Recover and save' }).click();
    await page.getByText('Version 2 is restored as version 4.').waitFor();
    await close();
  });
});

test('a history is reloaded in place, and an open comparison with it', async () => {
  await withVersions('growing', [{ token: 'one' }, { token: 'two' }]);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('growing')}/history`);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('1 of 1 keys differ.').waitFor();
  await change('growing', { token: 'one' });
  await page.getByRole('button', { name: 'Reload the history' }).click();
  await page.getByRole('row', { name: /^3 live/ }).waitFor();
  await page.getByText('Both states hold the same values.').waitFor();
  await close();
});

describe('a list', () => {
  let many: string;
  const listed = () => `/namespaces/${many}`;
  beforeAll(async () => {
    many = await here.stack.namespace();
    for (let index = 0; index < 60; index++) {
      const name = `secret-${String(index).padStart(2, '0')}`;
      await here.stack.kube.createSecret(many, { metadata: { name }, data: {} });
    }
  });

  test('is found as it was left when one comes back to it, also after a reload', async () => {
    const { page, open, close } = await here.visit(ADMIN);
    const TABLE_TOP = `document.querySelector('.table-scroll').scrollTop`;
    const expectAsLeft = async () => {
      await page.getByText('60 of 60 Secrets').waitFor();
      expect(await page.getByLabel('Filter by name or key').inputValue()).toBe('secret-');
      expect(await page.getByLabel('Managed').inputValue()).toBe('unmanaged');
      await page.locator('[aria-sort=descending]').getByText('Name').waitFor();
      await expect.poll(() => page.evaluate<number>(TABLE_TOP)).toBe(1_000);
      expect(page.url()).toBe(`${here.stack.url}${listed()}`);
    };
    await open(listed());
    await page.getByLabel('Filter by name or key').fill('secret-');
    await page.getByLabel('Managed').selectOption('Not managed yet');
    await page.getByRole('button', { name: 'Name' }).click();
    await page.evaluate(`${TABLE_TOP} = 1000`);
    await page.getByRole('link', { name: 'secret-40' }).click();
    await page.getByRole('heading', { name: 'secret-40', level: 1 }).waitFor();
    await page.goBack();
    await expectAsLeft();
    await page.reload();
    await expectAsLeft();
    await page.getByRole('link', { name: 'Namespaces' }).click();
    await page.getByRole('link', { name: many, exact: true }).last().click();
    await page.getByText('60 of 60 Secrets').waitFor();
    expect(await page.getByLabel('Filter by name or key').inputValue()).toBe('');
    await close();
  });

  test('can be sorted where not all headings fit', async () => {
    await here.stack.kube.createSecret(here.namespace, { metadata: { name: 'aaa' }, type: 'A/a', data: {} });
    await withVersions('settled', [{ token: 'x' }]);
    const { page, open, close } = await here.visitInNewContext(ADMIN);
    await page.setViewportSize({ width: 360, height: 740 });
    await open(`/namespaces/${here.namespace}`);
    const first = () => page.getByRole('rowheader').first().getByRole('link').textContent();
    await expect.poll(first).toBe('aaa');
    await page.getByLabel('Order').selectOption('Type, Z to A');
    await expect.poll(first).not.toBe('aaa');
    await page.getByLabel('Order').selectOption('Newest change first');
    await change('settled', { token: 'newer' });
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await expect.poll(first).toBe('settled');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Order').waitFor({ state: 'hidden' });
    await page.getByRole('columnheader', { name: 'Last change' }).waitFor();
    await close();
  });

  test('that is not from today says from which day it is', async () => {
    const { page, open, close } = await here.visit(ADMIN);
    await page.route('**/secrets', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), age: String(2 * 86_400) } });
    });
    await open(listed());
    const day = new Date(Date.now() - 2 * 86_400_000).getDate();
    await page.getByText(new RegExp(`As of ${day} \\w+ \\d{4}, \\d\\d:`)).waitFor();
    await close();
  });
});
