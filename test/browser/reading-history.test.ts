import { beforeAll, describe, expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible } from './expectations.ts';
import { base64, openReadingFixture } from './reading-fixture.ts';
import { content, homeIsRead } from './frame-actions.ts';

const { here, at, change, withVersions } = openReadingFixture();

describe('a restore', () => {
  test('cannot be confirmed before its review is there, nor without it', async () => {
    await withVersions('unreviewed', [{ token: 'one' }, { token: 'two' }]);
    const { page, open, close } = await here.visit(ADMIN);
    const dialog = page.getByRole('dialog');
    const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/versions/1', async (route) => {
      await held;
      await route.fulfill({ status: 403, json: { error: 'Not now' } });
    });
    await open(`${at('unreviewed')}/history`);
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
  await page.getByRole('button', { name: 'View version 1' }).click();
  await page.getByLabel('Compare with').selectOption('live');
  await page.getByText('The only key differs.').waitFor();
  await change('growing', { token: 'one' });
  await page.getByRole('button', { name: 'Reload this Secret' }).click();
  await page.getByRole('row', { name: /^View version 3 live/ }).waitFor();
  await page.getByText('Both versions have the same values.').waitFor();
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
      await expect
        .poll(() => page.getByLabel('Filter by name, key, description or access').inputValue())
        .toBe('secret-');
      await expect.poll(() => page.getByLabel('Written by').inputValue()).toBe('unmanaged');
      await page.locator('[aria-sort=descending]').getByText('Name').waitFor();
      await expect.poll(() => page.evaluate<number>(TABLE_TOP)).toBe(500);
      expect(page.url()).toBe(`${here.stack.url}${listed()}?q=secret-&writer=unmanaged&sort=-name`);
    };
    await open(listed());
    await page.getByLabel('Filter by name, key, description or access').fill('secret-');
    await page.getByLabel('Written by').selectOption('Not managed yet');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.evaluate(`${TABLE_TOP} = 500`);
    await page.getByRole('link', { name: 'secret-40' }).click();
    await page.getByRole('heading', { name: 'secret-40', level: 1 }).waitFor();
    await page.goBack();
    await expectAsLeft();
    await page.reload();
    await expectAsLeft();
    await content(page).getByRole('link', { name: 'Namespaces' }).click();
    await homeIsRead(page);
    await page.getByRole('link', { name: many, exact: true }).last().click();
    await page.getByText('60 of 60 Secrets').waitFor();
    await expect
      .poll(() => page.getByLabel('Filter by name, key, description or access').inputValue())
      .toBe('');
    await close();
  });

  test('can be sorted where not all headings fit', async () => {
    await here.stack.kube.createSecret(here.namespace, { metadata: { name: 'aaa' }, type: 'A/a', data: {} });
    await withVersions('settled', [{ token: 'x' }]);
    const { page, open, close } = await here.visit(ADMIN);
    await page.setViewportSize({ width: 360, height: 740 });
    await open(`/namespaces/${here.namespace}`);
    const first = () => page.getByRole('rowheader').first().getByRole('link').textContent();
    await expect.poll(first).toBe('aaa');
    await page.getByRole('button', { name: 'Filter and sort' }).click();
    await page.getByLabel('Order').selectOption('Type, Z to A');
    await expect.poll(first).not.toBe('aaa');
    await page.getByLabel('Order').selectOption('Newest change first');
    await change('settled', { token: 'newer' });
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await expect.poll(first).toBe('settled');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Order').waitFor({ state: 'hidden' });
    await page.getByRole('columnheader', { name: 'Changed' }).waitFor();
    await close();
  });

  test('that is not from today says from which day it is', async () => {
    const { page, open, close } = await here.visit(ADMIN);
    await page.route('**/secrets*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), age: String(2 * 86_400) } });
    });
    await open(listed());
    const day = new Date(Date.now() - 2 * 86_400_000).getDate();
    await page.getByText(new RegExp(`As of \\w+ ${day}, \\d{4}, \\d+:`)).waitFor();
    await close();
  });
});
