import { afterAll, beforeAll } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN, GUEST } from '../harness/api-client.ts';
import { createAwkwardSecrets, LONG_NAME } from './awkward-secrets.ts';
import { changeSettings, createDemoSecrets } from './demo-secrets.ts';
import { createDemoWorkloads } from './demo-workloads.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { formScreens, problemScreens } from './form-screens.ts';
import { signOut, withoutCounts } from './frame-actions.ts';
import { testLooks, type Screen } from './look.ts';
import { signIn } from './profiles.ts';
import { chooseAction, chooseImport } from './secret-actions.ts';
import { secretScreens } from './secret-screens.ts';
import { openMetadata, share } from './secrets-fixture.ts';

let fixture: BrowserFixture;
let namespace: string;
let empty: string;
let awkward: string;

beforeAll(async () => {
  fixture = await openBrowserFixture({ SERVICE_RESTART_ENABLED: 'true' });
  namespace = await createDemoSecrets(fixture.stack);
  await changeSettings(fixture.stack, namespace, 'second');
  await fixture.stack.kube.createSecret(namespace, {
    metadata: { name: 'on-its-way-out', finalizers: ['example.com/hold'] },
    data: { token: 'dG9rZW4=' },
  });
  await fixture.stack.kube.deleteSecret(namespace, 'on-its-way-out');
  await createDemoWorkloads(fixture.stack, namespace, 'settings');
  awkward = await fixture.stack.namespace();
  await createAwkwardSecrets(fixture.stack, awkward);
  empty = await fixture.stack.namespace();
});

afterAll(() => fixture.close());

const at = (path: string) => `/namespaces/${namespace}${path}`;
const awkwardAt = (path: string) => `/namespaces/${awkward}${path}`;
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

/** How one gets to each screen, and what must be there before it is looked at. */
const SCREENS: Readonly<Record<string, Screen>> = {
  ...secretScreens(at, awkwardAt),
  ...formScreens(at),
  ...problemScreens(at),
  namespaces: async ({ open, page }) => {
    await open('/');
    await heading(page, 'Namespaces');
  },
  list: async ({ open, page }) => {
    await open(at(''));
    await page.getByRole('link', { name: 'settings' }).waitFor();
  },
  'list-awkward': async ({ open, page }) => {
    await open(awkwardAt(''));
    await page.getByRole('link', { name: LONG_NAME }).waitFor();
  },
  activity: async ({ open, page }) => {
    await open(at('/activity'));
    await page.getByRole('row', { name: /^settings changed/ }).waitFor();
  },
  'activity-awkward': async ({ open, page }) => {
    await open(awkwardAt('/activity?period=all'));
    await page.getByRole('row', { name: LONG_NAME }).first().waitFor();
  },
  'activity-none': async ({ open, page }) => {
    await open(`/namespaces/${empty}/activity`);
    await heading(page, 'No activity in the last 7 days');
  },
  'list-empty': async ({ open, page }) => {
    await open(`/namespaces/${empty}`);
    await heading(page, 'No Secrets to show');
  },
  'no-namespaces': async ({ open, page }) => {
    await page.route('**/api/namespaces', (route) => route.fulfill({ json: { namespaces: [] } }));
    await open('/');
    await heading(page, 'No namespaces yet');
  },
  'list-nothing-matches': async ({ open, page }) => {
    await open(at(''));
    await page.getByLabel('Filter by name, key, description or access').fill('no such thing');
    await heading(page, 'No matches');
  },
  'edit-awkward': async ({ open, page }) => {
    await open(awkwardAt(`/secrets/${LONG_NAME}/edit`));
    await page.getByRole('button', { name: 'Show and edit the value of __proto__' }).click();
  },
  create: async ({ open, page }) => {
    await open(at('/create'));
    await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/tls');
    await page.getByLabel('Name').fill('Not A Name');
  },
  'create-registry': async ({ open, page }) => {
    await open(at('/create'));
    await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/dockerconfigjson');
    await page.getByLabel('Registry').fill('registry.example.com');
  },
  'create-registries': async ({ open, page }) => {
    await open(at('/create'));
    await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/dockerconfigjson');
    await page.getByLabel('Registry').fill('registry.example.com');
    await page.getByRole('button', { name: 'Add another registry' }).click();
    await page.getByLabel('Registry').last().fill('registry.example.com');
    const file = { name: 'a'.repeat(120), mimeType: 'text/plain', buffer: Buffer.from('x') };
    await page
      .getByLabel('Files to import')
      .setInputFiles([file, { ...file, buffer: Buffer.alloc(1024 * 1024 + 1) }]);
    await heading(page, 'Some files could not be imported');
  },
  'edit-large': async ({ open, page }) => {
    await open(awkwardAt('/secrets/large/edit'));
    await page.getByRole('button', { name: 'Show and edit the value of one.txt' }).click();
  },
  'import-env': async ({ open, page }) => {
    await open(at('/create'));
    await chooseImport(page);
    await page.getByLabel('Text of the .env or JSON file').fill('A=1\nB="two"\nnot understood\n');
  },
  edit: async ({ open, page }) => {
    await open(at('/secrets/settings/edit'));
    await page.getByRole('button', { name: 'Show and edit the value of motd' }).click();
  },
  'edit-immutable': async ({ open, page }) => {
    await open(at('/secrets/licence/edit'));
    await heading(page, 'The values cannot be edited here');
  },
  review: async ({ open, page }) => {
    await open(at('/secrets/settings/edit'));
    await editMotd(page, 'three');
    await openMetadata(page);
    await page.getByRole('textbox', { name: 'Description' }).fill('Other words');
    await page.getByRole('button', { name: 'Remove EMPTY' }).click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').waitFor();
  },
  conflict: async ({ open, page }) => {
    await open(at('/secrets/settings/edit'));
    await editMotd(page, `mine ${crypto.randomUUID()}`);
    await page.getByRole('button', { name: 'Show and edit the value of API_TOKEN' }).click();
    await page.getByRole('textbox', { name: 'Value of API_TOKEN' }).fill('mine');
    await changeSettings(fixture.stack, namespace, crypto.randomUUID());
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'You saved a newer version elsewhere');
  },
  'leave-question': async ({ open, page }) => {
    await open(at('/secrets/settings/edit'));
    await editMotd(page, 'four');
    await signOut(page);
    await heading(page, 'Sign out without saving?');
  },
  'conflict-locked': async ({ open, page }) => {
    const { kube } = fixture.stack;
    await kube.createSecret(namespace, { metadata: { name: 'locked' }, data: { motd: 'b25l' } });
    await open(at('/secrets/locked/edit'));
    await editMotd(page, 'typed in vain');
    await kube.patchSecret(namespace, 'locked', { immutable: true });
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'Your values, which can no longer be saved');
  },
  restart: async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await chooseAction(page, 'Restart workloads');
    await page.getByRole('list', { name: 'Workloads' }).waitFor();
  },
  'restart-outcome': async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await chooseAction(page, 'Restart workloads');
    await page.getByRole('button', { name: 'Restart 2 workloads' }).click();
    await heading(page, 'Not restarted');
  },
  'restart-offer': async ({ open, page }) => {
    await open(at('/secrets/pull-credentials/edit'));
    await page.getByRole('button', { name: 'Show and edit' }).click();
    await page.getByRole('textbox', { name: 'Password or token' }).fill('rotated');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'The values have changed');
  },
  absent: async ({ open, page }) => {
    await open(at('/secrets/no-such-secret'));
    await heading(page, 'Not found');
  },
};

async function editMotd(page: Page, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Show and edit the value of motd' }).click();
  await page.getByRole('textbox', { name: 'Value of motd' }).fill(value);
}

/** Screens that end the session of their profile. */
const LAST: Readonly<Record<string, Screen>> = {
  'session-ended': async ({ open, page, context }) => {
    await withoutCounts(page);
    await open(at('/secrets/settings/edit'));
    await editMotd(page, 'typed');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'Your session has ended');
  },
  'session-of-another': async (visit) => {
    await LAST['session-ended']?.(visit);
    await signIn(visit.context, fixture.stack.url, GUEST);
    await visit.page.getByRole('button', { name: 'Continue' }).click();
    await heading(visit.page, 'This page belongs to someone else');
  },
};

const OF_A_GUEST: Readonly<Record<string, Screen>> = {
  'create-lockout': async ({ open, page }) => {
    await open(at('/create'));
    await page.getByLabel('Name').fill('new');
    await page.getByRole('textbox', { name: 'Description' }).fill('About it');
    await share(page, 'someone, someone-else');
    await heading(page, 'You will lose access');
  },
  forbidden: async ({ open, page }) => {
    await open(at('/secrets/orders-database'));
    await heading(page, "You don't have access");
  },
};

const SIGNED_OUT: Readonly<Record<string, Screen>> = {
  login: async ({ open, page }) => {
    await open('/login');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  },
  'login-error': async ({ open, page }) => {
    await open('/login?auth=error&idp_error=access_denied');
    await page.getByRole('alert').first().waitFor();
  },
};

testLooks(SCREENS, () => fixture.visit(ADMIN));

testLooks(SIGNED_OUT, () => fixture.visitInNewContext());

testLooks(LAST, () => fixture.visitInNewContext(ADMIN));

testLooks(OF_A_GUEST, () => fixture.visit(GUEST));
