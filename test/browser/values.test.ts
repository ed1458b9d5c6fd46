import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { createButton } from './secrets-fixture.ts';
import {
  addFiles,
  button,
  chooseType,
  create,
  filesOf,
  openValuesFixture,
  paste,
  save,
  valueOf,
} from './values-fixture.ts';

const { here, at, make, stored } = openValuesFixture();

const focusedName = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: element } = document;
    const parts = (element.getAttribute('aria-labelledby') ?? '').split(' ');
    const labels = parts.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    return element.getAttribute('aria-label') ?? (labels.trim() || element.textContent);
  })()`);

test('registries of a value come back into the form, several of them, and nothing is hidden', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, 'kubernetes.io/dockerconfigjson');
  await page.getByRole('textbox', { name: 'Registry' }).fill('one.example.com');
  await chooseType(page, 'Opaque');
  await button(page, 'Show and edit the value of .dockerconfigjson').waitFor();
  await chooseType(page, 'kubernetes.io/dockerconfigjson');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Registry' }).inputValue())
    .toBe('one.example.com');
  await button(page, 'Add another registry').click();
  const second = page.getByRole('group', { name: /Registry 2/ });
  await button(page, 'Remove registry 1').click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('docker-0-server');
  await page.getByRole('textbox', { name: 'Registry' }).fill('one.example.com');
  await button(page, 'Add another registry').click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('docker-1-server');
  await second.getByRole('textbox', { name: 'Registry' }).fill('one.example.com');
  await page.getByText('There is another registry with this address.').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('registries');
  expect(await createButton(page).isDisabled()).toBe(true);
  await second.getByRole('textbox', { name: 'Registry' }).fill('two.example.com');
  await create(page, 'registries');
  const config = JSON.parse((await stored('registries'))['.dockerconfigjson'] ?? '') as { auths: object };
  expect(Object.keys(config.auths)).toEqual(['one.example.com', 'two.example.com']);
  await close();
});

test('a configuration that no form can show is edited as JSON', async () => {
  const config = '{"auths":{"r.example.com":{"identitytoken":"t"}},"credsStore":"desktop"}';
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, 'kubernetes.io/dockerconfigjson');
  await addFiles(page, { 'config.json': config });
  await page.getByText('config.json: to .dockerconfigjson.').waitFor();
  expect(await button(page, 'Show the form').isDisabled()).toBe(true);
  await button(page, 'Show and edit the value of .dockerconfigjson').click();
  await valueOf(page, '.dockerconfigjson').fill('[]');
  await page.getByText('needs the key .dockerconfigjson with a JSON object or null').waitFor();
  expect(await valueOf(page, '.dockerconfigjson').getAttribute('aria-invalid')).toBe('true');
  await valueOf(page, '.dockerconfigjson').fill('{"auths":{}}');
  await button(page, 'Show the form').click();
  await page.getByRole('textbox', { name: 'Registry' }).waitFor();
  await close();
});

test('what the type still needs is said before the request, and a needed key cannot go', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('by-type');
  await chooseType(page, 'kubernetes.io/ssh-auth');
  await page.getByText('This type needs the key ssh-privatekey with a nonempty value.').waitFor();
  expect(await createButton(page).isDisabled()).toBe(true);
  await chooseType(page, 'kubernetes.io/basic-auth');
  await button(page, 'Remove username').click();
  await button(page, 'Remove username').waitFor({ state: 'detached' });
  expect(await button(page, 'Remove password').count()).toBe(0);
  expect(await createButton(page).isEnabled()).toBe(true);
  await close();
});

test('a type of one’s own may begin like a known one', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, '*');
  await page.getByLabel('Type of your own').pressSequentially('kubernetes.io/tls-acme');
  await create(page, 'own-type');
  expect((await here.stack.kube.getSecret(here.namespace, 'own-type'))?.type).toBe('kubernetes.io/tls-acme');
  await close();
});

test('the token of a service account has no form, only the reason', async () => {
  await here.stack.kube.createSecret(here.namespace, {
    metadata: { name: 'sa-token', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('sa-token')}/edit`);
  await page.getByText('The cluster manages this token').waitFor();
  expect(await page.getByRole('textbox', { name: 'Description' }).count()).toBe(0);
  await close();
});

test('what is being edited hides after 30 seconds without typing, and with the tab, and is never lost', async () => {
  await make('hides', { token: 'x' });
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(`${at('hides')}/edit`);
  const show = button(page, 'Show and edit the value of token');
  await show.click();
  await page.clock.runFor(20_000);
  const typing = await page.evaluate<number>('Date.now()');
  await valueOf(page, 'token').fill('typed');
  await page.clock.pauseAt(typing + 29_000);
  await expect.poll(() => valueOf(page, 'token').inputValue()).toBe('typed');
  await page.clock.resume();
  await page.clock.runFor(2_000);
  await show.waitFor();
  expect(await focusedName(page)).toBe('Show and edit the value of token');
  await show.click();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await show.click();
  await expect.poll(() => valueOf(page, 'token').inputValue()).toBe('typed');
  await close();
});

test('the focus goes along with what is shown, hidden, added and removed', async () => {
  await make('focus', { a: '1', b: '2' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('focus')}/edit`);
  await button(page, 'Show and edit the value of a').click();
  await expect.poll(() => focusedName(page)).toBe('Value of a');
  await button(page, 'Hide the value of a').click();
  expect(await focusedName(page)).toBe('Show and edit the value of a');
  await button(page, 'Add a key').click();
  expect(await focusedName(page)).toBe('Key 3');
  await button(page, 'Remove the new key').click();
  expect(await focusedName(page)).toBe('Key 2');
  await button(page, 'Remove a').click();
  expect(await focusedName(page)).toBe('Undo the removal of a');
  await page.keyboard.press('Enter');
  expect(await focusedName(page)).toBe('Show and edit the value of a');
  await close();
});

test('the problem of a value is shown at the value', async () => {
  await make('wrong-value', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('wrong-value')}/edit`);
  await button(page, 'Show and edit the value of token').click();
  const field = valueOf(page, 'token');
  await field.fill('a\u0007b');
  await page.getByText('The value has control characters').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  const says = (await field.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${says}"]`).textContent()).toContain('control characters');
  const key = page.getByRole('textbox', { name: 'Key 1', exact: true });
  expect(await key.getAttribute('aria-invalid')).not.toBe('true');
  await close();
});

test('a large value is kept as data, with its line endings, until someone wants it as text', async () => {
  const text = Array.from({ length: 65_000 }, (_, index) => `line ${index}`).join('\r\n');
  await make('large', { small: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('large')}/edit`);
  await button(page, 'Add a key').click();
  await page.getByRole('textbox', { name: 'Key 2' }).fill('lines');
  await paste(valueOf(page, 'lines'), text);
  await page.getByText('65,000 lines, line endings CRLF.').waitFor();
  expect(await valueOf(page, 'lines').count()).toBe(0);
  await button(page, 'Show the value of lines').click();
  expect(await page.getByLabel('Beginning of the value of lines').textContent()).toMatch(/^line 0/);
  await save(page, 'large');
  expect((await stored('large'))['lines']).toBe(text);
  await open(`${at('large')}/edit`);
  await button(page, 'Show and edit the value of lines').click();
  await page.getByText('65,000 lines, line endings CRLF.').waitFor();
  await page.getByLabel('File to replace the value of lines').setInputFiles(filesOf({ any: 'short' }));
  await valueOf(page, 'lines').waitFor();
  await expect.poll(() => valueOf(page, 'lines').inputValue()).toBe('short');
  await close();
});

test('two thousand keys leave the description quick to type', async () => {
  const many = Array.from({ length: 2_000 }, (_, index): [string, string] => [`KEY_${index}`, 'x']);
  await make('many', Object.fromEntries(many));
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('many')}/edit#access`);
  await page.waitForSelector('.row-editor:nth-child(300)', { state: 'attached' });
  // Further rows may still come; those that are there stay as they are.
  const redrawn = page.evaluate<number>(`new Promise((resolve) => {
    let count = 0;
    new MutationObserver((changes) => {
      count += changes.filter(({ target }) => target.closest('.row-editor')).length;
    }).observe(document.querySelector('.rows'), { subtree: true, childList: true, attributes: true });
    setTimeout(() => resolve(count), 2000);
  })`);
  await page.locator('#description').pressSequentially('typed at some speed');
  expect(await redrawn).toBe(0);
  await close();
});
