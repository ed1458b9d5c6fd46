import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import { openSecretsFixture, reviewAndSave, setValue, shareField } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

const CLIPBOARD = 'navigator.clipboard.readText()';

/** Opens a page whose clock can be moved on, as if the tab had been left open. */
async function visitWithClock(user = ADMIN) {
  const visit = await here.visitInNewContext(user);
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit.page.clock.install();
  return visit;
}

/** Someone else saves another token. */
async function saveElsewhere(name: string, token: string): Promise<void> {
  const { secret } = (await here.admin.get(`/api${at(name)}`)).json as {
    secret: { resourceVersion: string };
  };
  const body = { resourceVersion: secret.resourceVersion, data: { token } };
  const { status, text } = await here.admin.put(`/api${at(name)}`, body);
  if (status !== 200) throw new Error(text);
}

const newerVersion = (page: Page) => page.getByRole('heading', { name: 'A newer version was saved' });

test('a detail that was left open does not copy the old value', async () => {
  await make('left-open', { token: 'old' });
  const { page, open, close } = await visitWithClock();
  await open(at('left-open'));
  await page.getByRole('button', { name: 'Copy token' }).waitFor();
  await page.evaluate('navigator.clipboard.writeText("untouched")');
  await saveElsewhere('left-open', 'new');
  await page.clock.fastForward(60_000);
  await page.getByRole('button', { name: 'Copy token' }).click();
  await newerVersion(page).waitFor();
  expect(await page.evaluate(CLIPBOARD)).toBe('untouched');
  await page.getByRole('button', { name: 'Copy token' }).click();
  await page.getByText('token is copied').waitFor();
  expect(await page.evaluate(CLIPBOARD)).toBe('new');
  await close();
});

test('a detail that was left open does not reveal the old value', async () => {
  await make('left-masked', { token: 'old value' });
  const { page, open, close } = await visitWithClock();
  await open(at('left-masked'));
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await saveElsewhere('left-masked', 'new value');
  await page.clock.fastForward(60_000);
  await page.getByRole('button', { name: 'Reveal token' }).click();
  await newerVersion(page).waitFor();
  expect(await page.getByText('old value').count()).toBe(0);
  await page.getByRole('button', { name: 'Reveal token' }).click();
  await page.getByText('new value').waitFor();
  await close();
});

test('coming back to a detail reads it again', async () => {
  await make('come-back', { token: 'old' });
  const { page, open, close } = await visitWithClock();
  await open(at('come-back'));
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await saveElsewhere('come-back', 'new');
  await page.clock.fastForward(60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await newerVersion(page).waitFor();
  await page.getByText('It is version 2').waitFor();
  // Whatever is in the name of an author leaves the words around it in their order.
  const author = '\u202eecila';
  const annotations = { 'service.io/last-modified-by': author };
  await here.stack.kube.patchSecret(here.namespace, 'come-back', { metadata: { annotations } });
  await page.clock.fastForward(60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await page.locator('bdi', { hasText: author }).first().waitFor();
  const isolated = page.getByText(/^It is version 2, by/).locator('bdi');
  await expect.poll(() => isolated.textContent()).toBe(author);
  await close();
});

test('coming back to the history and to the access rules reads them again', async () => {
  await make('come-back-parts', { token: 'old' });
  const { page, open, close } = await visitWithClock();
  const comeBack = async () => {
    await page.clock.fastForward(60_000);
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
  };
  await open(`${at('come-back-parts')}/history`);
  await page.getByText('No earlier versions yet.').waitFor();
  await saveElsewhere('come-back-parts', 'new');
  await comeBack();
  await page.getByRole('button', { name: 'View version 2' }).waitFor();
  await open(`${at('come-back-parts')}/access`);
  await page.getByText('This Secret has no rules of its own').waitFor();
  const name = 'come-back-parts';
  const annotations = { 'service.io/allowed-groups': 'team-a' };
  await here.stack.kube.patchSecret(here.namespace, name, { metadata: { annotations } });
  await comeBack();
  await page.getByText('Members of the group team-a can manage').waitFor();
  await close();
});

test('a value that cannot be read is not copied, and the button says why', async () => {
  await make('unchecked', { token: 'the one there is' });
  const { page, open, close } = await visitWithClock();
  await open(at('unchecked'));
  await page.getByRole('button', { name: 'Copy token' }).waitFor();
  await page.evaluate('navigator.clipboard.writeText("untouched")');
  await page.route('**/api/namespaces/*/secrets/unchecked/keys/token', (route) => route.abort());
  await page.getByRole('button', { name: 'Copy token' }).click();
  await page.getByText("Couldn't read the value: The service cannot be reached.").waitFor();
  expect(await page.evaluate(CLIPBOARD)).toBe('untouched');
  await page.getByRole('button', { name: 'Reveal token' }).click();
  await page.getByText("Couldn't read the value: The service cannot be reached.").last().waitFor();
  expect(await page.getByText('the one there is').count()).toBe(0);
  await page.unrouteAll();
  await close();
});

test('a key that was deleted, and access that was lost, are shown in the place of the value', async () => {
  await make('shrinking', { a: 'one', b: 'two' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('shrinking'));
  await page.getByRole('button', { name: 'Reveal b' }).waitFor();
  const refuse = (status: number, error: string) =>
    page.route('**/secrets/shrinking/keys/*', (route) => route.fulfill({ status, json: { error } }));
  await refuse(404, 'Not found');
  await page.getByRole('button', { name: 'Reveal a', exact: true }).click();
  await page.getByText('This key no longer exists.').waitFor();
  await page.unrouteAll();
  await refuse(403, 'Forbidden');
  await page.getByRole('button', { name: 'Reveal b', exact: true }).click();
  await page.getByText('You no longer have access to this value.').waitFor();
  await page.unrouteAll();
  await here.stack.kube.patchSecret(here.namespace, 'shrinking', { data: { a: null } });
  await page.getByRole('button', { name: 'Reveal a', exact: true }).click();
  await newerVersion(page).waitFor();
  await page.getByRole('button', { name: 'Reveal a', exact: true }).waitFor({ state: 'detached' });
  await close();
});

test('coming back to an edit shows that a newer version was saved, before the save', async () => {
  await make('edited-elsewhere', { token: 'old' });
  const { page, open, close } = await visitWithClock();
  await open(`${at('edited-elsewhere')}/edit`);
  await setValue(page, 'token', 'mine');
  await saveElsewhere('edited-elsewhere', 'theirs');
  await page.clock.fastForward(60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await newerVersion(page).waitFor();
  await page.getByRole('button', { name: 'Compare with your changes' }).click();
  await page.getByRole('radio', { name: 'Take mine' }).check();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('edited-elsewhere is saved as version 3.').waitFor();
  expect((await here.stored('edited-elsewhere')).get('token')).toBe('mine');
  await close();
});

test('what was typed before the access to change it was lost stays, also after a conflict', async () => {
  await make('demoted', { token: 'old' });
  const { page, open, close } = await visitWithClock(DEVELOPER_A);
  await open(`${at('demoted')}/edit`);
  await setValue(page, 'token', 'typed');
  const annotations = { 'service.io/allowed-groups': 'team-b', 'service.io/reader-groups': 'team-a' };
  await here.stack.kube.patchSecret(here.namespace, 'demoted', { metadata: { annotations } });
  await page.clock.fastForward(60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await newerVersion(page).waitFor();
  await page.getByRole('button', { name: 'Compare with your changes' }).click();
  await page.getByRole('group', { name: 'token', exact: true }).waitFor();
  const level = page.waitForResponse('**/secrets/demoted/access');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await level;
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: "Couldn't save" }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Show and edit the value of token' }).click();
  expect(await page.getByRole('textbox', { name: 'Value of token' }).inputValue()).toBe('typed');
  await close();
});

test('the form is as it was when a comparison with a newer version is closed', async () => {
  const auths = { 'one.example.com': { auth: Buffer.from('u:stored').toString('base64') } };
  const config = { '.dockerconfigjson': JSON.stringify({ auths }) };
  await make('compared-form', config, { type: 'kubernetes.io/dockerconfigjson' });
  const { page, open, close } = await visitWithClock();
  await open(`${at('compared-form')}/edit#access`);
  await page.getByRole('button', { name: 'Show and edit the registries' }).click();
  await page.getByRole('button', { name: 'Add another registry' }).click();
  // Without its address, it is in no value yet.
  const password = page.getByRole('textbox', { name: 'Password or token' }).last();
  await password.fill('typed');
  await shareField(page).fill('g'.repeat(257));
  await here.stack.kube.patchSecret(here.namespace, 'compared-form', { data: { more: 'eA==' } });
  await page.clock.fastForward(6_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await newerVersion(page).waitFor();
  await page.getByRole('button', { name: 'Compare with your changes' }).click();
  await page.getByRole('group', { name: 'more', exact: true }).waitFor();
  expect(await password.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Back to editing' }).click();
  const focused = () => page.evaluate('document.activeElement.textContent');
  await expect.poll(focused).toBe('Cancel');
  await page.getByRole('button', { name: 'Hide the password of the new registry' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Registry' }).count()).toBe(2);
  expect(await password.inputValue()).toBe('typed');
  expect(await shareField(page).inputValue()).toBe('g'.repeat(257));
  // What is no longer in the form holds nothing back.
  await page.getByRole('button', { name: 'Compare with your changes' }).click();
  await page
    .getByRole('group', { name: /^.dockerconfigjson/ })
    .getByRole('radio', { name: 'Take theirs' })
    .check();
  await page.getByRole('button', { name: 'Keep the newer version' }).click();
  await page.getByText('No changes yet.').waitFor();
  await expect.poll(focused).toBe('Cancel');
  expect(await shareField(page).inputValue()).toBe('');
  await close();
});

test('registries that are not complete yet are kept by the choice of the own side in a conflict', async () => {
  const auths = { 'one.example.com': { auth: Buffer.from('u:stored').toString('base64') } };
  const config = { '.dockerconfigjson': JSON.stringify({ auths }) };
  await make('own-registries', config, { type: 'kubernetes.io/dockerconfigjson' });
  const { page, open, close } = await visitWithClock();
  await open(`${at('own-registries')}/edit`);
  await page.getByRole('button', { name: 'Show and edit the registries' }).click();
  await page.getByRole('button', { name: 'Add another registry' }).click();
  const password = page.getByRole('textbox', { name: 'Password or token' }).last();
  await password.fill('typed');
  await here.stack.kube.patchSecret(here.namespace, 'own-registries', { data: { more: 'eA==' } });
  await page.clock.fastForward(20_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await newerVersion(page).waitFor();
  await page.getByRole('button', { name: 'Compare with your changes' }).click();
  await page.getByRole('group', { name: 'more', exact: true }).waitFor();
  await page
    .getByRole('group', { name: /^.dockerconfigjson/ })
    .getByRole('radio', { name: 'Take mine' })
    .check();
  await page.getByRole('button', { name: 'Review and save' }).click();
  // A value that cannot be saved is not offered for it.
  await page.getByText('The values do not match the type yet.').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByText('The address of the registry is missing.').waitFor();
  await page.getByRole('textbox', { name: 'Registry' }).last().fill('two.example.com');
  await page.getByRole('button', { name: 'Show and edit the password of two.example.com' }).click();
  expect(await password.inputValue()).toBe('typed');
  await reviewAndSave(page);
  await page.getByText('own-registries is saved as version 2.').waitFor();
  const saved = (await here.stored('own-registries')).get('.dockerconfigjson') ?? '';
  expect(JSON.parse(saved)).toMatchObject({ auths: { 'two.example.com': { password: 'typed' } } });
  expect(saved).toContain('one.example.com');
  await close();
});

test('a reload that fails leaves the detail as it is, and one of a deleted Secret does not', async () => {
  await make('reloaded', { token: 'still here' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('reloaded'));
  await page.getByRole('button', { name: 'Reveal token' }).click();
  await page.route('**/api/namespaces/*/secrets/reloaded?*', (route) =>
    route.fulfill({ status: 503, json: { error: 'The cluster is not available' } }),
  );
  await page.getByRole('button', { name: 'Reload this Secret' }).click();
  await page.getByRole('heading', { name: "Couldn't reload the Secret" }).waitFor();
  await page.getByText('still here').waitFor();
  await page.unrouteAll();
  await here.stack.kube.deleteSecret(here.namespace, 'reloaded');
  await page.getByRole('button', { name: 'Reload this Secret' }).click();
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  expect(await page.getByText('still here').count()).toBe(0);
  await close();
});

test('on an http origin, where browsers have no clipboard, a value is copied all the same', async () => {
  await make('http-origin', { token: 'copied the older way' });
  const { page, context, open, close } = await here.visitInNewContext(ADMIN);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.addInitScript({
    content: `window.realClipboard = navigator.clipboard;
    Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });`,
  });
  await open(at('http-origin'));
  await page.getByRole('button', { name: 'Copy token' }).click();
  await page.getByText('token is copied').waitFor();
  expect(await page.evaluate('window.realClipboard.readText()')).toBe('copied the older way');
  await close();
});
