import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { createDemoSecrets } from './demo-secrets.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { content, homeIsRead, listedNamespace, listedSecret } from './frame-actions.ts';

let fixture: BrowserFixture;

beforeAll(async () => {
  fixture = await openBrowserFixture();
});

afterAll(() => fixture.close());

describe('a namespace with a few Secrets', () => {
  let namespace: string;
  beforeAll(async () => {
    namespace = await createDemoSecrets(fixture.stack);
  });

  test('is filtered by name, key, type and writer, and sorted by column', async () => {
    const { page, open, close } = await fixture.visit(ADMIN);
    await open(`/namespaces/${namespace}`);
    const rows = page.getByRole('rowheader');
    await page.getByText('6 of 6 Secrets').waitFor();
    await page.getByLabel('Filter by name, key, description or access').fill('api_token');
    await page.getByText('1 of 6 Secrets').waitFor();
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('settings')]);
    await page.getByLabel('Filter by name, key, description or access').fill('');
    await page.getByLabel('Type').selectOption('kubernetes.io/tls');
    await page.getByText('1 of 6 Secrets').waitFor();
    await page.getByLabel('Type').selectOption('All types');
    await page.getByLabel('Written by').selectOption('Not managed yet');
    await page.getByText('2 of 6 Secrets').waitFor();
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([expect.stringContaining('licence'), expect.stringContaining('keystore')]);
    await close();
  });

  test('shows a new Secret after a refresh, and remembers the namespace', async () => {
    const { page, open, close } = await fixture.visit(ADMIN);
    await open(`/namespaces/${namespace}`);
    await page.getByText('As of').waitFor();
    await fixture.stack.kube.createSecret(namespace, { metadata: { name: 'just-made' }, data: {} });
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await page.getByRole('link', { name: 'just-made' }).waitFor();
    await content(page).getByRole('link', { name: 'Namespaces' }).click();
    await page.getByText('Continue with').getByRole('link', { name: namespace }).waitFor();
    await close();
  });

  test('says how old it is, and is read from the cluster when it is refreshed', async () => {
    const { page, open, close } = await fixture.visit(ADMIN);
    // An hour ago is the day before at any time before one in the morning, and then the page shows the date instead.
    await page.clock.setFixedTime(new Date().setHours(12, 0, 0, 0));
    const listed = () => page.waitForRequest(`**/api/namespaces/${namespace}/secrets*`);
    const cacheControl = async (request: ReturnType<typeof listed>) =>
      (await (await request).allHeaders())['cache-control'];
    const first = listed();
    await open(`/namespaces/${namespace}`);
    expect(await cacheControl(first)).toBeUndefined();
    await page.getByText(/As of 1[12]:\d\d:\d\d/).waitFor();
    const second = listed();
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    expect(await cacheControl(second)).toBe('no-cache');
    await page.getByText('As of 12:00:00').waitFor();
    await page.route('**/secrets*', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'x-list-source': 'cache', age: '3600' };
      await route.fulfill({ response, headers });
    });
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await page.getByText('As of 11:00:00').waitFor();
    await close();
  });

  test('of a namespace that does not exist says so', async () => {
    const { page, open, close } = await fixture.visit(ADMIN);
    await open('/namespaces/no-such-namespace');
    await page.getByRole('heading', { name: 'Namespace not found' }).waitFor();
    await close();
  });

  test('that cannot be refreshed stays, and says why', async () => {
    const { page, open, close } = await fixture.visit(ADMIN);
    await open(`/namespaces/${namespace}`);
    await page.getByRole('link', { name: 'settings' }).waitFor();
    await page.route('**/secrets*', (route) => route.fulfill({ status: 400, json: { error: 'Not now' } }));
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await page.getByRole('heading', { name: "Couldn't refresh the list" }).waitFor();
    expect(await page.getByRole('link', { name: 'settings' }).count()).toBe(1);
    await close();
  });

  test('can be walked through with the keyboard alone', async () => {
    const { page, open, close } = await fixture.visit(ADMIN);
    await open(`/namespaces/${namespace}`);
    const link = page.getByRole('link', { name: 'settings' });
    await link.waitFor();
    const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
    let steps = 0;
    while ((await focused()) !== 'settings' && steps < 80) {
      await page.keyboard.press('Tab');
      steps += 1;
    }
    expect(await focused()).toBe('settings');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'settings', level: 1 }).waitFor();
    await close();
  });
});

describe('a canary value', () => {
  test('is in no answer before its Secret is opened, and never in storage, address, title or console', async () => {
    const namespace = await fixture.stack.namespace();
    const canary = `canary-${randomBytes(12).toString('hex')}`;
    const admin = await fixture.stack.client(ADMIN);
    await admin.post(`/api/namespaces/${namespace}/secrets`, { name: 'watched', data: { token: canary } });
    const visit = await fixture.visitInNewContext(ADMIN);
    const { page, context } = visit;
    const before: Promise<string>[] = [];
    const console: string[] = [];
    const addresses: string[] = [];
    // Of a file the browser may have dropped the bytes.
    const collect = (response: { url(): string; text(): Promise<string> }) => {
      if (response.url().includes('/api/')) before.push(response.text());
    };
    page.on('response', collect);
    page.on('request', (request) => void addresses.push(request.url()));
    page.on('console', (message) => void console.push(message.text()));
    await visit.open('/');
    await homeIsRead(page);
    await listedNamespace(page, namespace).click();
    await listedSecret(page, 'watched').waitFor();
    const answers = (await Promise.all(before)).join('\n');
    expect(answers).toContain('watched');
    expect(answers).not.toContain(canary);
    page.off('response', collect);
    await listedSecret(page, 'watched').click();
    await page.getByRole('button', { name: 'Reveal token' }).waitFor();
    expect(await page.content()).not.toContain(canary);
    await page.getByRole('button', { name: 'Reveal token' }).click();
    await page.getByText(canary).waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.title, location.href])',
    );
    expect(kept).not.toContain(canary);
    expect(JSON.stringify(await context.storageState({ indexedDB: true }))).not.toContain(canary);
    expect([...console, ...addresses].join('\n')).not.toContain(canary);
    await content(page).getByRole('link', { name: 'Namespaces' }).click();
    await page.getByRole('heading', { name: 'Namespaces' }).waitFor();
    expect(await page.content()).not.toContain(canary);
    expect(fixture.stack.log()).not.toContain(canary);
    await visit.close();
  });
});
