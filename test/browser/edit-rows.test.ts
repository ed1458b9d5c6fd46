import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible, expectNoSidewaysScroll } from './expectations.ts';
import { openSecretsFixture, reviewAndSave, saveButton } from './secrets-fixture.ts';
import { paste } from './values-fixture.ts';

const here = openSecretsFixture();
const { at, make, stored } = here;

test('what was changed, renamed, removed and added is marked, and each can be undone', async () => {
  await make('marked', { gone: '1', old: '2', token: '3' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('marked')}/edit`);
  // A masked field has no value in the page, and typing replaces it.
  const token = page.getByRole('textbox', { name: 'Value of token' });
  await expect.poll(() => token.inputValue()).toBe('');
  await token.fill('changed');
  await page.getByLabel('Key', { exact: true }).nth(1).fill('new');
  await page.getByRole('button', { name: 'Remove gone' }).click();
  await page.getByRole('button', { name: 'Add a key' }).click();
  await page.getByLabel('Key', { exact: true }).last().fill('more');
  await page.getByText('4 changes', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Review and save' }).click();
  const renamed = page.getByRole('dialog').getByRole('row', { name: /^new renamed from old/ });
  await renamed.waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Undo the removal of gone' }).click();
  await page.getByRole('button', { name: 'Undo the change of token' }).click();
  await page.getByRole('button', { name: 'Remove more' }).click();
  await page.getByText('1 change', { exact: true }).waitFor();
  await reviewAndSave(page);
  await page.getByText('marked is saved as version 2.').waitFor();
  expect(Object.fromEntries(await stored('marked'))).toEqual({ gone: '1', new: '2', token: '3' });
  await close();
});

test('the fields of all values end in the same place, whichever buttons a row has', async () => {
  await make('aligned', { 'config.json': '{}', token: '1' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('aligned')}/edit`);
  await page.getByRole('button', { name: 'Add a key' }).click();
  const fields = page.getByRole('textbox', { name: /^Value of/ });
  await expect.poll(() => fields.count()).toBe(3);
  const ends = async () => {
    const boxes = await Promise.all((await fields.all()).map((field) => field.boundingBox()));
    return new Set(boxes.map((box) => box && Math.round(box.x + box.width))).size;
  };
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    // What has been resized may not be laid out yet.
    await expect.poll(ends, { message: `${width} px` }).toBe(1);
  }
  await close();
});

test('a line break, typed or pasted, makes a field of several lines, byte for byte', async () => {
  await make('lines', { typed: 'one', pasted: 'x', other: 'y' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('lines')}/edit`);
  const field = (key: string) => page.getByRole('textbox', { name: `Value of ${key}` });
  await page.getByRole('button', { name: 'Show and edit the value of typed' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  await field('typed').press('End');
  await page.keyboard.press('Enter');
  await page.getByText('Ends with a line break.').waitFor();
  await page.keyboard.type('two');
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  await paste(field('pasted'), 'a\r\nb\r\n');
  await paste(field('other'), 'secret\n');
  await page.getByRole('button', { name: 'Remove it' }).click();
  await reviewAndSave(page);
  await page.getByText('lines is saved as version 2.').waitFor();
  expect(Object.fromEntries(await stored('lines'))).toEqual({
    typed: 'one\ntwo',
    pasted: 'a\r\nb\r\n',
    other: 'secret',
  });
  await close();
});

test('after a paste, the caret is behind what was pasted', async () => {
  await make('pasted-into', { token: 'before after' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('pasted-into')}/edit`);
  await page.getByRole('button', { name: 'Show and edit the value of token' }).click();
  const field = page.getByRole('textbox', { name: 'Value of token' });
  await expect.poll(() => field.inputValue()).toBe('before after');
  await page.evaluate('document.activeElement.setSelectionRange(7, 7)');
  await paste(field, 'one\r\ntwo ');
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  await page.keyboard.type('typed ');
  await expect.poll(() => field.inputValue()).toBe('before one\ntwo typed after');
  await close();
});

const TYPED = [
  ['kubernetes.io/basic-auth', { username: 'ada', password: 'x' }, 'Password', 'password'],
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': 'x' }, 'Private key', 'ssh-privatekey'],
  ['kubernetes.io/tls', { 'tls.crt': 'x', 'tls.key': 'y' }, 'Certificate', 'tls.crt'],
] as const;

test.each(TYPED)('%s has a form in an edit, and a switch to its keys', async (type, data, label, key) => {
  const name = `typed-${type.replace(/.*\//, '')}`;
  await make(name, data, { type });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at(name)}/edit`);
  await page.getByRole('textbox', { name: label, exact: true }).fill('replaced');
  expect(await page.getByLabel('Key', { exact: true }).count()).toBe(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Show the raw keys' }).click();
  await expect
    .poll(() => page.getByLabel('Key', { exact: true }).first().inputValue())
    .toBe(Object.keys(data).sort()[0]);
  await reviewAndSave(page);
  await page.getByText(`${name} is saved as version 2.`).waitFor();
  expect((await stored(name)).get(key)).toBe('replaced');
  await close();
});

test('a field that is added to the form of a type has the focus, wherever it is among the rows', async () => {
  const type = 'kubernetes.io/basic-auth';
  await make('field-added', { username: 'ada', extra: 'kept' }, { type });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('field-added')}/edit`);
  await page.getByRole('button', { name: 'Add password' }).press('Enter');
  await page.keyboard.type('typed');
  await reviewAndSave(page);
  await page.getByText('field-added is saved as version 2.').waitFor();
  expect(Object.fromEntries(await stored('field-added'))).toEqual({
    ...{ username: 'ada', extra: 'kept' },
    password: 'typed',
  });
  await close();
});

test('the old registry type has the form of the new one, and its own JSON', async () => {
  const entry = { username: 'u', password: 'old', auth: Buffer.from('u:old').toString('base64') };
  const data = { '.dockercfg': JSON.stringify({ 'r.example.com': entry }) };
  await make('legacy', data, { type: 'kubernetes.io/dockercfg' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('legacy')}/edit`);
  const showRegistries = page.getByRole('button', { name: 'Show and edit the registries' });
  await showRegistries.click();
  await page.getByRole('textbox', { name: 'Password or token' }).fill('new');
  await page.getByRole('button', { name: 'Undo the changes of the registries' }).click();
  await page.getByText('No changes yet.').waitFor();
  await showRegistries.click();
  await page.getByRole('textbox', { name: 'Password or token' }).fill('newer');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await saveButton(page).click();
  await page.getByText('legacy is saved as version 2.').waitFor();
  expect(JSON.parse((await stored('legacy')).get('.dockercfg') ?? '')).toMatchObject({
    'r.example.com': { password: 'newer' },
  });
  await close();
});
