import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A, DEVELOPER_B } from '../harness/api-client.ts';
import { signIn } from './profiles.ts';
import {
  createButton,
  openSecretsFixture,
  reviewAndSave,
  setValue,
  share,
  shareField,
} from './secrets-fixture.ts';
import { signOut, withoutCounts } from './frame-actions.ts';

const here = openSecretsFixture();
const { at, make } = here;

test('commas separate groups, and an entry that cannot be one holds the button back', async () => {
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('ruled');
  await share(page, 'g'.repeat(257));
  await page.getByText('An access rule is not valid').waitFor();
  expect(await createButton(page).isDisabled()).toBe(true);
  await shareField(page).fill('team-b, security');
  await page.getByRole('heading', { name: 'You will lose access' }).waitFor();
  await shareField(page).press('Enter');
  await shareField(page).fill('DEVELOPER-A@example.com');
  await page.getByRole('heading', { name: 'You will lose access' }).waitFor({ state: 'detached' });
  await createButton(page).click();
  await page.waitForURL(`**${at('ruled')}`);
  const secret = await here.stack.kube.getSecret(here.namespace, 'ruled');
  expect(secret?.metadata.annotations?.['service.io/allowed-groups']).toBe('team-b,security');
  await close();
});

test('a name that exists is pointed out while it is typed, and one that is free is not', async () => {
  await make('taken', { token: 'x' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('taken');
  // The failure of a creation says the same.
  const warning = page.locator('.pf-v6-c-helper-text').getByText('A Secret with this name exists already.');
  await warning.waitFor();
  await createButton(page).click();
  await page.getByRole('heading', { name: "Couldn't create the Secret" }).waitFor();
  await page.getByLabel('Name').fill('taken-not');
  await warning.waitFor({ state: 'detached' });
  await createButton(page).click();
  await page.waitForURL(`**${at('taken-not')}`);
  await close();
});

test('entries become rows at Enter, and the keyboard goes on when one is removed', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  const groups = shareField(page);
  await groups.fill('a, b');
  await groups.press('Enter');
  await expect.poll(() => groups.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Remove a' }).press('Enter');
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-label")'))
    .toBe('Remove b');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('share-entry');
  await close();
});

test('a blank row counts for nothing, and a button that waits says what for', async () => {
  await make('blank-row', { token: 'before' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('blank-row')}/edit`);
  await setValue(page, 'token', 'after');
  await page.getByRole('button', { name: 'Add a key' }).click();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Key', { exact: true }).last().fill('..');
  await page.getByRole('status').getByText('Check the key .. and its value.').waitFor();
  expect(await page.getByRole('button', { name: 'Review and save' }).isDisabled()).toBe(true);
  await page.getByLabel('Key', { exact: true }).last().fill('');
  await reviewAndSave(page);
  await page.getByText('blank-row is saved as version 2.').waitFor();
  await close();
});

test('Escape closes the question about leaving, and leaves the review below it open', async () => {
  await make('two-dialogs', { token: 'before' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('two-dialogs'));
  await page.getByRole('link', { name: 'Edit' }).click();
  await setValue(page, 'token', 'after');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.goBack();
  const question = page.getByRole('heading', { name: 'Leave without saving?' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Save two-dialogs?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Save two-dialogs?' }).waitFor({ state: 'detached' });
  await close();
});

test('rules that are typed for the access to Secrets are not lost by going back', async () => {
  await make('rules-typed', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('rules-typed'));
  await page.getByRole('link', { name: here.namespace, exact: true }).first().click();
  await page.getByRole('checkbox', { name: 'Select rules-typed' }).check();
  await page.getByRole('button', { name: 'Change access' }).click();
  await shareField(page).fill('team-a, team-b');
  await page.goBack();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.waitForURL(`**${at('rules-typed')}`);
  await close();
});

test('what is typed for a Secret of one namespace is not in the form of another, and is not lost unseen', async () => {
  const other = await here.stack.namespace();
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('for-the-first');
  await page.getByRole('textbox', { name: 'Value of the new key' }).fill('typed for the first');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).fill(other);
  await page.getByRole('option', { name: other }).first().waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('option', { name: `Create a Secret in ${other}` }).click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`**/namespaces/${other}/create`);
  await page.getByText('Enter a name.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  expect(await page.getByRole('textbox', { name: 'Value of the new key' }).inputValue()).toBe('');
  await close();
});

test('signing out needs a confirmation when something would be lost', async () => {
  await make('signed-out', { token: 'before' });
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await open(`${at('signed-out')}/edit`);
  await setValue(page, 'token', 'typed');
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign out without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Value of token' }).inputValue()).toBe('typed');
  await signOut(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await close();
});

test.each([
  ['line feeds', 'one\ntwo', 'one\nmore\ntwo'],
  ['carriage returns and line feeds', 'one\r\ntwo', 'one\r\nmore\r\ntwo'],
])('a description of several lines keeps %s while it is edited', async (_what, description, edited) => {
  const name = `lines-${description.length}`;
  await make(name, { token: 'x' }, { description });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at(name)}/edit#access`);
  const field = page.getByRole('textbox', { name: 'Description' });
  await field.press('ControlOrMeta+Home');
  await field.press('End');
  await field.press('Enter');
  await field.pressSequentially('more');
  await reviewAndSave(page);
  await page.getByText(`${name} is saved as version 2.`).waitFor();
  const { json } = await here.admin.get(`/api${at(name)}?values=false`);
  expect(json).toMatchObject({ secret: { description: edited } });
  await close();
});

test('whoever signs in after someone else gets neither the page nor the edits', async () => {
  await make('inherited', { token: 'before' });
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  await withoutCounts(page);
  await open(`${at('inherited')}/edit#access`);
  await page.getByRole('textbox', { name: 'Description' }).fill('typed by a');
  await context.clearCookies();
  await reviewAndSave(page);
  await page.getByText('This page is kept.').waitFor();
  await signIn(context, here.stack.url, DEVELOPER_B);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByText("You're signed in as developer-b@example.com, but developer-a@example.com opened this page")
    .waitFor();
  // The review that the save came from stays behind it.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Sign in as/);
  expect(await page.getByRole('textbox', { name: 'Description' }).isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Sign in as developer-a@example.com' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard and reload' }).click();
  await page.getByRole('button', { name: 'Your account, developer-b@example.com' }).waitFor();
  await page.getByRole('textbox', { name: 'Description' }).waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('');
  await close();
});
