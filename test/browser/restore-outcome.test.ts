import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

const tokenOf = async (name: string) => (await here.stored(name)).get('token');

/** A Secret with one archived version, whose token is "one"; the live one is "two". */
async function makeChanged(name: string): Promise<void> {
  await make(name, { token: 'one' });
  const { secret } = (await here.admin.get(`/api${at(name)}`)).json as {
    secret: { resourceVersion: string };
  };
  const body = { resourceVersion: secret.resourceVersion, data: { token: 'two' } };
  const { status, text } = await here.admin.put(`/api${at(name)}`, body);
  if (status !== 200) throw new Error(text);
}

async function confirmRestore(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /^token/ }).waitFor();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
}

test('a restore whose answer is lost is reported as the success that it was', async () => {
  await makeChanged('lost-answer');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('lost-answer')}/history`);
  await page.route('**/lost-answer/restore', async (route) => {
    await route.fetch();
    return route.abort();
  });
  await confirmRestore(page);
  await page.getByText('Version 1 is restored as version 3.').waitFor();
  expect(await tokenOf('lost-answer')).toBe('one');
  await page.unrouteAll();
  await close();
});

test('a restore without an answer may be done later, also when it shows nowhere and another attempt has failed', async () => {
  await makeChanged('never-sent');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('never-sent')}/history`);
  const sent: unknown[] = [];
  await page.route('**/never-sent/restore', (route) => {
    const headers = { 'x-request-id': 'ended' };
    return sent.push(route.request().postDataJSON()) === 1
      ? route.abort()
      : route.fulfill({ status: 503, headers, json: { error: 'Not now' } });
  });
  await confirmRestore(page);
  const unknown = page.getByRole('heading', { name: 'It may or may not have been restored' });
  await unknown.waitFor();
  expect(await tokenOf('never-sent')).toBe('two');
  const restore = page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true });
  await restore.click();
  await page.getByText('Not now').waitFor();
  await unknown.waitFor();
  await page.unrouteAll();
  expect(await here.admin.post(`/api${at('never-sent')}/restore`, sent[0])).toMatchObject({ status: 200 });
  await restore.click();
  await page.getByText('Version 1 is restored as version 3.').waitFor();
  await close();
});

test('a restore of a Secret that is being deleted fails with the words of the service, and is not offered again', async () => {
  await makeChanged('being-deleted');
  await here.stack.kube.patchSecret(here.namespace, 'being-deleted', {
    metadata: { finalizers: ['example.com/hold'] },
  });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('being-deleted')}/history`);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /^token/ }).waitFor();
  await here.stack.kube.deleteSecret(here.namespace, 'being-deleted');
  const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
  await restore.click();
  await dialog.getByRole('button', { name: 'Reload' }).click();
  await restore.click();
  await dialog.getByRole('heading', { name: "Couldn't restore the version" }).waitFor();
  await dialog.getByText('This Secret is being deleted').waitFor();
  expect(await restore.isEnabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Restore version 1' }).waitFor({ state: 'detached' });
  await close();
});

test('a restore that was done, and could not be looked up, is recognized at the second attempt', async () => {
  await makeChanged('second-attempt');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('second-attempt')}/history`);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /^token/ }).waitFor();
  await page.route('**/secrets/second-attempt**', async (route) => {
    if (route.request().method() === 'POST') await route.fetch();
    return route.abort();
  });
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('heading', { name: 'It may or may not have been restored' }).waitFor();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is restored as version 3.').waitFor();
  expect(await tokenOf('second-attempt')).toBe('one');
  await close();
});
