import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeCertificate } from '../fakes/certificate.ts';
import { secretOf } from '../harness/answers.ts';
import { ADMIN } from '../harness/api-client.ts';
import { content } from './frame-actions.ts';
import { testLooks, type Screen } from './look.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const DAY_S = 24 * 60 * 60;
const here = openSecretsFixture();

beforeAll(async () => {
  await here.stack.kube.createNamespace('cherries');
  const create = async (namespace: string, name: string, days: number) => {
    const validTo = days * DAY_S;
    const { cert, key } = makeCertificate(`${name}.example.com`, { validFrom: -10 * DAY_S, validTo });
    const data = { 'tls.crt': cert, 'tls.key': key };
    const body = { name, type: 'kubernetes.io/tls', data, description: `Certificate of ${name}` };
    const { status, text } = await here.admin.post(`/api/namespaces/${namespace}/secrets`, body);
    if (status !== 201) throw new Error(text);
  };
  await create(here.namespace, 'in-a-year', 365);
  await create(here.namespace, 'in-three-weeks', 21.5);
  await create('cherries', 'in-three-days', 3.5);
  await create('cherries', 'over', -2.5);
});

const groups = (page: Page) => content(page).getByRole('heading', { level: 2 }).allTextContents();
const opened: Screen = async ({ open, page }) => {
  await open('/expiring');
  await page.getByRole('link', { name: 'in-three-weeks' }).waitFor();
};

test('what expires in any namespace is one click away, the most urgent first', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open('/');
  await page.getByRole('link', { name: /^Expiring\s*3/ }).click();
  await page.waitForURL('**/expiring');
  await expect.poll(() => groups(page)).toEqual(['Expired 1', 'Within 7 days 1', 'Within 30 days 1']);
  await expect
    .poll(() => content(page).getByRole('listitem').allTextContents())
    .toEqual([
      expect.stringContaining('over'),
      expect.stringContaining('in-three-days'),
      expect.stringContaining('in-three-weeks'),
    ]);
  await close();
});

test('declared dates and due rotations are beside certificates, in the view and in the badges of the list', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await here.stack.kube.createNamespace('dates');
  const path = '/api/namespaces/dates/secrets';
  const inDays = (days: number) => new Date(Date.now() + days * DAY_S * 1_000).toISOString();
  await here.admin.post(path, { name: 'dated', expiresAt: inDays(5.5) });
  await here.admin.post(path, { name: 'rotated', rotateEvery: '20d', expiresAt: inDays(25.5) });
  await open('/expiring');
  const row = (name: string) => content(page).getByRole('row').filter({ hasText: name });
  const item = (name: string) => content(page).getByRole('listitem').filter({ hasText: name });
  await item('dated').getByText('Declared date').waitFor();
  await item('dated').getByText('expires in 5 days', { exact: true }).waitFor();
  await item('rotated').getByText('rotation due in 19 days', { exact: true }).waitFor();
  await item('rotated').getByText('Declared date').waitFor();
  await open('/namespaces/dates');
  await row('dated').getByText('expires in 5 days', { exact: true }).waitFor();
  await row('rotated').getByText('rotation due in 19 days', { exact: true }).waitFor();
  await close();
  for (const name of ['dated', 'rotated']) await here.stack.kube.deleteSecret('dates', name);
});

test('what is not all is said so, and a failure can be tried again', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.route('**/api/expiring?*', (route) => route.fulfill({ json: { items: [], more: true } }));
  await open('/expiring');
  await page.getByText('There may be more').waitFor();
  await page.route('**/api/expiring?*', (route) =>
    route.fulfill({ status: 503, json: { error: 'Not now' } }),
  );
  await page.reload();
  await page.getByText('Not now').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'in-three-weeks' }).waitFor();
  await close();
});

test('a date and a period are set where the description is, reviewed, shown in the header, and cleared again', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await here.make('dated', { token: 'x' });
  const read = async () => secretOf(await here.admin.get(`/api/namespaces/${here.namespace}/secrets/dated`));
  await open(here.at('dated'));
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Description and access' }).click();
  await page.getByLabel('Rotate every').fill('30 days');
  await page.getByText('The period must be a duration from 1h to 3650d').first().waitFor();
  await page.getByLabel('Rotate every').fill('3d');
  await page.getByLabel('Expires on').fill('2099-01-31');
  await page.getByRole('button', { name: 'Review and save' }).click();
  const review = page.getByRole('dialog');
  await review.getByText('2099-01-31T00:00:00Z').waitFor();
  await review.getByRole('button', { name: 'Save' }).click();
  const facts = page.getByRole('list', { name: 'Facts' });
  await facts.getByText('rotation due in 2 days').waitFor();
  await facts.getByText(/^expires in \d+ years$/).waitFor();
  const stored = { expiresAt: '2099-01-31T00:00:00Z', rotateEvery: '3d' };
  expect(await read()).toMatchObject(stored);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('no description · expires on 2099-01-31 · rotated every 3d').waitFor();
  await page.getByRole('button', { name: 'Description and access' }).click();
  await page.getByLabel('Expires on').fill('');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await facts.getByText('rotation due in 2 days').waitFor();
  expect(await read()).not.toHaveProperty('expiresAt');
  await close();
});

testLooks({ expiring: opened }, () => here.visit(ADMIN));
