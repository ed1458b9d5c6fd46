import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeCertificate } from '../fakes/certificate.ts';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible } from './expectations.ts';
import { openSecretsFixture, reviewAndSave, setValue } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, stored } = here;

const TYPE = { type: 'kubernetes.io/tls' };
const MISMATCH = 'tls.key is not the key of the certificate in tls.crt.';
const web = makeCertificate('web');
const other = makeCertificate('other');

test('the key of another certificate is warned of before and after it is saved, and saved', async () => {
  await here.make('web', { 'tls.crt': web.cert, 'tls.key': web.key }, TYPE);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('web')}/edit`);
  const warning = page.getByText(MISMATCH);
  await page.getByRole('button', { name: 'Show and edit the value of tls.key' }).waitFor();
  expect(await warning.count()).toBe(0);
  // A certificate that stays is not read for this; the service compares it after the save.
  await page.getByRole('button', { name: 'Show and edit the value of tls.crt' }).click();
  await setValue(page, 'tls.key', other.key);
  await warning.waitFor();
  await expectAccessible(page);
  await reviewAndSave(page);
  await page.getByText('web is saved as version 2.').waitFor();
  await warning.waitFor();
  expect((await stored('web')).get('tls.key')).toBe(other.key);
  await close();
});

test('nonsense is named for each value, and nothing is said of what is not filled in yet', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Type', { exact: true }).selectOption(TYPE.type);
  const empty = page.getByText('This value is empty');
  const certificate = page.getByRole('textbox', { name: 'Certificate', exact: true });
  await certificate.waitFor();
  expect(await empty.count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Generate a value/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Add CA certificate', exact: true }).waitFor();
  await certificate.focus();
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => empty.count()).toBe(1);
  await certificate.fill('nonsense');
  const summary = page.getByRole('heading', { name: 'Check the certificate' });
  expect(await summary.count()).toBe(0);
  await page.getByRole('textbox', { name: 'Private key', exact: true }).fill('nonsense');
  await summary.waitFor();
  await page.getByText('tls.crt does not begin with a certificate (PEM) that can be read.').waitFor();
  await page.getByText('tls.key contains no private key (PEM) that can be read.').waitFor();
  await close();
});

/** What is said below the field of a certificate, in a region that is announced. */
const notes = (page: Page, key: string) =>
  page.locator(`[data-key="${key}"]`).locator('.certificate-notes[role="status"]');

test('a certificate is described below its field while it is typed, and whether the key fits', async () => {
  const issuer = makeCertificate('issuer');
  const soon = makeCertificate('soon', { issuer, validTo: 74 * 3_600 });
  const { page, open, close } = await here.visit(ADMIN);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Type', { exact: true }).selectOption(TYPE.type);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Certificate').waitFor();
  const ofCertificate = notes(page, 'tls.crt');
  expect(await ofCertificate.textContent()).toBe('');
  await field('Certificate').fill(soon.cert + issuer.cert);
  for (const text of [
    'CN=soon',
    'localhost, 127.0.0.1',
    'CN=issuer',
    'expires in 3 days',
    '2 certificates',
  ]) {
    await ofCertificate.getByText(text, { exact: true }).waitFor();
  }
  expect(await ofCertificate.getByText('Private key').count()).toBe(0);
  await field('Private key').fill(other.key);
  await ofCertificate.getByText('is not the key of this certificate').waitFor();
  await field('Private key').fill('nonsense');
  await ofCertificate.getByText('cannot be read here').waitFor();
  await field('Private key').fill(soon.key);
  await ofCertificate.getByText('fits this certificate').waitFor();
  await page.getByRole('button', { name: 'Add CA certificate', exact: true }).click();
  expect(await notes(page, 'ca.crt').textContent()).toBe('');
  await field('CA certificate').fill(issuer.cert + web.cert + other.cert);
  await notes(page, 'ca.crt').getByText('3 certificates', { exact: true }).waitFor();
  expect(await notes(page, 'ca.crt').getByText('Private key').count()).toBe(0);
  await expectAccessible(page);
  expect(sent.filter((body) => body.includes('BEGIN'))).toEqual([]);
  await field('Certificate').fill('nonsense');
  await ofCertificate.getByText('No certificate (PEM) can be read at the beginning.').waitFor();
  await field('Certificate').fill('');
  await expect.poll(() => ofCertificate.textContent()).toBe('');
  await close();
});

test('a certificate that replaces another is described, and a key that stays is left to the service', async () => {
  await here.make('renewed', { 'tls.crt': web.cert, 'tls.key': web.key }, TYPE);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('renewed')}/edit`);
  const ofCertificate = notes(page, 'tls.crt');
  await expect.poll(() => ofCertificate.count()).toBe(1);
  expect(await ofCertificate.textContent()).toBe('');
  await setValue(page, 'tls.crt', other.cert);
  await ofCertificate.getByText('CN=other', { exact: true }).first().waitFor();
  await ofCertificate.getByText('stays as it is; the service compares it when you save').waitFor();
  await reviewAndSave(page);
  await page.getByText('renewed is saved as version 2.').waitFor();
  await page.getByText(MISMATCH).waitFor();
  await close();
});
