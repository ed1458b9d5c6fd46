import { expect, test } from 'vitest';
import type { Page, Request } from 'playwright-core';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import { startCounting } from './clicks.ts';
import { deleteArchived } from './delete-archived.ts';
import { homeIsRead, listedNamespace } from './frame-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();

const events = (page: Page) => page.getByRole('table', { name: 'Events' });
const event = (page: Page, name: RegExp) => events(page).getByRole('row', { name });
const namesIn = (page: Page) => events(page).getByRole('rowheader').getByRole('link').allTextContents();
const activityOf = (namespace: string) => `/namespaces/${namespace}/activity`;

const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** A namespace with Secrets that were last changed by `someone`, each so many days ago, by name. */
async function namespaceOf(secrets: Readonly<Record<string, number>>): Promise<string> {
  const namespace = await here.stack.namespace();
  for (const [name, days] of Object.entries(secrets)) {
    const annotations = {
      'service.io/last-modified-at': daysAgo(days),
      'service.io/last-modified-by': 'someone@example.com',
    };
    await here.stack.kube.createSecret(namespace, {
      metadata: { name, annotations },
      data: { token: 'dG9rZW4=' },
    });
  }
  return namespace;
}

/** Sixteen Secrets, `secret-00` the one that was changed last. */
const manySecrets = () =>
  namespaceOf(
    Object.fromEntries(
      Array.from({ length: 16 }, (_none, index) => [
        `secret-${String(index).padStart(2, '0')}`,
        (index + 1) / 24,
      ]),
    ),
  );

async function change(name: string, data: object, changeNote: string): Promise<void> {
  const path = `/api${here.at(name)}`;
  const { secret } = (await here.admin.get(path)).json as { secret: { resourceVersion: string } };
  const { resourceVersion } = secret;
  const { status, text } = await here.admin.put(path, { resourceVersion, data, changeNote });
  if (status !== 200) throw new Error(text);
}

test('who changed what last week is seen from home with 2 clicks, and leads to the version', async () => {
  await here.make('rotated', { password: 'one', host: 'db' });
  await change('rotated', { password: 'two', port: '5432' }, 'after the incident');
  await here.make('dropped', { token: 'x' });
  await deleteArchived(here.admin, here.namespace, 'dropped');
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open('/');
  await homeIsRead(page);
  const { click, count } = startCounting();
  await click(listedNamespace(page, here.namespace));
  await click(page.getByRole('main').getByRole('link', { name: 'Activity', exact: true }));
  await event(
    page,
    /^rotated changed password changed, \+ port, − host after the incident admin@example.com just now/,
  ).waitFor();
  expect(count()).toBe(2);
  await event(page, /^rotated created \+ host, \+ password admin@example.com/).waitFor();
  await event(page, /^dropped deleted − token admin@example.com/).waitFor();
  await event(page, /^Today$/).waitFor();
  await expect.poll(() => namesIn(page)).toEqual(['dropped', 'rotated', 'rotated']);
  await page.getByText('3 events', { exact: true }).waitFor();
  await event(page, /^rotated created/)
    .getByRole('link')
    .click();
  await page.getByRole('region', { name: 'Version 1' }).waitFor();
  await page.goBack();
  await event(page, /^dropped/)
    .getByRole('link')
    .click();
  await page.getByRole('button', { name: 'Restore dropped', exact: true }).waitFor();
  await close();
});

test('home leads to the activity of the namespaces that changed lately, and so do the sidebar and the search', async () => {
  await here.make('lately', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open('/');
  const lately = page.getByRole('region', { name: 'Lately' });
  await lately.getByRole('paragraph').getByRole('link', { name: here.namespace }).click();
  await page.getByRole('heading', { name: `Activity in ${here.namespace}` }).waitFor();
  await event(page, /^lately created/).waitFor();
  await page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'Activity' })
    .and(page.locator('[aria-current=page]'))
    .waitFor();
  await page.keyboard.press('/');
  await page.getByRole('dialog').getByRole('combobox').fill('show activity');
  await page.getByRole('option', { name: `Show activity in ${here.namespace}` }).waitFor();
  await close();
});

test('the period, the person and the text are in the address, and the keyboard stays where it filters', async () => {
  const namespace = await namespaceOf({ recent: 1, older: 20, ancient: 200 });
  const admin = { name: 'own', data: { API_TOKEN: 'x' } };
  expect((await here.admin.post(`/api/namespaces/${namespace}/secrets`, admin)).status).toBe(201);
  const { page, open, close } = await here.visit(ADMIN);
  await open(activityOf(namespace));
  await expect.poll(() => namesIn(page)).toEqual(['own', 'recent']);
  const period = page.getByLabel('Period');
  await period.focus();
  await period.selectOption('Last 30 days');
  await expect.poll(() => namesIn(page)).toEqual(['own', 'recent', 'older']);
  await period.selectOption('Any time');
  await expect.poll(() => namesIn(page)).toEqual(['own', 'recent', 'older', 'ancient']);
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Period');
  await page.getByLabel('Changed by').selectOption('someone@example.com');
  await expect.poll(() => namesIn(page)).toEqual(['recent', 'older', 'ancient']);
  await page.getByRole('textbox', { name: 'Filter by Secret or key' }).fill('ent');
  await expect.poll(() => namesIn(page)).toEqual(['recent', 'ancient']);
  await page.getByText('2 of 4 events', { exact: true }).waitFor();
  await page.waitForURL(/\?period=all&by=someone%40example\.com&q=ent$/);
  await page.reload();
  await expect.poll(() => namesIn(page)).toEqual(['recent', 'ancient']);
  await page.getByRole('textbox', { name: 'Filter by Secret or key' }).fill('api_');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await page.getByLabel('Changed by').selectOption('Anyone');
  await expect.poll(() => namesIn(page)).toEqual(['own']);
  await close();
});

test('a namespace where nothing happened says so, and how to look further back', async () => {
  const namespace = await namespaceOf({ old: 12 });
  const { page, open, close } = await here.visit(ADMIN);
  await open(activityOf(namespace));
  await page.getByRole('heading', { name: 'No activity in the last 7 days' }).waitFor();
  await page.getByText('Choose a longer period to look further back.').waitFor();
  await open(`${activityOf(await here.stack.namespace())}?period=all`);
  await page.getByRole('heading', { name: 'No activity yet' }).waitFor();
  await close();
});

test('what cannot be read is said in its place, and the rest is shown', async () => {
  const namespace = await namespaceOf({ first: 1, busy: 2, hidden: 3, gone: 4, last: 5 });
  const { page, open, close } = await here.visit(ADMIN);
  const fail = (name: string, status: number, error: string) =>
    page.route(`**/secrets/${name}/versions`, (route) => route.fulfill({ status, json: { error } }));
  await fail('busy', 503, 'Too many histories are being read; try again');
  await fail('hidden', 403, 'No');
  await fail('gone', 404, 'No such Secret');
  await page.route('**/deleted?*', (route) => route.fulfill({ status: 503, json: { error: 'Too much' } }));
  await open(activityOf(namespace));
  await event(page, /^busy created Couldn't read its history: Too many .* someone@example.com/).waitFor();
  await event(page, /^hidden created You don't have access to its history./).waitFor();
  await event(page, /^gone created It no longer exists./).waitFor();
  await page.getByRole('heading', { name: 'Deletions are not shown' }).waitFor();
  await expect.poll(() => namesIn(page)).toEqual(['first', 'busy', 'hidden', 'gone', 'last']);
  await close();
});

test('histories are loaded ten at a time, three at once, and nothing comes between what is shown', async () => {
  const namespace = await manySecrets();
  const { page, open, close } = await here.visit(ADMIN);
  let [running, most, all] = [0, 0, 0];
  await page.route('**/versions', async (route) => {
    running += 1;
    all += 1;
    most = Math.max(most, running);
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, 50));
    running -= 1;
    await route.fulfill({ response });
  });
  await open(activityOf(namespace));
  await page.getByText('10 events loaded', { exact: true }).waitFor();
  expect([all, most]).toEqual([10, 3]);
  const before = await namesIn(page);
  expect(before.at(0)).toBe('secret-00');
  const more = page.getByRole('button', { name: 'Show more' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByText('16 events', { exact: true }).waitFor();
  expect([all, most]).toEqual([16, 3]);
  await expect.poll(async () => (await namesIn(page)).slice(0, 10)).toEqual(before);
  await expect.poll(() => more.count()).toBe(0);
  // The button is gone, and the keyboard goes on from where it was.
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toMatch(/^Of a deleted Secret, only/);
  await close();
});

test('leaving gives up what is still being loaded', async () => {
  const namespace = await manySecrets();
  const { page, open, close } = await here.visit(ADMIN);
  const [requested, given]: [string[], string[]] = [[], []];
  const note = (list: string[]) => (request: Request) => {
    if (request.url().endsWith('/versions')) list.push(request.url());
  };
  page.on('request', note(requested));
  page.on('requestfailed', note(given));
  await page.route('**/versions', () => undefined);
  await open(activityOf(namespace));
  await expect.poll(() => requested.length).toBe(3);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: namespace }).click();
  await page.getByRole('link', { name: 'secret-00' }).waitFor();
  await expect.poll(() => given.length).toBe(3);
  expect(requested.length).toBe(3);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

test('a state that the service no longer holds is read again from its beginning', async () => {
  const namespace = await manySecrets();
  const { page, open, close } = await here.visit(ADMIN);
  await open(activityOf(namespace));
  await page.getByText('10 events loaded', { exact: true }).waitFor();
  const error = 'The list has changed; begin with the first page';
  await page.route('**/secrets?*continue=*', (route) => route.fulfill({ status: 410, json: { error } }), {
    times: 1,
  });
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('heading', { name: "Couldn't load more" }).waitFor();
  await expect.poll(() => namesIn(page)).toHaveLength(10);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.getByRole('heading', { name: "Couldn't load more" }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('16 events', { exact: true }).waitFor();
  await close();
});
