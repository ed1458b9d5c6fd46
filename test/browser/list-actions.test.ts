import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeCertificate } from '../fakes/certificate.ts';
import { ADMIN } from '../harness/api-client.ts';
import { expectNoSidewaysScroll } from './expectations.ts';
import { testLooks, type Screen } from './look.ts';
import { openSecretsFixture, share } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { make } = here;
const DAY_S = 86_400;

beforeAll(async () => {
  const tls = (name: string, validTo: number) => {
    const { cert, key } = makeCertificate(`${name}.example.com`, { validTo });
    return make(name, { 'tls.crt': cert, 'tls.key': key }, { type: 'kubernetes.io/tls' });
  };
  await tls('cert-later', 90 * DAY_S);
  await tls('cert-soon', 12.5 * DAY_S);
  await tls('cert-ended', -60);
  await make('shared', { token: 'x' }, { allowedGroups: ['team-a'] });
  await here.stack.kube.createSecret(here.namespace, {
    metadata: {
      name: 'from-helm',
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'shop' },
    },
    data: { token: 'eA==' },
  });
});

const list = (search = '') => `/namespaces/${here.namespace}${search}`;
const rows = (page: Page) => page.getByRole('rowheader').getByRole('link').allTextContents();
const select = async (page: Page, ...names: readonly string[]) => {
  for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check();
};
const resultOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Results' }).getByRole('listitem').filter({ hasText: name });

test('filters and order are in the address, which shows the same rows to whoever opens it', async () => {
  const { page, context, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.getByLabel('Expires', { exact: true }).selectOption('Expires within 30 days');
  await page.getByLabel('Order').selectOption('Expires last');
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('cert');
  await expect.poll(() => rows(page)).toEqual(['cert-soon', 'cert-ended']);
  await page.waitForURL(/\?q=cert&expires=soon&sort=-expires$/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect.poll(() => rows(other)).toEqual(['cert-soon', 'cert-ended']);
  await other.close();
  await page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: here.namespace })
    .click();
  await page.getByText('5 of 5 Secrets').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await close();
});

test.each([
  ['Type', 'kubernetes.io/tls', ['cert-ended', 'cert-later', 'cert-soon']],
  ['Expires', 'Expired', ['cert-ended']],
  ['Written by', 'Written by a controller', ['from-helm']],
  ['Written by', 'Not managed yet', ['from-helm']],
  ['Access', 'Has rules of its own', ['shared']],
] as const)('%s "%s" shows %j', async (filter, choice, names) => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.getByLabel(filter, { exact: true }).selectOption(choice);
  await expect.poll(() => rows(page)).toEqual(names);
  await close();
});

test('only what needs attention has a badge', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  const row = (name: string) => page.getByRole('rowheader', { name });
  await row('cert-soon').getByText('expires in 12 days').waitFor();
  await row('cert-ended').getByText('expired').waitFor();
  await row('from-helm').getByText('Helm release').waitFor();
  expect(await row('cert-later').textContent()).toBe('cert-later');
  expect(await row('shared').textContent()).toBe('shared');
  await close();
});

test('the menu of a row opens, is walked through and closes with the keyboard', async () => {
  const { page, context, open, close } = await here.visit(ADMIN);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(list());
  const toggle = page.getByRole('button', { name: 'Actions for shared' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Edit');
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Actions for shared');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Edit');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/secrets/shared/history');
  await page.goBack();
  await toggle.click();
  await page.getByRole('menuitem', { name: 'token', exact: true }).click();
  await page.getByText('token is copied.').waitFor();
  await close();
});

test('several are deleted at once, with one line for each, and what changed meanwhile stays', async () => {
  for (const name of ['gone-1', 'gone-2', 'stays']) await make(name, { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await select(page, 'gone-1', 'gone-2', 'stays');
  await page.getByRole('status').getByText('3 selected').waitFor();
  await here.stack.kube.patchSecret(here.namespace, 'stays', { data: { token: 'eQ==' } });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 3 Secrets?' });
  const button = dialog.getByRole('button', { name: 'Delete', exact: true });
  expect(await button.isDisabled()).toBe(true);
  await dialog.getByLabel('Type delete to confirm').fill('delete');
  await button.click();
  await dialog.getByRole('heading', { name: '1 of 3 Secrets not deleted' }).waitFor();
  expect(await resultOf(page, '').allTextContents()).toEqual([
    'stays: Someone changed this Secret since you opened it. ',
  ]);
  expect(await dialog.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('2 Secrets deleted, 1 not deleted.').waitFor();
  await page.getByRole('link', { name: 'gone-1' }).waitFor({ state: 'detached' });
  expect(await here.stack.kube.getSecret(here.namespace, 'gone-2')).toBeUndefined();
  expect(await here.stack.kube.getSecret(here.namespace, 'stays')).toBeDefined();
  await page.getByRole('status').getByText('1 selected').waitFor();
  await here.stack.kube.deleteSecret(here.namespace, 'stays');
  await close();
});

test('an answer that is lost is looked up, with the Secret', async () => {
  for (const name of ['lost-done', 'lost-not']) await make(name, { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.route('**/secrets/lost-*', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    if (route.request().url().includes('lost-done')) await route.fetch();
    return route.abort();
  });
  await select(page, 'lost-done', 'lost-not');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByLabel('Type delete to confirm').fill('delete');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '1 of 2 Secrets may not have been deleted' }).waitFor();
  await resultOf(page, 'lost-not').getByText('It may or may not have been deleted. The service').waitFor();
  expect(await resultOf(page, '').count()).toBe(1);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('2 Secrets deleted.').waitFor();
  expect(await here.stack.kube.getSecret(here.namespace, 'lost-not')).toBeUndefined();
  await close();
});

test('a group is added to the rules of several, after what that means for those without rules', async () => {
  await make('open-one', { token: 'x' });
  await make('closed-one', { token: 'x' }, { allowedGroups: ['team-a'] });
  const { page, open, close } = await here.visit(ADMIN);
  await open(list('?q=-one'));
  await page.getByLabel('Select all that are shown').check();
  await page.getByRole('button', { name: 'Change access' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change access to 2 Secrets' });
  await dialog.getByText('No changes yet.').waitFor();
  await share(page, 'team-b');
  await dialog.getByText('1 Secret had no rules. From now on').waitFor();
  await dialog.getByRole('button', { name: 'Change access' }).click();
  await page.getByText('Access to 2 Secrets changed.').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  const rulesOf = async (name: string) =>
    (await here.stack.kube.getSecret(here.namespace, name))?.metadata.annotations?.[
      'service.io/allowed-groups'
    ];
  expect(await rulesOf('open-one')).toContain('team-b');
  expect(await rulesOf('open-one')).not.toContain('team-a');
  expect(await rulesOf('closed-one')).toContain('team-a');
  expect(await rulesOf('closed-one')).toContain('team-b');
  await close();
});

test('the access of one that is selected is changed from what it is, after what that means for everyone', async () => {
  await make(
    'selected',
    { token: 'x' },
    { allowedGroups: ['team-a', 'team-b'], readerUsers: ['guest@example.com'] },
  );
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await select(page, 'selected');
  await page.getByRole('button', { name: 'Change access' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change access to selected' });
  await dialog.getByLabel('Access of guest@example.com').selectOption('can write');
  await dialog.getByRole('row', { name: 'guest@example.com can read can write' }).waitFor();
  await dialog.getByRole('button', { name: 'Remove team-a' }).click();
  await dialog.getByRole('row', { name: 'team-a can manage no access' }).waitFor();
  await dialog.getByRole('button', { name: 'Change access' }).click();
  await page.getByText('Access to selected changed.').waitFor();
  const { annotations } = (await here.stack.kube.getSecret(here.namespace, 'selected'))?.metadata ?? {};
  expect(annotations?.['service.io/writer-users']).toBe('guest@example.com');
  expect(annotations?.['service.io/allowed-groups']).toBe('team-b');
  await close();
});

test('with text of twice the size every action of a list is in the window', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await page.setViewportSize({ width: 640, height: 900 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Actions for shared' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete shared?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await close();
});

test('in a narrow window the filters are behind a button, and neither names nor labels are cut', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(list());
  const type = page.getByLabel('Type', { exact: true });
  await page.getByRole('link', { name: 'cert-soon' }).waitFor();
  expect(await type.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filter and sort', exact: true }).click();
  await type.selectOption('kubernetes.io/tls');
  await page.getByRole('button', { name: 'Filter and sort (1)', exact: true }).click();
  await type.waitFor({ state: 'hidden' });
  await expect.poll(() => rows(page)).toEqual(['cert-ended', 'cert-later', 'cert-soon']);
  const cut = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('tbody .name-line *')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)",
    );
  await expect.poll(cut).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await type.waitFor();
  await close();
});

test('with text of twice the size in a narrow window each name has a line of its own, and rows keep their height', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(list());
  await page.getByRole('link', { name: 'cert-soon' }).waitFor();
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  for (const width of [360, 480, 640]) {
    await page.setViewportSize({ width, height: 740 });
    const layout = () =>
      page.evaluate<{ width: number; lines: number; row: number }[]>(
        `[...document.querySelectorAll('tbody a')].map((link) => ({
        width: Math.min(link.scrollWidth, link.clientWidth),
        lines: Math.round(link.getBoundingClientRect().height / parseFloat(getComputedStyle(link).lineHeight)),
        row: link.closest('tr').getBoundingClientRect().height,
      }))`,
      );
    await expect
      .poll(async () => (await layout()).filter(({ lines, row }) => lines !== 1 || row !== 84))
      .toEqual([]);
    const names = await layout();
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      expect(name, `${width} px`).toMatchObject({ lines: 1, row: 84 });
      // Six letters at least.
      expect(name.width, `${width} px`).toBeGreaterThan(100);
    }
  }
  await close();
});

const LOOKS: Readonly<Record<string, Screen>> = {
  'list-selected': async ({ open, page }) => {
    await open(list());
    await select(page, 'cert-soon', 'shared');
    await page.getByRole('button', { name: 'Change access' }).waitFor();
  },
  'row-menu': async ({ open, page }) => {
    await open(list());
    await page.getByRole('button', { name: 'Actions for shared' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  },
  'bulk-delete': async ({ open, page }) => {
    await open(list());
    await select(page, 'cert-soon', 'shared');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').waitFor();
  },
  'bulk-access': async ({ open, page }) => {
    await open(list());
    await select(page, 'cert-soon', 'shared');
    await page.getByRole('button', { name: 'Change access' }).click();
    await page.getByRole('combobox', { name: 'What it is' }).selectOption('person');
    await share(page, 'not-an-email');
    await page.getByText('not an email address').waitFor();
  },
};

testLooks(LOOKS, () => here.visit(ADMIN));
