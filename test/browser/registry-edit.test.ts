import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible } from './expectations.ts';
import { openSecretsFixture, reviewAndSave } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, stored } = here;

const auth = (credentials: string) => Buffer.from(credentials).toString('base64');

const makeRegistry = (name: string, entry: object) =>
  here.make(
    name,
    { '.dockerconfigjson': JSON.stringify({ auths: { 'registry.example.com': entry } }) },
    { type: 'kubernetes.io/dockerconfigjson' },
  );

test('a registry Secret is edited in a form, and what is stored is what it shows', async () => {
  await makeRegistry('registry-edit', { username: 'puller', password: 'old', auth: auth('puller:old') });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('registry-edit')}/edit`);
  await page.getByRole('button', { name: 'Show and edit the registries' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'User name' }).inputValue()).toBe('puller');
  expect(await page.content()).not.toContain('value="old"');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show and edit the password of registry.example.com' }).click();
  await page.getByRole('textbox', { name: 'Password or token' }).fill('new');
  await reviewAndSave(page);
  await page.getByText('registry-edit is saved as version 2.').waitFor();
  const config = JSON.parse((await stored('registry-edit')).get('.dockerconfigjson') ?? '') as unknown;
  expect(config).toEqual({
    auths: { 'registry.example.com': { username: 'puller', password: 'new', auth: auth('puller:new') } },
  });
  await close();
});

test('where auth and password disagree, what the cluster uses is shown, with a warning', async () => {
  await makeRegistry('disagrees', { username: 'shown', password: 'unused', auth: auth('used:by-cluster') });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('disagrees'));
  await page.getByRole('button', { name: /^Registries, details of/ }).click();
  await page.getByText('Kubernetes uses those in "auth"').waitFor();
  await page.getByRole('list', { name: 'Registries' }).getByText('used', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Show and edit the registries' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'User name' }).inputValue()).toBe('used');
  await page.getByText('Kubernetes uses those in "auth"').waitFor();
  await page.getByRole('button', { name: 'Show the raw keys' }).click();
  await page.getByText('Kubernetes uses those in "auth"').waitFor();
  await close();
});
