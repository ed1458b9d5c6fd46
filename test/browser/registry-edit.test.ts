import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible } from './expectations.ts';
import { openSecretsFixture, reviewAndSave } from './secrets-fixture.ts';
import { paste } from './values-fixture.ts';

const here = openSecretsFixture();
const { at, stored } = here;

const auth = (credentials: string) => Buffer.from(credentials).toString('base64');

const makeRegistries = (name: string, auths: object) =>
  here.make(
    name,
    { '.dockerconfigjson': JSON.stringify({ auths }) },
    { type: 'kubernetes.io/dockerconfigjson' },
  );
const makeRegistry = (name: string, entry: object) => makeRegistries(name, { 'registry.example.com': entry });

test('a registry Secret is edited in a form, and what is stored is what it shows', async () => {
  await makeRegistry('registry-edit', { username: 'puller', password: 'old', auth: auth('puller:old') });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('registry-edit')}/edit`);
  await page.getByRole('button', { name: 'Show and edit the registries' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'User name' }).inputValue()).toBe('puller');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('docker-0-server');
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

test('of more registries than a page can draw, the first are shown, and they are edited as text', async () => {
  const servers = Array.from({ length: 102 }, (_, index) => `r${index}.example.com`);
  await makeRegistries('many-registries', Object.fromEntries(servers.map((server) => [server, {}])));
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('many-registries'));
  await page.getByRole('button', { name: /^Registries, details of/ }).click();
  await page.getByText('and 2 more', { exact: true }).waitFor();
  expect(await page.getByRole('list', { name: 'Registries' }).getByRole('listitem').count()).toBe(100);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Show and edit the registries' }).click();
  await page.getByText('too many for a form').waitFor();
  await close();
});

const passwordField = (page: Page) => page.getByRole('textbox', { name: 'Password or token' });

test('a registry that takes the place of another whose password is shown has its own masked', async () => {
  const entry = (password: string) => ({ username: 'puller', password, auth: auth(`puller:${password}`) });
  await makeRegistries('two-registries', {
    'one.example.com': entry('first'),
    'two.example.com': entry('second'),
  });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('two-registries')}/edit`);
  await page.getByRole('button', { name: 'Show and edit the registries' }).click();
  await page.getByRole('button', { name: 'Show and edit the password of one.example.com' }).click();
  await expect.poll(() => passwordField(page).first().inputValue()).toBe('first');
  await page.getByRole('button', { name: 'Remove registry 1' }).click();
  await expect.poll(() => passwordField(page).count()).toBe(1);
  expect(await page.getByRole('textbox', { name: 'Registry' }).inputValue()).toBe('two.example.com');
  expect(await passwordField(page).inputValue()).toBe('');
  await page.getByRole('button', { name: 'Show and edit the password of two.example.com' }).click();
  await expect.poll(() => passwordField(page).inputValue()).toBe('second');
  await close();
});

test('a configuration from a file has its passwords behind masks, in the form and as raw keys', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/dockerconfigjson');
  const config = { auths: { 'registry.example.com': { auth: auth('puller:imported') } } };
  await page.locator('input[type=file]').setInputFiles({
    name: 'config.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(config)),
  });
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Registry' }).inputValue())
    .toBe('registry.example.com');
  const isMasked = async () => {
    expect(await page.getByRole('textbox', { name: 'User name' }).inputValue()).toBe('puller');
    expect(await passwordField(page).inputValue()).toBe('');
  };
  await isMasked();
  await page.getByRole('button', { name: 'Show and edit the password of registry.example.com' }).click();
  await expect.poll(() => passwordField(page).inputValue()).toBe('imported');
  await page.getByRole('button', { name: 'Show the raw keys' }).click();
  expect(await page.getByRole('textbox', { name: 'Value of .dockerconfigjson' }).inputValue()).toBe('');
  await page.getByRole('button', { name: 'Show the form' }).click();
  await isMasked();
  await close();
});

test('a password of several lines is refused where it is pasted, and one with a line break behind it is not', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/dockerconfigjson');
  await page.getByRole('textbox', { name: 'Registry' }).fill('registry.example.com');
  await passwordField(page).fill('typed');
  await paste(passwordField(page), 'user\ntoken');
  const refusal = page.getByText('Not pasted: a password of a registry is one line.');
  await refusal.waitFor();
  expect(await passwordField(page).inputValue()).toBe('typed');
  await expectAccessible(page);
  await passwordField(page).fill('');
  await refusal.waitFor({ state: 'detached' });
  await paste(passwordField(page), 'token\r\n');
  await expect.poll(() => passwordField(page).inputValue()).toBe('token');
  expect(await refusal.count()).toBe(0);
  await close();
});
