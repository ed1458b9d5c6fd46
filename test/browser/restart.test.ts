import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { createDemoWorkloads, hasRestartedAt } from './demo-workloads.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { reviewAndSave, setValue } from './secrets-fixture.ts';
import { chooseAction } from './secret-actions.ts';

let fixture: BrowserFixture;

beforeAll(async () => {
  fixture = await openBrowserFixture({ SERVICE_RESTART_ENABLED: 'true' });
});

afterAll(() => fixture.close());

/** A namespace with one Secret, `token`, and workloads that use it. */
async function withWorkloads(): Promise<string> {
  const namespace = await fixture.stack.namespace();
  const admin = await fixture.stack.client(ADMIN);
  await admin.post(`/api/namespaces/${namespace}/secrets`, { name: 'token', data: { token: 'one' } });
  await createDemoWorkloads(fixture.stack, namespace, 'token');
  return namespace;
}

const at = (namespace: string) => `/namespaces/${namespace}/secrets/token`;
const workloads = (page: Page) => page.getByRole('dialog').getByRole('list', { name: 'Workloads' });

test('after a change of values, the workloads that still have the old ones are offered for a restart', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(`${at(namespace)}/edit`);
  await setValue(page, 'token', 'two');
  await reviewAndSave(page);
  await page.getByRole('heading', { name: 'The values have changed' }).waitFor();
  await page.getByRole('button', { name: 'Choose workloads to restart' }).click();
  const box = (name: string) => workloads(page).getByRole('checkbox', { name });
  await box('Deployment orders-api').waitFor();
  // What reads variables is chosen; what mounts files or pulls images is not; a CronJob cannot be.
  expect(await box('Deployment orders-api').isChecked()).toBe(true);
  expect(await box('StatefulSet orders-worker').isChecked()).toBe(false);
  expect(await box('DaemonSet node-agent').isChecked()).toBe(false);
  expect(await workloads(page).getByRole('checkbox').count()).toBe(4);
  await workloads(page)
    .getByRole('listitem')
    .filter({ hasText: 'CronJob nightly-report' })
    .getByText('single environment variables; picks it up at its next run')
    .waitFor();
  await box('Deployment orders-paused').uncheck();
  await box('StatefulSet orders-worker').check();
  await page.getByRole('button', { name: 'Restart 2 workloads' }).click();
  const done = page.getByRole('list', { name: 'Restarted', exact: true });
  await done.waitFor();
  expect((await done.getByRole('listitem').allTextContents()).sort()).toEqual([
    'Deployment orders-api',
    'StatefulSet orders-worker',
  ]);
  await page.getByText(`kubectl -n ${namespace} rollout status deployment/orders-api`).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('heading', { name: 'The values have changed' }).waitFor({ state: 'detached' });
  const isRestarted = (resource: string, name: string) =>
    hasRestartedAt(fixture.stack, namespace, resource, name);
  expect(await isRestarted('deployments', 'orders-api')).toBe(true);
  expect(await isRestarted('statefulsets', 'orders-worker')).toBe(true);
  expect(await isRestarted('daemonsets', 'node-agent')).toBe(false);
  await close();
});

test('what could not be restarted says why, and can be tried again', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at(namespace));
  await chooseAction(page, 'Restart workloads');
  await workloads(page).waitFor();
  fixture.stack.dev.faults.add({
    match: { namespace, verb: 'patch', name: 'orders-api' },
    times: 1,
    action: { type: 'status', status: 403 },
  });
  await page.getByRole('button', { name: 'Restart 2 workloads' }).click();
  const failed = page.getByRole('list', { name: 'Not restarted' });
  await failed.getByText('Deployment orders-paused: Its rollout is paused. Resume it first.').waitFor();
  await failed.getByText('Deployment orders-api: The service may not change it.').waitFor();
  expect(await page.getByText('Restart started').count()).toBe(0);
  await page.getByRole('button', { name: 'Try the failed ones again' }).click();
  await page.getByRole('list', { name: 'Restarted', exact: true }).getByText('orders-api').waitFor();
  await expect
    .poll(() => failed.getByRole('listitem').allTextContents())
    .toEqual(['Deployment orders-paused: Its rollout is paused. Resume it first.']);
  await close();
});

test('a change of the description alone offers no restart', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(`${at(namespace)}/edit#access`);
  await page.getByRole('textbox', { name: 'Description' }).fill('other words');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('token is saved as version 2.').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Restart workloads' }).waitFor();
  expect(await page.getByRole('heading', { name: 'The values have changed' }).count()).toBe(0);
  await close();
});

test('a restore offers the restart, too', async () => {
  const namespace = await withWorkloads();
  const admin = await fixture.stack.client(ADMIN);
  const { secret } = (await admin.get(`/api${at(namespace)}`)).json as {
    secret: { resourceVersion: string };
  };
  const change = { resourceVersion: secret.resourceVersion, data: { token: 'two' } };
  expect((await admin.put(`/api${at(namespace)}`, change)).status).toBe(200);
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(`${at(namespace)}/history`);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page
    .getByRole('dialog')
    .getByRole('row', { name: /^token/ })
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('button', { name: 'Choose workloads to restart' }).click();
  await workloads(page).waitFor();
  await close();
});

test('a Secret that nothing uses says so, and what is not looked at', async () => {
  const namespace = await fixture.stack.namespace();
  await fixture.stack.kube.createSecret(namespace, { metadata: { name: 'token' }, data: {} });
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at(namespace));
  await chooseAction(page, 'Restart workloads');
  await page.getByText('No Deployment, StatefulSet, DaemonSet or CronJob').waitFor();
  await page.getByText('bare pods are not found this way').waitFor();
  await close();
});

test('workloads that cannot be listed are said to be so, and trying again helps', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at(namespace));
  await page.route('**/consumers', (route) => route.fulfill({ status: 503, json: { error: 'Not now' } }));
  await chooseAction(page, 'Restart workloads');
  await page.getByText("Couldn't load the workloads").waitFor();
  await page.unroute('**/consumers');
  await page.getByRole('button', { name: 'Try again' }).click();
  await workloads(page).waitFor();
  await close();
});

test('where it is not enabled, nothing of it is shown', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...((await response.json()) as object), restartEnabled: false } });
  });
  const config = page.waitForResponse('**/api/config');
  await open(at(namespace));
  await config;
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Restart workloads' }).count()).toBe(0);
  await close();
});
