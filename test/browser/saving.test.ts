import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import { createButton, openSecretsFixture, reviewAndSave, saveButton, setValue } from './secrets-fixture.ts';
import { chooseAction } from './secret-actions.ts';

const here = openSecretsFixture();
const { at, make } = here;

const storedValue = async (name: string, key: string) => (await here.stored(name)).get(key) ?? '';

/** Writes of one kind wait until they are let go. */
async function holdWrites(page: Page, method: string): Promise<() => void> {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/namespaces/*/secrets**', async (route) => {
    if (route.request().method() === method) await gate;
    await route.continue();
  });
  return () => {
    letGo();
  };
}

/** The next write of one kind takes effect, but its answer is `status`, or lost. */
async function loseAnswer(page: Page, method: string, status?: number): Promise<void> {
  let lost = false;
  await page.route('**/api/namespaces/*/secrets**', async (route) => {
    if (lost || route.request().method() !== method) return route.continue();
    lost = true;
    await route.fetch();
    return status === undefined ? route.abort() : route.fulfill({ status, body: 'a proxy' });
  });
}

test('a save that is running keeps its review open, and leaving waits for it', async () => {
  await make('in-flight', { token: 'before' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('in-flight'));
  await page.getByRole('link', { name: 'Edit' }).click();
  await setValue(page, 'token', 'after');
  const letGo = await holdWrites(page, 'PATCH');
  await reviewAndSave(page);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Back' }).isDisabled()).toBe(true);
  await page.goBack();
  await page.getByRole('heading', { name: 'Still working…' }).waitFor();
  expect(await page.getByRole('button', { name: 'Leave' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Keep waiting' }).waitFor();
  letGo();
  await page.getByText('in-flight is saved as version 2.').waitFor();
  await page.getByRole('button', { name: 'Reveal token', exact: true }).click();
  expect(await page.getByLabel('Value of token').textContent()).toBe('after');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await close();
});

test('a creation that is running cannot be left in the middle either', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByText('Enter a name.').waitFor();
  await page.getByLabel('Name').fill('being-made');
  const letGo = await holdWrites(page, 'POST');
  await createButton(page).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Still working…' }).waitFor();
  letGo();
  await page.waitForURL(`**${at('being-made')}`);
  await close();
});

test('a deletion that is running cannot be called back, and a failure of it is not left behind', async () => {
  await make('going', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('link', { name: 'going' }).click();
  await chooseAction(page, 'Delete');
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/secrets/going?**', async (route) => {
    await answered;
    await route.fulfill({ status: 429, json: { error: 'Too many requests' } });
  });
  await page.getByLabel('Type going to confirm').fill('going');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  const dialog = page.getByRole('dialog', { name: 'Delete going?' });
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.goBack();
  const waiting = page.getByRole('heading', { name: 'Still working…' });
  await waiting.waitFor();
  answer();
  await waiting.waitFor({ state: 'detached' });
  await dialog.getByRole('heading', { name: 'It was not deleted' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(at('going'));
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('going is deleted.').waitFor();
  await page.waitForURL(`**/namespaces/${here.namespace}`);
  await close();
});

test('the row of a deleted Secret is gone before a new list has come', async () => {
  await make('row', { token: 'x' });
  await make('other-row', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('link', { name: 'row', exact: true }).click();
  await chooseAction(page, 'Delete');
  await page.getByLabel('Type row to confirm').fill('row');
  await page.route('**/api/namespaces/*/secrets', () => undefined);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'other-row' }).waitFor();
  expect(await page.getByRole('link', { name: 'row', exact: true }).count()).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

test.each([
  ['lost', undefined],
  ['a 504 of a proxy', 504],
])(
  'a save whose answer is %s is looked up, and reported as the success that it was',
  async (_what, status) => {
    const name = `looked-up-${status ?? 0}`;
    await make(name, { token: 'before' });
    const { page, open, close } = await here.visit(ADMIN);
    await open(`${at(name)}/edit`);
    await setValue(page, 'token', 'after');
    await loseAnswer(page, 'PATCH', status);
    await reviewAndSave(page);
    await page.getByText(`${name} is saved as version 2.`).waitFor();
    await page.waitForURL(`**${at(name)}`);
    await close();
  },
);

test('a save of which nothing can be learnt may or may not have happened, and is tried again without harm', async () => {
  await make('unknown', { token: 'before' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('unknown')}/edit`);
  await setValue(page, 'token', 'after');
  await page.route(/\/secrets\/unknown(\?|$)/, async (route) => {
    if (route.request().method() === 'PATCH') await route.fetch();
    await route.abort();
  });
  await reviewAndSave(page);
  await page.getByRole('heading', { name: 'It may or may not have been saved' }).waitFor();
  await page.unrouteAll();
  await saveButton(page).click();
  await page.getByText('unknown is saved as version 2.').waitFor();
  expect(await storedValue('unknown', 'token')).toBe('after');
  await close();
});

test('a creation whose answer is lost is reported as the success that it was', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('made-unheard');
  await loseAnswer(page, 'POST');
  await createButton(page).click();
  await page.getByText('made-unheard is created.').waitFor();
  await close();
});

test('a conflict says who it was: outside of the service, or oneself in another tab', async () => {
  await make('whose', { token: 'before' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${at('whose')}/edit`);
  await setValue(page, 'token', 'mine');
  await here.stack.kube.patchSecret(here.namespace, 'whose', { data: { other: 'eA==' } });
  await reviewAndSave(page);
  await page.getByText('This Secret was changed outside the service').waitFor();
  // What was there before is gone, which hides neither side.
  await page.getByRole('button', { name: 'Reveal the values of token' }).click();
  await page.getByText('no longer available').waitFor();
  expect(await page.getByLabel('Value of token (theirs)').textContent()).toBe('before');
  expect(await page.getByLabel('Value of token (mine)').textContent()).toBe('mine');
  const second = await here.visit(DEVELOPER_A);
  await second.open(`${at('whose')}/edit`);
  await setValue(second.page, 'token', 'from the other tab');
  await reviewAndSave(second.page);
  await second.page.getByText('whose is saved as version 2.').waitFor();
  await reviewAndSave(page);
  await page.getByText('You saved version 2').waitFor();
  await second.close();
  await close();
});

test('the note of a save is kept in a conflict, and when the review is closed', async () => {
  await make('noted', { token: 'before', other: 'x' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${at('noted')}/edit`);
  await setValue(page, 'token', 'mine');
  const note = page.getByRole('textbox', { name: 'Note (optional)' });
  await page.getByRole('button', { name: 'Review and save' }).click();
  await note.fill('why it changes');
  await page.getByRole('button', { name: 'Back' }).click();
  await here.stack.kube.patchSecret(here.namespace, 'noted', { data: { other: 'eQ==' } });
  await page.getByRole('button', { name: 'Review and save' }).click();
  expect(await note.inputValue()).toBe('why it changes');
  await saveButton(page).click();
  await page.getByText('This Secret was changed outside the service').waitFor();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  // The keyboard goes on where the review was left, not where it was opened.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Review and save');
  await page.keyboard.press('Enter');
  expect(await note.inputValue()).toBe('why it changes');
  await saveButton(page).click();
  await page.getByText('noted is saved as version 2.').waitFor();
  await open(`${at('noted')}/history`);
  await page.getByText('why it changes').waitFor();
  await close();
});

test('values for a Secret that was locked meanwhile are kept, can be copied, and guard the page', async () => {
  await make('locked-meanwhile', { token: 'before', more: 'x' });
  const { page, context, open, close } = await here.visitInNewContext(ADMIN);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`${at('locked-meanwhile')}/edit`);
  await setValue(page, 'token', 'typed in vain');
  await here.stack.kube.patchSecret(here.namespace, 'locked-meanwhile', { immutable: true });
  await reviewAndSave(page);
  await page.getByRole('heading', { name: 'Your values, which can no longer be saved' }).waitFor();
  await page.getByText('With these choices, there is nothing to save.').waitFor();
  expect(await page.getByRole('button', { name: 'Review and save' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Keep the newer version' }).click();
  await page.getByText('No changes yet.').waitFor();
  await page.getByRole('button', { name: 'Copy token (mine)' }).click();
  await page.getByText('token (mine) is copied').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('typed in vain');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Discard these values' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL(`**${at('locked-meanwhile')}`);
  await close();
});

test('a save of values of a Secret that is being deleted fails with the words of the service', async () => {
  await here.stack.kube.createSecret(here.namespace, {
    metadata: { name: 'going-away', finalizers: ['example.com/hold'] },
    data: { token: 'eA==' },
  });
  await here.stack.kube.deleteSecret(here.namespace, 'going-away');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('going-away')}/edit`);
  await setValue(page, 'token', 'after');
  await reviewAndSave(page);
  await page.getByRole('dialog').getByText('This Secret is being deleted').waitFor();
  expect(await saveButton(page).isEnabled()).toBe(true);
  await close();
});

test('a Secret that is gone when it is saved can be created again from what was typed or looked at', async () => {
  await make('gone', { token: 'before', seen: 'as it was' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('gone')}/edit`);
  await setValue(page, 'token', 'kept');
  await page.getByRole('button', { name: 'Show and edit the value of seen' }).click();
  await page.getByRole('button', { name: 'Hide the value of seen' }).waitFor();
  await here.stack.kube.deleteSecret(here.namespace, 'gone');
  await reviewAndSave(page);
  await page.getByRole('button', { name: 'Create it again' }).click();
  await page.waitForURL(`**/namespaces/${here.namespace}/create`);
  expect(await page.evaluate<string>('JSON.stringify(history.state)')).not.toContain('kept');
  await createButton(page).click();
  await page.waitForURL(`**${at('gone')}`);
  expect(Object.fromEntries(await here.stored('gone'))).toEqual({ token: 'kept', seen: 'as it was' });
  await close();
});

test('a Secret that took the place of another is not said to be what was opened', async () => {
  await make('replaced', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('replaced'));
  await chooseAction(page, 'Delete');
  await page.route(/\/secrets\/replaced(\?|$)/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const answer = await route.fetch();
    const { secret } = (await answer.json()) as { secret: object };
    return route.fulfill({ json: { secret: { ...secret, creationTimestamp: '2030-01-01T00:00:00Z' } } });
  });
  await here.stack.kube.patchSecret(here.namespace, 'replaced', { data: { added: 'eA==' } });
  await page.getByLabel('Type replaced to confirm').fill('replaced');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Another Secret now has this name' }).waitFor();
  await page.unrouteAll();
  await close();
});
