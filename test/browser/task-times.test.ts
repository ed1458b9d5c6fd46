import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { startCounting } from './clicks.ts';
import { deleteArchived } from './delete-archived.ts';
import { createDemoWorkloads, hasRestartedAt } from './demo-workloads.ts';
import { openSecretsFixture, reviewAndSave, setValue } from './secrets-fixture.ts';

const here = openSecretsFixture({ SERVICE_RESTART_ENABLED: 'true' });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a password is rotated by a generated one with 5 clicks', async () => {
  await here.make('rotated', { password: 'old' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(here.at('rotated'));
  const { click, count } = startCounting();
  await click(page.getByRole('link', { name: 'Edit', exact: true }));
  await click(button(page, 'Generate a value of password'));
  await click(button(page, 'Use a generated value'));
  await click(button(page, 'Review and save'));
  await click(button(page, 'Save'));
  await page.getByText('rotated is saved as version 2.').waitFor();
  expect(count()).toBe(5);
  expect((await here.stored('rotated')).get('password')).toMatch(/^[A-Za-z0-9]{32}$/);
  await close();
});

test('after a rotation, what reads the value at its start is restarted with 2 clicks', async () => {
  await here.make('used', { token: 'one' });
  await createDemoWorkloads(here.stack, here.namespace, 'used');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${here.at('used')}/edit`);
  await setValue(page, 'token', 'two');
  await reviewAndSave(page);
  const { click, count } = startCounting();
  await click(button(page, 'Choose workloads to restart'));
  await click(button(page, 'Restart 2 workloads'));
  await page.getByRole('list', { name: 'Restarted', exact: true }).waitFor();
  expect(count()).toBe(2);
  expect(await hasRestartedAt(here.stack, here.namespace, 'deployments', 'orders-api')).toBe(true);
  await close();
});

test('a deletion is undone from the list with 2 clicks', async () => {
  await here.make('undone', { token: 'kept' });
  await deleteArchived(here.admin, here.namespace, 'undone');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  const { click, count } = startCounting();
  await click(page.getByRole('main').getByRole('link', { name: /^Deleted/ }));
  await click(
    page
      .getByRole('row', { name: /undone/ })
      .getByRole('button', { name: /^Restore(?! .*as)/ })
      .first(),
  );
  await page.getByText('undone is restored.').waitFor();
  expect(count()).toBe(2);
  expect((await here.stored('undone')).get('token')).toBe('kept');
  await close();
});

test('who changed a key is seen from the list with 2 clicks', async () => {
  await here.make('who-changed', { password: 'one' });
  const path = `/api${here.at('who-changed')}`;
  const { secret } = (await here.admin.get(path)).json as { secret: { resourceVersion: string } };
  await here.admin.put(path, { data: { password: 'two' }, resourceVersion: secret.resourceVersion });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  const { click, count } = startCounting();
  await click(page.getByRole('link', { name: 'who-changed', exact: true }));
  await click(page.getByRole('tab', { name: /^History/ }));
  await page
    .getByRole('row', { name: /^View version 2 live admin@example.com just now password changed/ })
    .waitFor();
  expect(count()).toBe(2);
  await close();
});
