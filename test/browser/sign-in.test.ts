import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVELOPER_A, DEVELOPER_B, person } from '../harness/api-client.ts';
import { createDemoSecrets } from './demo-secrets.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { signIn, type Visit } from './profiles.ts';
import {
  content,
  homeIsRead,
  listedNamespace,
  listedSecret,
  signOut,
  withoutCounts,
} from './frame-actions.ts';

let fixture: BrowserFixture;
let namespace: string;

beforeAll(async () => {
  fixture = await openBrowserFixture();
  namespace = await createDemoSecrets(fixture.stack);
});

afterAll(() => fixture.close());

async function logInAtProvider({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill('developer-a@example.com');
  await page.getByLabel('Password').fill('developer-a-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('one button leads through the provider to the namespaces, and signing out ends it', async () => {
  const visit = await fixture.visitInNewContext();
  const { page } = visit;
  await visit.open('/');
  await page.waitForURL('**/login');
  await logInAtProvider(visit);
  await page.getByRole('heading', { name: 'Namespaces' }).waitFor();
  await page.getByText('Alex Developer').waitFor();
  await signOut(page);
  await page.waitForURL('**/login');
  await visit.open(`/namespaces/${namespace}`);
  await page.waitForURL('**/login');
  await visit.close();
});

test('a sign-out that does not reach the service is not taken for one', async () => {
  const visit = await fixture.visitInNewContext(DEVELOPER_A);
  const { page } = visit;
  await visit.open('/');
  await page.route('**/api/auth/logout', (route) => route.abort());
  await signOut(page);
  await page.getByText("You're still signed in. Try again.").waitFor();
  await page.unroute('**/api/auth/logout');
  await signOut(page);
  await page.waitForURL('**/login');
  await visit.close();
});

test('whoever opens a bookmark signed out comes back to it after signing in', async () => {
  for (const [path, title] of [
    [`/namespaces/${namespace}/secrets/settings/edit#access`, 'Edit settings'],
    ['/expiring', 'Expiring'],
  ] as const) {
    const visit = await fixture.visitInNewContext();
    await visit.open(path);
    await visit.page.waitForURL('**/login');
    await logInAtProvider(visit);
    await visit.page.waitForURL(`**${path}`);
    await visit.page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await visit.close();
  }
});

test('a sign-in that the user cancels is explained, with its code', async () => {
  const visit = await fixture.visitInNewContext();
  const { page } = visit;
  await visit.open('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL('**/login?auth=error&idp_error=access_denied');
  await page.getByText('The provider did not let you in, or the sign-in was cancelled.').waitFor();
  await page.getByText('access_denied').waitFor();
  await visit.close();
});

test.each([
  [501, "Sign-in isn't set up on this service."],
  [502, "The identity provider isn't available right now."],
  [429, 'Too many sign-ins from your address.'],
])('a login that answers %i is explained without leaving the page', async (status, sentence) => {
  const visit = await fixture.visitInNewContext();
  await visit.page.route('**/api/auth/login', (route) => route.fulfill({ status, json: { error: 'x' } }));
  await visit.open('/login');
  await visit.page.getByRole('button', { name: 'Sign in' }).click();
  await visit.page.getByRole('alert').getByText(sentence).waitFor();
  expect(new URL(visit.page.url()).pathname).toBe('/login');
  await visit.close();
});

test('a lost connection is said as such, and trying again helps', async () => {
  const visit = await fixture.visitInNewContext(DEVELOPER_A);
  const { page, context } = visit;
  await visit.open('/');
  await listedNamespace(page, namespace).waitFor();
  // Its code is loaded with the first visit, so that only the answer is missing in the second.
  await homeIsRead(page);
  await listedNamespace(page, namespace).click();
  await listedSecret(page, 'settings').click();
  await page.getByRole('button', { name: 'Reveal motd' }).waitFor();
  await content(page).getByRole('link', { name: namespace }).click();
  await context.setOffline(true);
  await listedSecret(page, 'settings').click();
  await page.getByRole('heading', { name: 'No connection' }).waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Reveal motd' }).waitFor();
  await visit.close();
});

test('text from the address never becomes part of the sign-in page', async () => {
  const visit = await fixture.visitInNewContext();
  await visit.open('/login?auth=error&idp_error=%3Cimg%20src%3Dx%3EHELLO');
  await visit.page.getByText('The sign-in did not complete.').waitFor();
  expect(await visit.page.content()).not.toContain('HELLO');
  await visit.close();
});

test('edits that are not saved survive the end of the session, and are saved after signing in again', async () => {
  const visit = await fixture.visitInNewContext(DEVELOPER_A);
  const { page, context } = visit;
  const path = `/namespaces/${namespace}/secrets/settings`;
  await withoutCounts(page);
  await visit.open(`${path}/edit#access`);
  await page.getByRole('textbox', { name: 'Description' }).fill('typed before the session ended');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.getByText('This page is kept.').waitFor();
  const link = page.getByRole('link', { name: 'Sign in again' });
  expect(await link.getAttribute('target')).toBe('_blank');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('There is no new session yet.').waitFor();
  await signIn(context, fixture.stack.url, DEVELOPER_A);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: "Couldn't save" }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(`**${path}`);
  await page.getByText('typed before the session ended').waitFor();
  await visit.close();
});

test('a page without access says so, with whom to contact and the request id', async () => {
  const visit = await fixture.visit(person('outsider@example.com', []));
  await visit.open(`/namespaces/${namespace}/secrets/orders-database`);
  await visit.page.getByRole('heading', { name: "You don't have access" }).waitFor();
  await visit.page.getByText('Send this to an owner of the Secret or to an administrator').waitFor();
  const quoted = await visit.page.locator('.request-id code').textContent();
  expect(quoted).toMatch(/^[0-9a-f-]{36}$/);
  await visit.close();
});

test('a namespace policy that is unavailable shows as such, and trying again helps', async () => {
  const closed = await fixture.stack.namespace();
  await fixture.stack.kube.setPolicy(closed, { allowedGroups: 'not json' });
  const visit = await fixture.visit(DEVELOPER_B);
  await visit.open(`/namespaces/${closed}`);
  await visit.page.getByText('Namespace access policy is unavailable').waitFor();
  await fixture.stack.kube.setPolicy(closed, { allowedGroups: '["team-b"]' });
  await visit.page.getByRole('button', { name: 'Try again' }).click();
  await visit.page.getByRole('heading', { name: 'No Secrets to show' }).waitFor();
  await visit.close();
});
