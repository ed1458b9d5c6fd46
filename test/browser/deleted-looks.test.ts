import { afterAll, beforeAll } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { createAwkwardSecrets, LONG_NAME } from './awkward-secrets.ts';
import { deleteArchived } from './delete-archived.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { testLooks, type Screen } from './look.ts';

let fixture: BrowserFixture;
let namespace: string;
let awkward: string;
let empty: string;

beforeAll(async () => {
  fixture = await openBrowserFixture({ SERVICE_HISTORY_ORPHAN_TTL: '30d' });
  const { kube } = fixture.stack;
  const admin = await fixture.stack.client(ADMIN);
  namespace = await fixture.stack.namespace();
  for (const name of ['going', 'old-credentials']) {
    const annotations = { 'service.io/description': 'What it was for' };
    await kube.createSecret(namespace, { metadata: { name, annotations }, data: { token: 'dG9rZW4=' } });
    await deleteArchived(admin, namespace, name);
  }
  // The name of one of them is taken again.
  await kube.createSecret(namespace, { metadata: { name: 'old-credentials' }, data: {} });
  awkward = await fixture.stack.namespace();
  await createAwkwardSecrets(fixture.stack, awkward);
  await deleteArchived(admin, awkward, LONG_NAME);
  empty = await fixture.stack.namespace();
});

afterAll(() => fixture.close());

const SCREENS: Readonly<Record<string, Screen>> = {
  deleted: async ({ open, page }) => {
    await open(`/namespaces/${namespace}/deleted`);
    await page.getByRole('button', { name: 'Restore old-credentials', exact: true }).click();
    await page.getByRole('heading', { name: "Couldn't restore old-credentials" }).waitFor();
  },
  'deleted-awkward': async ({ open, page }) => {
    await open(`/namespaces/${awkward}/deleted`);
    await page.getByRole('button', { name: `Delete ${LONG_NAME} permanently` }).waitFor();
  },
  'deleted-none': async ({ open, page }) => {
    await open(`/namespaces/${empty}/deleted`);
    await page.getByRole('heading', { name: 'No deleted Secrets' }).waitFor();
  },
  'restore-as': async ({ open, page }) => {
    await open(`/namespaces/${namespace}/deleted`);
    await page.getByRole('button', { name: 'Restore old-credentials as another Secret' }).click();
    await page.getByRole('dialog').getByLabel('New name').fill('Not A Name');
  },
  'delete-permanently-awkward': async ({ open, page }) => {
    await open(`/namespaces/${awkward}/deleted`);
    await page.getByRole('button', { name: `Delete ${LONG_NAME} permanently` }).click();
    await page.getByRole('dialog').waitFor();
  },
  'restored-notice': async ({ open, page }) => {
    await open(`/namespaces/${namespace}/deleted`);
    await page.getByRole('button', { name: 'Restore going', exact: true }).click();
    // With the focus it stays.
    await page.getByRole('link', { name: 'Show going' }).focus();
  },
};

testLooks(SCREENS, () => fixture.visit(ADMIN));
