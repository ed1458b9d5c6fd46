import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible, expectNoSidewaysScroll } from './expectations.ts';
import { chooseAction } from './secret-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at } = here;

test('a Secret is copied to another namespace after a review, with or without its rules', async () => {
  const target = await here.stack.namespace();
  await here.make('original', { token: 'a\r\nb' }, { description: 'about', allowedGroups: ['team-a'] });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('original'));
  await chooseAction(page, 'Copy to…');
  await page.getByRole('heading', { name: 'Copy original' }).waitFor();
  const review = page.getByRole('button', { name: 'Review and copy' });
  await expect.poll(() => page.getByLabel('To namespace').inputValue()).toBe('');
  expect(await review.isDisabled()).toBe(true);
  await page.getByLabel('To namespace').selectOption(here.namespace);
  await page.getByLabel('Name of the copy').fill('original');
  await page.getByText('Choose another name or namespace.').waitFor();
  await page.getByLabel('To namespace').selectOption(target);
  await page.getByLabel('Copy the access rules').uncheck();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Review and copy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('everyone with access to the namespace', { exact: true }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.waitForURL(`**/namespaces/${target}/secrets/original`);
  const copy = await here.stack.kube.getSecret(target, 'original');
  expect(copy?.data).toEqual({ token: Buffer.from('a\r\nb').toString('base64') });
  expect(copy?.metadata.annotations?.['service.io/description']).toBe('about');
  expect(copy?.metadata.annotations?.['service.io/allowed-groups'] ?? '').toBe('');
  await close();
});

test('a duplicate begins beside its original, and a name that is taken is no crash', async () => {
  await here.make('twice', { token: 'x' });
  await here.make('twice-copy', { token: 'y' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('twice'));
  await chooseAction(page, 'Duplicate');
  await expect.poll(() => page.getByLabel('Name of the copy').inputValue()).toBe('twice-copy');
  await page.getByText('A Secret with this name exists already.').waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Review and copy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('heading', { name: "Couldn't copy the Secret" }).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Name of the copy').fill('twice-more');
  await page.getByRole('button', { name: 'Review and copy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await page.waitForURL(`**${at('twice-more')}`);
  expect((await here.stored('twice-more')).get('token')).toBe('x');
  await close();
});

test('a service account token cannot be copied, and binary values are, byte for byte', async () => {
  await here.stack.kube.createSecret(here.namespace, {
    metadata: { name: 'sa', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  });
  await here.stack.kube.createSecret(here.namespace, { metadata: { name: 'bin' }, data: { store: 'AP8=' } });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('sa')}/copy`);
  await page.getByText('The cluster makes service account tokens itself').waitFor();
  await open(`${at('bin')}/copy#duplicate`);
  await page.getByRole('button', { name: 'Review and copy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await page.waitForURL(`**${at('bin-copy')}`);
  expect((await here.stack.kube.getSecret(here.namespace, 'bin-copy'))?.data).toEqual({ store: 'AP8=' });
  await close();
});
