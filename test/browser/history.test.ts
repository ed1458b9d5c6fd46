import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import type { Visit } from './profiles.ts';
import { openSecretsFixture, reviewAndSave, setValue } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at } = here;

/** A Secret whose versions hold the given tokens, the last one live. */
async function withVersions(name: string, tokens: readonly string[]): Promise<void> {
  const [first, ...later] = tokens;
  await here.admin.post(`/api/namespaces/${here.namespace}/secrets`, {
    name,
    data: { token: first, same: 'x' },
  });
  for (const token of later) {
    const { secret } = (await here.admin.get(`/api${at(name)}`)).json as {
      secret: { resourceVersion: string };
    };
    const { status, text } = await here.admin.put(`/api${at(name)}`, {
      resourceVersion: secret.resourceVersion,
      data: { token, same: 'x' },
    });
    if (status !== 200) throw new Error(text);
  }
}

const tokenOf = async (name: string) => (await here.stored(name)).get('token');

test('any two versions are compared key by key, masked, and a version is restored after a review', async () => {
  await withVersions('settings', ['one', 'two', 'three']);
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${at('settings')}/history`);
  await page.getByRole('button', { name: 'View version 1' }).click();
  await page.getByLabel('Compare with').selectOption('2');
  await page.getByText('1 of 2 keys differ.').waitFor();
  const compared = page.getByRole('table', { name: 'Changes by key' });
  const unchanged = compared.getByRole('row', { name: /^same/ });
  expect(await unchanged.count()).toBe(0);
  await page.getByRole('button', { name: 'Show the key that is the same' }).click();
  await unchanged.waitFor();
  await page.getByRole('button', { name: 'Reveal token (Version 1)' }).click();
  await compared
    .getByRole('row', { name: /^token/ })
    .getByText('one')
    .waitFor();
  await page.getByLabel('Compare with').selectOption('Compared with live (version 3)');
  await page.getByRole('button', { name: 'Reveal token (Live)' }).click();
  await compared
    .getByRole('row', { name: /^token/ })
    .getByText('three')
    .waitFor();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /^token.*changed/ }).waitFor();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is restored as version 4.').waitFor();
  expect(await tokenOf('settings')).toBe('one');
  await page.getByRole('row', { name: /^View version 4 live developer-a@example.com/ }).waitFor();
  await close();
});

test('a time that someone has annotated malformed is unknown, and the history is shown', async () => {
  await withVersions('no-time', ['one', 'two']);
  const annotations = { 'service.io/last-modified-at': 'yesterday' };
  await here.stack.kube.patchSecret(here.namespace, 'no-time', { metadata: { annotations } });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('no-time')}/history`);
  await page.getByRole('row', { name: /^View version 2 live \S+ unknown/ }).waitFor();
  await page.getByRole('row', { name: /^View version 1 \S+ just now/ }).waitFor();
  await close();
});

test('a Secret without history says how history comes about', async () => {
  await withVersions('fresh', ['one']);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('fresh')}/history`);
  await page.getByText('No earlier versions yet.').waitFor();
  await close();
});

test('a restore that would overwrite an unseen change is refused', async () => {
  await withVersions('raced', ['one', 'two']);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('raced')}/history`);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /^token/ }).waitFor();
  await here.stack.kube.patchSecret(here.namespace, 'raced', { data: { token: 'bmV3' } });
  const note = dialog.getByRole('textbox', { name: 'Note (optional)' });
  await note.fill('why it goes back');
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.getByText('Someone changed this Secret since you opened it').waitFor();
  expect(await tokenOf('raced')).toBe('new');
  await dialog.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => note.inputValue()).toBe('why it goes back');
  await close();
});

test('a counter collision is explained; an admin recovers, and no one else can', async () => {
  await withVersions('collided', ['one', 'two', 'three']);
  // Someone sets the counter back with kubectl: the next save would archive under a number that is taken.
  await here.stack.kube.patchSecret(here.namespace, 'collided', {
    metadata: { annotations: { 'service.io/version': '1' } },
  });
  const attempt = async ({ page, open }: Visit) => {
    await open(`${at('collided')}/edit`);
    await setValue(page, 'token', 'four');
    await reviewAndSave(page);
    await page.getByText('The history already has this version number').waitFor();
    await page.getByRole('button', { name: 'Recover and save' }).click();
  };
  const developer = await here.visit(DEVELOPER_A);
  await attempt(developer);
  await developer.page.getByText('Only an admin may recover the version counter').waitFor();
  expect(await tokenOf('collided')).toBe('three');
  await developer.close();
  const visit = await here.visit(ADMIN);
  await attempt(visit);
  // The counter is recovered by an update of its own, before the patch of the value.
  await visit.page.getByText('collided is saved as version 5.').waitFor();
  expect(await tokenOf('collided')).toBe('four');
  await visit.close();
});

test('values that a save does not store after it recovered the counter are still to be saved', async () => {
  await withVersions('half-recovered', ['one', 'two', 'three']);
  await here.stack.kube.patchSecret(here.namespace, 'half-recovered', {
    metadata: { annotations: { 'service.io/version': '1' } },
  });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('half-recovered')}/edit`);
  await setValue(page, 'token', 'four');
  await page.locator('[data-key="same"] .key-input input').fill('renamed');
  await reviewAndSave(page);
  const recover = page.getByRole('button', { name: 'Recover and save' });
  await recover.waitFor();
  await page.route('**/secrets/half-recovered', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 429, json: { error: 'Too many requests' } })
      : route.continue(),
  );
  await recover.click();
  await page.getByRole('heading', { name: "Couldn't save" }).waitFor();
  expect(await page.getByText('The values are saved').count()).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.unrouteAll();
  await reviewAndSave(page);
  await page.getByText('half-recovered is saved as version 5.').waitFor();
  expect(Object.fromEntries(await here.stored('half-recovered'))).toEqual({ token: 'four', renamed: 'x' });
  await close();
});

test('a version of an immutable Secret is not offered for a restore', async () => {
  await withVersions('sealed', ['one', 'two']);
  await here.stack.kube.patchSecret(here.namespace, 'sealed', { immutable: true });
  const { page, open, close } = await here.visit(ADMIN);
  const level = page.waitForResponse('**/secrets/sealed/access');
  await open(`${at('sealed')}/history`);
  await level;
  await page.getByRole('button', { name: 'View version 1' }).waitFor();
  await page.getByText('immutable', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Restore version 1' }).count()).toBe(0);
  await close();
});

test('one key is restored with 4 clicks, with a note that the history shows, while the others stay', async () => {
  await here.make('one-key', { password: 'old', host: 'old' });
  const path = `/api${at('one-key')}`;
  const { secret } = (await here.admin.get(path)).json as { secret: { resourceVersion: string } };
  const { resourceVersion } = secret;
  const changed = await here.admin.put(path, { resourceVersion, data: { password: 'new', host: 'new' } });
  expect(changed.status).toBe(200);
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('one-key'));
  await page.getByRole('tab', { name: /^History/ }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Restore host' }).click();
  await dialog.getByRole('textbox', { name: 'Note' }).fill('the new password was refused');
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is restored as version 3.').waitFor();
  await page.getByText('the new password was refused').waitFor();
  expect(Object.fromEntries(await here.stored('one-key'))).toEqual({ password: 'old', host: 'new' });
  await close();
});
