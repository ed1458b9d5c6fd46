import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import { deleteArchived } from './delete-archived.ts';
import { chooseAction } from './secret-actions.ts';
import { content, signOut } from './frame-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

const deletedPath = () => `/namespaces/${here.namespace}/deleted`;
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const undoButton = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true });
const tokenOf = async (name: string) => (await here.stored(name)).get('token');
/** The request takes effect, and its answer does not arrive. */
const loseAnswer = async (route: Route) => {
  await route.fetch();
  return route.abort();
};
const isFor = (method: string) => (handle: (route: Route) => Promise<void>) => (route: Route) =>
  route.request().method() === method ? handle(route) : route.fallback();

async function confirmDeletion(page: Page, name: string): Promise<void> {
  await chooseAction(page, 'Delete');
  await page.getByLabel(`Type ${name} to confirm`).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
}

async function makeDeleted(name: string, more: object = {}): Promise<void> {
  await make(name, { token: `token of ${name}` }, more);
  await deleteArchived(here.admin, here.namespace, name);
}

const snapshotsOf = async (name: string) =>
  (await here.stack.kube.listSecrets(here.namespace)).filter(({ metadata }) =>
    metadata.name.startsWith(`${name}.v`),
  );

test('a deletion is undone from its notice, which stays on the list', async () => {
  await make('undone', { token: 'kept' }, { description: 'the same again' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(at('undone'));
  await confirmDeletion(page, 'undone');
  // Under the pointer it stays.
  await page.getByText('undone is deleted.').hover();
  await page.waitForURL(`**/namespaces/${here.namespace}`);
  expect(await tokenOf('undone')).toBeUndefined();
  await undoButton(page).click();
  await page.getByText('undone is restored.').waitFor();
  await row(page, 'undone').getByText('the same again').waitFor();
  expect(await tokenOf('undone')).toBe('kept');
  await page.getByRole('link', { name: 'Show undone' }).click();
  await page.getByRole('heading', { name: 'undone', level: 1 }).waitFor();
  await close();
});

test('coming back to the deleted Secrets reads them again', async () => {
  await makeDeleted('deleted-before');
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(deletedPath());
  await row(page, 'deleted-before').waitFor();
  await makeDeleted('deleted-elsewhere');
  await page.clock.fastForward(60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await row(page, 'deleted-elsewhere').waitFor();
  await close();
});

test('a deletion from the row of a list, and one of several, are undone from their notice', async () => {
  for (const name of ['of-row', 'of-many-1', 'of-many-2']) await make(name, { token: name });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('button', { name: 'Actions for of-row' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('its values stay in the cluster').waitFor();
  await page.getByLabel('Type of-row to confirm').fill('of-row');
  await page.keyboard.press('Enter');
  await page.getByText('of-row is deleted.').waitFor();
  await row(page, 'of-row').waitFor({ state: 'detached' });
  await undoButton(page).click();
  await page.getByText('of-row is restored.').waitFor();
  await row(page, 'of-row').waitFor();

  for (const name of ['of-many-1', 'of-many-2']) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('their values stay in the cluster').waitFor();
  await page.getByLabel('Type delete to confirm').fill('delete');
  await page.keyboard.press('Enter');
  await page.getByText('2 Secrets deleted.').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await tokenOf('of-many-1')).toBeUndefined();
  await undoButton(page).click();
  await page.getByText('2 Secrets restored.').waitFor();
  expect(await Promise.all(['of-row', 'of-many-1', 'of-many-2'].map(tokenOf))).toEqual([
    ...['of-row', 'of-many-1', 'of-many-2'],
  ]);
  // What the list has lost is not selected when it comes back.
  const box = page.getByLabel('Select of-many-1');
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  await close();
});

test('an undo whose answer is lost is looked up', async () => {
  await make('lost-undo', { token: 'kept' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('lost-undo'));
  await page.route('**/deleted/*/restore', loseAnswer);
  await confirmDeletion(page, 'lost-undo');
  await undoButton(page).click();
  await page.getByText('lost-undo is restored.').waitFor();
  expect(await tokenOf('lost-undo')).toBe('kept');
  await page.unrouteAll();
  await close();
});

test('an undo without an answer may be done later, and leads to what can be restored', async () => {
  await make('never-undone', { token: 'kept' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('never-undone'));
  const cutOff = Promise.withResolvers<undefined>();
  await page.route('**/deleted/*/restore', async (route) => {
    await cutOff.promise;
    return route.abort();
  });
  await confirmDeletion(page, 'never-undone');
  await undoButton(page).click();
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign out while this page is still working?' }).waitFor();
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  cutOff.resolve(undefined);
  await page.getByText(/never-undone may or may not have been restored: .* Look at the list/).waitFor();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Show deleted' }).last().click();
  await row(page, 'never-undone').waitFor();
  await close();
});

test('a deletion whose answer is lost can be undone, too', async () => {
  await make('lost-deletion', { token: 'kept' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('lost-deletion'));
  await page.route('**/secrets/lost-deletion?*', isFor('DELETE')(loseAnswer));
  await confirmDeletion(page, 'lost-deletion');
  await page.getByText('lost-deletion is deleted.').waitFor();
  await page.unrouteAll();
  await undoButton(page).click();
  await page.getByText('lost-deletion is restored.').waitFor();
  expect(await tokenOf('lost-deletion')).toBe('kept');
  await close();
});

test('a permanent deletion takes the history with it, and offers no undo', async () => {
  await make('for-good', { token: 'gone' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('for-good'));
  await chooseAction(page, 'Delete');
  await page.getByText('its values stay in the cluster').waitFor();
  await page.getByLabel('Delete permanently, with its history').check();
  await page.getByLabel('Type for-good to confirm').fill('for-good');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('for-good and its history are deleted permanently.').waitFor();
  expect(await undoButton(page).count()).toBe(0);
  expect(await snapshotsOf('for-good')).toEqual([]);
  await close();
});

test('a service account token cannot be restored, and is deleted permanently', async () => {
  const { kube } = here.stack;
  await kube.createServiceAccount(here.namespace, 'robot');
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const type = 'kubernetes.io/service-account-token';
  await kube.createSecret(here.namespace, { metadata: { name: 'robot-token', annotations }, type, data: {} });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('robot-token'));
  await chooseAction(page, 'Delete');
  await page.getByText('A service account token cannot be restored.').waitFor();
  expect(await page.getByLabel('Delete permanently, with its history').count()).toBe(0);
  await page.getByLabel('Type robot-token to confirm').fill('robot-token');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('robot-token and its history are deleted permanently.').waitFor();
  expect(await snapshotsOf('robot-token')).toEqual([]);
  await close();
});

test('the view of deleted Secrets says who deleted them when, and that the values are still there', async () => {
  await makeDeleted('listed', { description: 'what it was for' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`/namespaces/${here.namespace}`);
  await content(page).getByRole('link', { name: 'Deleted', exact: true }).click();
  await page.waitForURL(`**${deletedPath()}`);
  const cells = row(page, 'listed');
  for (const text of ['what it was for', '1 key', 'just now', 'admin@example.com', 'no end date'])
    await cells.getByText(text).waitFor();
  await page.getByText('The values of these Secrets are still in the cluster').waitFor();
  await page.getByText('They stay until someone deletes them permanently.').waitFor();
  expect(await page.title()).toBe(`Deleted in ${here.namespace} · Secrets`);
  expect(await page.content()).not.toContain('token of listed');
  await open(`${deletedPath()}?q=no-such`);
  await page.getByText(/^0 of \d+$/).waitFor();
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('list');
  await row(page, 'listed').waitFor();
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: here.namespace })
    .click();
  await page.waitForURL(`**/namespaces/${here.namespace}`);
  await close();
});

test('where deleted Secrets expire, the view says until when each is kept', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.route(`**/api${deletedPath()}?*`, async (route) => {
    const response = await route.fetch();
    const { namespace, deleted } = (await response.json()) as { namespace: string; deleted: object[] };
    const expiresAt = '2031-02-03T04:05:06Z';
    return route.fulfill({ json: { namespace, deleted: deleted.map((one) => ({ ...one, expiresAt })) } });
  });
  await makeDeleted('expiring');
  await open(deletedPath());
  await row(page, 'expiring').getByText('Feb 3, 2031').waitFor();
  await page.getByText('They stay until the time under “Kept until”').waitFor();
  await page.unrouteAll();
  await close();
});

test('a deleted Secret is restored, under another name where its own is taken', async () => {
  await makeDeleted('taken');
  await make('taken', { token: 'another' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(deletedPath());
  await page.getByRole('button', { name: 'Restore taken', exact: true }).click();
  await page.getByText('Restore it under another name.').waitFor();
  expect(await tokenOf('taken')).toBe('another');
  await page.getByRole('button', { name: 'Restore taken as another Secret' }).click();
  const dialog = page.getByRole('dialog');
  const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
  await dialog.getByLabel('New name').fill('Not A Name');
  await dialog.getByText('must be a DNS subdomain').waitFor();
  expect(await restore.isDisabled()).toBe(true);
  await dialog.getByLabel('New name').fill('taken-2');
  await restore.click();
  await page.getByText('taken-2 is restored.').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  expect(await tokenOf('taken-2')).toBe('token of taken');
  await close();
});

test('a restore from the view whose answer is lost is recognized at the second attempt', async () => {
  await makeDeleted('twice');
  const { page, open, close } = await here.visit(ADMIN);
  await open(deletedPath());
  await page.route('**/deleted/*/restore', loseAnswer);
  await page.route(`**/api/namespaces/${here.namespace}/secrets/twice?*`, (route) => route.abort());
  const restore = page.getByRole('button', { name: 'Restore twice', exact: true });
  await restore.click();
  await page.getByText('twice may or may not have been restored').waitFor();
  await page.unrouteAll();
  await restore.click();
  await page.getByText('twice is restored.').waitFor();
  expect(await tokenOf('twice')).toBe('token of twice');
  await close();
});

test('deleting permanently takes the typed name, and removes what was kept', async () => {
  await makeDeleted('unwanted');
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(deletedPath());
  await page.getByRole('button', { name: 'Delete unwanted permanently' }).click();
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Delete permanently' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel('Type unwanted to confirm').fill('unwanted');
  await page.route('**/deleted/*', isFor('DELETE')(loseAnswer));
  await remove.click();
  await page.getByText('unwanted is deleted permanently.').waitFor();
  await row(page, 'unwanted').waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  expect(await snapshotsOf('unwanted')).toEqual([]);
  await page.unrouteAll();
  await close();
});

test('a namespace where nothing was deleted says what the view is for', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${await here.stack.namespace()}/deleted`);
  await page.getByRole('heading', { name: 'No deleted Secrets' }).waitFor();
  await close();
});
