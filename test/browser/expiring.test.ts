import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeCertificate } from '../fakes/certificate.ts';
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
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await open('/');
  await page.getByRole('link', { name: /^Expiring\s*3/ }).click();
  await page.waitForURL('**/expiring');
  await expect.poll(() => groups(page)).toEqual(['Expired 1', 'Within 7 days 1', 'Within 30 days 1']);
  await expect
    .poll(() => content(page).getByRole('rowheader').allTextContents())
    .toEqual([
      expect.stringContaining('over'),
      expect.stringContaining('in-three-days'),
      expect.stringContaining('in-three-weeks'),
    ]);
  await close();
});

test('without a search the lists of the namespaces are read', async () => {
  const { page, close, open, complaints, context } = await here.visitInNewContext(ADMIN);
  await page.route('**/api/search?*', (route) => route.fulfill({ status: 503, json: { error: 'Not now' } }));
  await opened({ page, open, close, complaints, context });
  await expect.poll(() => groups(page)).toEqual(['Expired 1', 'Within 7 days 1', 'Within 30 days 1']);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

testLooks({ expiring: opened }, () => here.visit(ADMIN));
