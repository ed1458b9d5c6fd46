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
