import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { createDemoSecrets } from './demo-secrets.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { content } from './frame-actions.ts';
import { chooseAction, chooseForKey } from './secret-actions.ts';

let fixture: BrowserFixture;
let namespace: string;

beforeAll(async () => {
  fixture = await openBrowserFixture();
  namespace = await createDemoSecrets(fixture.stack);
});

afterAll(() => fixture.close());

const at = (name: string) => `/namespaces/${namespace}/secrets/${name}`;

test('this suite notices a violation of the policy or of Trusted Types', async () => {
  const { page, context, open, complaints } = await fixture.visitInNewContext(ADMIN);
  await open(at('settings'));
  await page.evaluate(
    `try { document.createElement('p').innerHTML = '<b>x</b>'; } catch { /* as it should */ }`,
  );
  await page.evaluate(
    `document.body.append(Object.assign(new Image(), { src: 'http://other.example/x.png' }))`,
  );
  await expect.poll(() => complaints.map((complaint) => complaint.split(' ')[1]).sort()).toContain('img-src');
  expect(complaints.join()).toContain('require-trusted-types-for');
  await context.close();
});

test('values are masked one by one, and hide again after 30 seconds', async () => {
  const { page, open, close } = await fixture.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(at('orders-database'));
  const value = page.getByLabel('Value of username');
  const begun = await page.evaluate<number>('Date.now()');
  await page.getByRole('button', { name: 'Reveal username' }).click();
  await value.waitFor();
  expect(await value.textContent()).toBe('orders');
  expect(await page.getByLabel('Value of password').count()).toBe(0);
  const countdown = `document.querySelector('.hide-countdown').getAnimations()[0].effect.getTiming().duration`;
  expect(await page.evaluate(countdown)).toBe(30_000);
  await page.clock.pauseAt(begun + 29_000);
  expect(await value.count()).toBe(1);
  await page.clock.resume();
  await page.clock.runFor(2_000);
  await value.waitFor({ state: 'detached' });
  await close();
});

test('a revealed value hides when the tab goes out of sight', async () => {
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at('orders-database'));
  await page.getByRole('button', { name: 'Reveal username' }).click();
  await page.getByLabel('Value of username').waitFor();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await page.getByLabel('Value of username').waitFor({ state: 'detached' });
  await close();
});

test('a plain key is shown on the next visit by a request of its own, stays, and is masked again', async () => {
  const { page, open, close } = await fixture.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(at('orders-database'));
  const value = page.getByLabel('Value of username');
  await chooseForKey(page, 'username', 'Show always');
  await value.waitFor();
  const request = page.waitForRequest((one) => one.url().endsWith('/orders-database/keys/username'));
  await open(at('orders-database'));
  await request;
  await value.waitFor();
  expect(await value.textContent()).toBe('orders');
  expect(await page.getByLabel('Value of password').count()).toBe(0);
  await page.clock.runFor(31_000);
  expect(await value.count()).toBe(1);
  const plainKeys = `Object.entries(localStorage).filter(([key]) => key.startsWith('places:')).map(([, text]) => JSON.parse(text).plainKeys)`;
  expect(await page.evaluate(plainKeys)).toEqual([[{ namespace, name: 'orders-database', key: 'username' }]]);
  await chooseForKey(page, 'username', 'Mask again');
  await value.waitFor({ state: 'detached' });
  await open(at('orders-database'));
  await page.getByRole('button', { name: 'Reveal username' }).waitFor();
  expect(await page.evaluate(plainKeys)).toEqual([[]]);
  await close();
});

test('a value is copied without being shown', async () => {
  const { page, context, open, close } = await fixture.visitInNewContext(ADMIN);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(at('orders-database'));
  await page.getByRole('button', { name: 'Copy username' }).click();
  await page.getByText('username is copied').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('orders');
  expect(await page.getByLabel('Value of username').count()).toBe(0);
  await close();
});

test('a certificate is shown with its subject, names and expiry', async () => {
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at('orders-tls'));
  await page.getByText(/expires in \d+ hours/).waitFor();
  await page.getByRole('button', { name: 'Certificate, details of tls.crt' }).click();
  const facts = page.getByLabel('Certificate', { exact: true });
  await facts.getByText('CN=orders.example.com').first().waitFor();
  await facts.getByText('localhost, 127.0.0.1').waitFor();
  await page.getByRole('button', { name: 'Certificate CN=orders.example.com, details of tls.crt' }).waitFor();
  expect(await page.getByLabel('Value of tls.crt').count()).toBe(0);
  expect(await facts.locator('time').count()).toBe(2);
  await close();
});

test('a docker configuration shows its registries, their passwords masked', async () => {
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at('pull-credentials'));
  await page.getByRole('button', { name: 'Registries, details of .dockerconfigjson' }).click();
  const registries = page.getByRole('list', { name: 'Registries' });
  await registries.getByText('registry.example.com', { exact: true }).waitFor();
  await registries.getByText('puller').waitFor();
  expect(await registries.getByText('hidden').count()).toBe(1);
  await registries.getByRole('button', { name: 'Reveal the password of registry.example.com' }).click();
  await registries.getByText('hidden').waitFor({ state: 'detached' });
  await close();
});

test('a binary value has a size, a read-only base64 viewer and a download of its bytes', async () => {
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at('keystore'));
  await page.getByText('binary', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Reveal store.bin as base64' }).click();
  await page.getByText('unknown binary data').waitFor();
  await page.getByText('400 B').waitFor();
  const viewer = page.getByRole('textbox', { name: 'store.bin as base64' });
  expect(await viewer.isEditable()).toBe(false);
  const base64 = await viewer.inputValue();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseForKey(page, 'store.bin', 'Download'),
  ]);
  const chunks = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(chunks as Buffer[]).toString('base64')).toBe(base64);
  await close();
});

test('each page requests the Secret again without values, and a value once it is wanted', async () => {
  const { page, open, close } = await fixture.visit(ADMIN);
  const reads: string[] = [];
  page.on('request', (request) => {
    const [, read] = request.url().split(`/api/namespaces/${namespace}/secrets/settings`);
    if (read !== undefined && !/^\/(versions|access)$/.test(read)) reads.push(read);
  });
  await open(`/namespaces/${namespace}`);
  await page.getByRole('link', { name: 'settings' }).hover();
  expect(reads).toHaveLength(0);
  await page.getByRole('link', { name: 'settings' }).click();
  await page.getByRole('button', { name: 'Reveal motd' }).waitFor();
  expect(reads).toEqual(['?values=false']);
  await content(page).getByRole('link', { name: namespace }).click();
  await page.getByRole('link', { name: 'settings' }).click();
  await page.getByRole('button', { name: 'Reveal motd' }).click();
  await page.getByLabel('Value of motd').waitFor();
  expect(reads).toEqual(['?values=false', '?values=false', '/keys/motd']);
  await page.getByRole('button', { name: 'Hide motd' }).click();
  await page.getByRole('button', { name: 'Reveal motd' }).click();
  await page.getByLabel('Value of motd').waitFor();
  expect(reads.slice(2)).toEqual(['/keys/motd', '/keys/motd']);
  await close();
});

test('deleting takes the typed name', async () => {
  await fixture.stack.kube.createSecret(namespace, { metadata: { name: 'short-lived' }, data: {} });
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at('short-lived'));
  await chooseAction(page, 'Delete');
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel('Type short-lived to confirm').fill('short-lived');
  await confirm.click();
  await page.getByText('short-lived is deleted.').waitFor();
  await page.getByRole('link', { name: 'settings' }).waitFor();
  expect(await page.getByRole('link', { name: 'short-lived' }).count()).toBe(0);
  expect(await fixture.stack.kube.getSecret(namespace, 'short-lived')).toBeUndefined();
  await close();
});

test('a deletion that a finalizer holds shows as pending, and its row stays', async () => {
  await fixture.stack.kube.createSecret(namespace, {
    metadata: { name: 'held', finalizers: ['example.com/hold'] },
    data: {},
  });
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at('held'));
  await chooseAction(page, 'Delete');
  await page.getByLabel('Type held to confirm').fill('held');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Deletion started, waiting for finalizers' }).waitFor();
  await content(page).getByRole('link', { name: namespace }).click();
  await page.getByRole('rowheader', { name: /^held/ }).getByText('deletion pending').waitFor();
  await close();
});

test('a Secret that changed since it was opened is not deleted, and can be looked at again', async () => {
  const { kube } = fixture.stack;
  await kube.createSecret(namespace, { metadata: { name: 'moving' }, data: {} });
  const { page, open, close } = await fixture.visit(ADMIN);
  await open(at('moving'));
  await chooseAction(page, 'Delete');
  await kube.patchSecret(namespace, 'moving', { data: { added: 'eA==' } });
  await page.getByLabel('Type moving to confirm').fill('moving');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Someone changed this Secret since you opened it').waitFor();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'Reveal added' }).waitFor();
  expect(await kube.getSecret(namespace, 'moving')).toBeDefined();
  await close();
});
