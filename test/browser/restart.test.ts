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

/** A namespace with one Secret, `token`, of enough keys to filter, and workloads that use it. */
async function withWorkloads(): Promise<string> {
  const namespace = await fixture.stack.namespace();
  const admin = await fixture.stack.client(ADMIN);
  const data = { token: 'one', a: 'x', b: 'x', c: 'x', d: 'x', e: 'x' };
  await admin.post(`/api/namespaces/${namespace}/secrets`, { name: 'token', data });
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
  await page.getByRole('textbox', { name: 'Filter keys' }).fill('tok');
  await page.waitForURL('**/token?*');
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
  expect((await done.getByRole('listitem').locator('strong').allTextContents()).sort()).toEqual([
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
  // It is offered where one reads which of them need it, too.
  await open(`${at(namespace)}/consumers`);
  await page.getByRole('button', { name: 'Restart workloads' }).click();
  await box('Deployment orders-api').waitFor();
  await close();
});

test('what was not, or perhaps not, restarted says so, and can be tried again', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at(namespace));
  await chooseAction(page, 'Restart workloads');
  await workloads(page).waitFor();
  await page.route('**/restart', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Restart 2 workloads' }).click();
  await page.getByRole('heading', { name: 'may or may not have been restarted' }).waitFor();
  const match = { namespace, verb: 'patch', name: 'orders-api' };
  fixture.stack.dev.faults.add({ match, times: 1, action: { type: 'status', status: 403 } });
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

/** Restarts what has old values, and waits until that is confirmed; the rollouts of before are over. */
async function restartAll(namespace: string, page: Page, open: (path: string) => Promise<unknown>) {
  step(4);
  await open(at(namespace));
  await chooseAction(page, 'Restart workloads');
  await workloads(page).getByRole('checkbox', { name: 'Deployment orders-paused' }).uncheck();
  await workloads(page).getByRole('checkbox', { name: 'StatefulSet orders-worker' }).check();
  await page.getByRole('button', { name: 'Restart 2 workloads' }).click();
  const rows = page.getByRole('list', { name: 'Restarted', exact: true }).getByRole('listitem');
  await rows.first().waitFor();
  return { rows, sees: (...texts: string[]) => expect.poll(() => rows.allTextContents()).toEqual(texts) };
}

function step(times = 1): void {
  for (let done = 0; done < times; done++) fixture.stack.dev.stepRollouts();
}

/** How often the progress was requested, once a request that follows is answered: all that went before are known by then. */
function countPolls(page: Page): () => Promise<number> {
  let polls = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/consumers?progress=true')) polls += 1;
  });
  return async () => {
    await page.evaluate("fetch('/api/config').then(() => undefined)");
    return polls;
  };
}

test('a restart shows how many pods are updated, until all are; then nothing more is requested', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await page.clock.install();
  const polls = countPolls(page);
  const { sees } = await restartAll(namespace, page, open);
  const dialog = page.getByRole('dialog');
  await sees('Deployment orders-api: 0 of 3 updated', 'StatefulSet orders-worker: 0 of 1 updated');
  await dialog.getByRole('heading', { name: 'Restart started' }).waitFor();
  step(2);
  await sees('Deployment orders-api: 1 of 3 updated', 'StatefulSet orders-worker: Restarted');
  await dialog.getByText('1 of 2 restarted.').waitFor();
  step();
  await sees('Deployment orders-api: 2 of 3 updated', 'StatefulSet orders-worker: Restarted');
  step();
  await sees('Deployment orders-api: Restarted', 'StatefulSet orders-worker: Restarted');
  await dialog.getByRole('heading', { name: /Restarted$/ }).waitFor();
  await dialog.getByText('2 of 2 restarted.').waitFor();
  // The pods are not announced one by one, and the outcome is.
  expect(await dialog.locator('[aria-live="polite"] [aria-live="off"] li').count()).toBe(2);
  expect(await dialog.locator('[aria-live="polite"]').getByText('2 of 2 restarted.').count()).toBe(1);
  const before = await polls();
  await page.clock.runFor(20_000);
  expect(await polls()).toBe(before);
  await close();
});

test('a rollout that exceeds its progress deadline says so, and one that is not done after ten minutes, too', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await page.clock.install();
  const polls = countPolls(page);
  let isLate = false;
  await page.route('**/consumers?progress=true', async (route) => {
    const response = await route.fetch();
    const { consumers } = (await response.json()) as { consumers: { kind: string; rollout?: object }[] };
    const late = { done: false, reason: 'progressDeadlineExceeded' };
    const changed = consumers.map((one) =>
      isLate && one.kind === 'Deployment' ? { ...one, rollout: { ...one.rollout, ...late } } : one,
    );
    await route.fulfill({ json: { consumers: changed } });
  });
  const { sees } = await restartAll(namespace, page, open);
  await sees('Deployment orders-api: 0 of 3 updated', 'StatefulSet orders-worker: 0 of 1 updated');
  isLate = true;
  await page.clock.runFor(3_000);
  const failed = 'Deployment orders-api: Not finished: progress deadline exceeded';
  await sees(failed, 'StatefulSet orders-worker: 0 of 1 updated');
  await page.getByRole('heading', { name: 'Restart started' }).waitFor();
  await page.clock.fastForward('10:00');
  await page.clock.runFor(20_000);
  await sees(failed, 'StatefulSet orders-worker: Not finished after 10 minutes: 0 of 1 updated');
  await page.getByRole('heading', { name: 'Restart not finished' }).waitFor();
  await page.getByText('0 of 2 restarted.').waitFor();
  const before = await polls();
  await page.clock.runFor(60_000);
  expect(await polls()).toBe(before);
  await close();
});

test('the progress is requested while the page is visible and the dialog is open', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await page.clock.install();
  const polls = countPolls(page);
  await restartAll(namespace, page, open);
  await expect.poll(polls).toBeGreaterThan(0);
  const turn = (state: 'hidden' | 'visible') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
  const pollsWithin = async (milliseconds: number) => {
    const before = await polls();
    await page.clock.runFor(milliseconds);
    return (await polls()) - before;
  };
  await turn('hidden');
  expect(await pollsWithin(20_000)).toBe(0);
  await turn('visible');
  await expect.poll(() => pollsWithin(3_000)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await pollsWithin(20_000)).toBe(0);
  await close();
});

test('progress that cannot be loaded says so, and comes back', async () => {
  const namespace = await withWorkloads();
  const { page, open, close } = await fixture.visit(ADMIN);
  await page.route('**/consumers?progress=true', (route) => route.fulfill({ status: 500, json: {} }));
  const { sees } = await restartAll(namespace, page, open);
  await page.getByText("Couldn't load the progress. Trying again.").waitFor();
  await sees('Deployment orders-api: Started', 'StatefulSet orders-worker: Started');
  await page.unroute('**/consumers?progress=true');
  await sees('Deployment orders-api: 0 of 3 updated', 'StatefulSet orders-worker: 0 of 1 updated');
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
