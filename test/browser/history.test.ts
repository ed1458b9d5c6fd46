import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A, type ApiClient } from '../harness/api-client.ts';
import { startBrowserGround, type BrowserGround } from './ground.ts';

let ground: BrowserGround;
let namespace: string;
let admin: ApiClient;

beforeAll(async () => {
  ground = await startBrowserGround();
  namespace = await ground.stack.namespace();
  admin = await ground.stack.client(ADMIN);
});

afterAll(() => ground.close());

const at = (name: string) => `/namespaces/${namespace}/secrets/${name}`;

/** A Secret whose versions hold the given tokens, the last one live. */
async function withVersions(name: string, tokens: readonly string[]): Promise<void> {
  const [first, ...later] = tokens;
  await admin.post(`/api/namespaces/${namespace}/secrets`, { name, data: { token: first, same: 'x' } });
  for (const token of later) {
    const { secret } = (await admin.get(`/api${at(name)}`)).json as { secret: { resourceVersion: string } };
    const { status, text } = await admin.put(`/api${at(name)}`, {
      resourceVersion: secret.resourceVersion,
      data: { token, same: 'x' },
    });
    if (status !== 200) throw new Error(text);
  }
}

async function tokenOf(name: string): Promise<string> {
  const secret = await ground.stack.kube.getSecret(namespace, name);
  return Buffer.from(secret?.data?.['token'] ?? '', 'base64').toString('utf8');
}

test('any two versions are compared key by key, masked, and a version is restored after a review', async () => {
  await withVersions('settings', ['one', 'two', 'three']);
  const { page, open, close } = await ground.visit(DEVELOPER_A);
  await open(`${at('settings')}/history`);
  await page.getByLabel('First state').selectOption('Version 1');
  await page.getByLabel('Second state').selectOption('Version 2');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('1 of 2 keys differ.').waitFor();
  await page.getByRole('button', { name: 'Reveal token (Version 1)' }).click();
  await page
    .getByRole('row', { name: /^token/ })
    .getByText('one')
    .waitFor();
  await page.getByLabel('Second state').selectOption('Live (version 3)');
  await page.getByRole('button', { name: 'Reveal token (Live)' }).click();
  await page
    .getByRole('row', { name: /^token/ })
    .getByText('three')
    .waitFor();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /^token.*changed/ }).waitFor();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is restored as version 4.').waitFor();
  expect(await tokenOf('settings')).toBe('one');
  await page.getByRole('row', { name: /^4 live developer-a@example.com/ }).waitFor();
  await close();
});

test('a Secret without history says how history comes about', async () => {
  await withVersions('fresh', ['one']);
  const { page, open, close } = await ground.visit(ADMIN);
  await open(`${at('fresh')}/history`);
  await page.getByText('No version is archived yet.').waitFor();
  await close();
});

test('a restore that would overwrite an unseen change is refused', async () => {
  await withVersions('raced', ['one', 'two']);
  const { page, open, close } = await ground.visit(ADMIN);
  await open(`${at('raced')}/history`);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await ground.stack.kube.patchSecret(namespace, 'raced', { data: { token: 'bmV3' } });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /^token/ }).waitFor();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.getByText('This Secret has changed since you opened it').waitFor();
  expect(await tokenOf('raced')).toBe('new');
  await close();
});

test('a counter collision is explained; an admin recovers, and nobody else can', async () => {
  await withVersions('collided', ['one', 'two', 'three']);
  // Somebody sets the counter back with kubectl: the next save would archive under a number that is taken.
  await ground.stack.kube.patchSecret(namespace, 'collided', {
    metadata: { annotations: { 'service.io/version': '1' } },
  });
  const attempt = async (visit: Awaited<ReturnType<BrowserGround['visit']>>) => {
    const { page, open } = visit;
    await open(`${at('collided')}/edit`);
    await page.getByRole('button', { name: 'Show and edit the value of token' }).click();
    await page.getByRole('textbox', { name: 'Value of token' }).fill('four');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('This version number is taken in the history').waitFor();
    await page.getByRole('button', { name: 'I have reviewed it: recover and save' }).click();
  };
  const developer = await ground.visit(DEVELOPER_A);
  await attempt(developer);
  await developer.page.getByText('Only an admin may recover the version counter').waitFor();
  expect(await tokenOf('collided')).toBe('three');
  await developer.close();
  const visit = await ground.visit(ADMIN);
  await attempt(visit);
  await visit.page.getByText('collided is saved as version 4.').waitFor();
  expect(await tokenOf('collided')).toBe('four');
  await visit.close();
});
