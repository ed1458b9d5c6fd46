import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_B } from '../harness/api-client.ts';
import { createDemoWorkloads } from './demo-workloads.ts';
import { expectAccessible } from './expectations.ts';
import { chooseAction } from './secret-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture({ SERVICE_CONSUMERS_ENABLED: 'true' });
const { at } = here;

test.each(['', '/history', '/access', '/edit'])(
  'without access, the page %s has my groups and a request to copy',
  async (part) => {
    const name = `closed${part.replace('/', '-')}`;
    await here.make(name, { a: 'x' }, { allowedGroups: ['some-other-group'] });
    const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_B);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(at(name) + part);
    await page.getByRole('heading', { name: "You don't have access" }).waitFor();
    await page.getByText('team-b', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`the Secret ${name} in the namespace ${here.namespace}.`);
    expect(copied).toContain('developer-b@example.com');
    expect(copied).not.toContain('some-other-group');
    await expectAccessible(page);
    await close();
  },
);

test('what is not there is no failure, and has a way on', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('no-such-secret'));
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  expect(await page.locator('.pf-m-danger').count()).toBe(0);
  await page.getByRole('link', { name: `Show Secrets in ${here.namespace}` }).click();
  await page.getByRole('heading', { name: here.namespace, level: 1 }).waitFor();
  await close();
});

test('with rights to read alone, workloads are shown in their tab and before a deletion', async () => {
  await here.make('used', { token: 'x' });
  await createDemoWorkloads(here.stack, here.namespace, 'used');
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('used'));
  await page.getByRole('tab', { name: 'Used by 5', exact: true }).click();
  await page
    .getByRole('row', { name: /^Deployment orders-api single environment variables needs a restart/ })
    .waitFor();
  await chooseAction(page, 'Delete');
  await page
    .getByRole('dialog')
    .getByText(/^5 workloads use it: .* and 2 more\.$/)
    .waitFor();
  await here.make('unused', { token: 'x' });
  await open(`/namespaces/${here.namespace}`);
  for (const name of ['used', 'unused']) await page.getByLabel(`Select ${name}`, { exact: true }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Delete 2 Secrets?' })
    .getByRole('listitem')
    .filter({ hasText: /^used5 workloads use it: .* and 2 more\.$/ })
    .waitFor();
  await close();
});
