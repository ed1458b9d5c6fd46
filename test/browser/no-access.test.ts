import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_B, GUEST } from '../harness/api-client.ts';
import { createDemoWorkloads } from './demo-workloads.ts';
import { expectAccessible } from './expectations.ts';
import { chooseAction } from './secret-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture({
  SERVICE_CONSUMERS_ENABLED: 'true',
  SERVICE_ACCESS_CONTACT: 'access@example.com',
  SERVICE_DISPLAY_NAME: 'Example Ltd',
});
const { at } = here;
const breadcrumb = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' });

test.each(['', '/history', '/access', '/edit'])(
  'without access, the page %s has my groups and a request to copy',
  async (part) => {
    const name = `closed${part.replace('/', '-')}`;
    await here.make(name, { a: 'x' }, { allowedGroups: ['some-other-group'] });
    const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_B);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(at(name) + part);
    await page.getByRole('heading', { name: "You don't have access" }).waitFor();
    await page.getByText('You do not have read access to this.').waitFor();
    await page.getByText('but this Secret has rules of its own, which include neither you').waitFor();
    await page.getByText('team-b', { exact: true }).waitFor();
    // Where one is stays, and nothing is offered that cannot help.
    await page.getByRole('heading', { name: part === '/edit' ? `Edit ${name}` : name, level: 1 }).waitFor();
    await breadcrumb(page).getByRole('link', { name: here.namespace }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await page.locator('.pf-m-danger').count()).toBe(0);
    await page.getByRole('button', { name: 'Copy request' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`the Secret ${name} in the namespace ${here.namespace}.`);
    expect(copied).toContain('developer-b@example.com');
    expect(copied).not.toContain('some-other-group');
    const link = page.getByRole('link', { name: 'Email access@example.com' });
    const mail = new URL((await link.getAttribute('href')) ?? '');
    expect([mail.protocol, mail.pathname]).toEqual(['mailto:', 'access@example.com']);
    expect(mail.searchParams.get('body')).toBe(copied);
    await expectAccessible(page);
    await close();
  },
);

test('the page where people sign in says whose service it is', async () => {
  const { page, open, close } = await here.visitInNewContext();
  await open('/');
  await page.waitForURL('**/login');
  await page.getByText('Example Ltd').waitFor();
  await expectAccessible(page);
  await close();
});

test('a namespace without access has what would give it, and a request', async () => {
  const namespace = await here.stack.namespace();
  await here.stack.kube.setPolicy(namespace, {
    allowedGroups: '["team-a-leads"]',
    readerGroups: '["team-b"]',
  });
  const guest = await here.visit(GUEST);
  await guest.open(`/namespaces/${namespace}`);
  await guest.page.getByRole('heading', { name: namespace, level: 1 }).waitFor();
  await breadcrumb(guest.page).getByText(namespace).waitFor();
  await guest.page.getByRole('heading', { name: "You don't have access" }).waitFor();
  await guest.page
    .getByText(`The rules of the namespace ${namespace} include neither you nor your groups.`)
    .waitFor();
  expect(await guest.page.content()).not.toContain('team-a-leads');
  const request = guest.page.getByRole('textbox', { name: 'Request for access' });
  expect(await request.inputValue()).toContain(`Please give me read access to the namespace ${namespace}.`);
  await expectAccessible(guest.page);
  await guest.close();

  const reader = await here.visit(DEVELOPER_B);
  await reader.open(`/namespaces/${namespace}/create`);
  await reader.page.getByRole('heading', { name: "You can't create Secrets here" }).waitFor();
  await breadcrumb(reader.page).getByRole('link', { name: namespace }).waitFor();
  await reader.page.getByText(`who can write in the namespace ${namespace}: team-a-leads.`).waitFor();
  await reader.close();
});

test.each(['activity', 'deleted'])(
  'a namespace without access says so on its page %s, and one that does not exist does, too',
  async (part) => {
    const namespace = await here.stack.namespace();
    await here.stack.kube.setPolicy(namespace, { allowedGroups: '["team-a-leads"]' });
    const { page, open, close } = await here.visit(GUEST);
    await open(`/namespaces/${namespace}/${part}`);
    await page.getByRole('heading', { name: "You don't have access" }).waitFor();
    await page
      .getByText(`The rules of the namespace ${namespace} include neither you nor your groups.`)
      .waitFor();
    const request = page.getByRole('textbox', { name: 'Request for access' });
    expect(await request.inputValue()).toContain(`Please give me read access to the namespace ${namespace}.`);
    await page.getByRole('link', { name: 'Email access@example.com' }).waitFor();
    await expectAccessible(page);
    await open(`/namespaces/no-such-namespace/${part}`);
    await page.getByRole('heading', { name: 'Namespace not found' }).waitFor();
    await close();
  },
);

test('what is not there is no failure, and has a way on', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('no-such-secret'));
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  expect(await page.title()).toBe('Not found · Secrets');
  await page.getByRole('heading', { name: 'no-such-secret', level: 1 }).waitFor();
  await breadcrumb(page).getByRole('link', { name: here.namespace }).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await page.locator('.pf-m-danger').count()).toBe(0);
  await page.getByRole('button', { name: 'Search for no-such-secret' }).click();
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
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

test('coming back to the workloads that use a Secret reads them again', async () => {
  const namespace = await here.stack.namespace();
  const body = { name: 'token', data: { token: 'x' } };
  expect((await here.admin.post(`/api/namespaces/${namespace}/secrets`, body)).status).toBe(201);
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(`/namespaces/${namespace}/secrets/token/consumers`);
  await page.getByRole('tab', { name: 'Used by 0' }).waitFor();
  await createDemoWorkloads(here.stack, namespace, 'token');
  await page.clock.fastForward(60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await page.getByRole('tab', { name: 'Used by 5' }).waitFor();
  await close();
});
