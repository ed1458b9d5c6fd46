import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { signOut } from './frame-actions.ts';
import type { Visit } from './profiles.ts';

let fixture: BrowserFixture;

beforeAll(async () => {
  fixture = await openBrowserFixture({ OIDC_RP_LOGOUT: 'true' });
});

afterAll(() => fixture.close());

async function logIn({ page, open }: Visit): Promise<void> {
  await open('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill('developer-a@example.com');
  await page.getByLabel('Password').fill('developer-a-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Namespaces' }).waitFor();
}

async function hasSession({ page }: Visit): Promise<boolean> {
  const cookies = await page.context().cookies();
  return cookies.some(({ name }) => name === 'service_session');
}

test('signing out leads to the provider, and from there back to the sign-in page', async () => {
  const visit = await fixture.visitInNewContext();
  const { page } = visit;
  await logIn(visit);
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign out of the development identity provider?' }).waitFor();
  expect(new URL(page.url()).origin).toBe(fixture.idp.issuer);
  expect(await hasSession(visit)).toBe(false);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${fixture.stack.url}/login`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await visit.close();
});

test('whoever stays at the provider is signed out here all the same', async () => {
  const visit = await fixture.visitInNewContext();
  const { page } = visit;
  await logIn(visit);
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign out of the development identity provider?' }).waitFor();
  await visit.open('/');
  await page.waitForURL('**/login');
  await visit.close();
});

test('going back to the callback with a session leads home', async () => {
  const visit = await fixture.visitInNewContext();
  const { page } = visit;
  const callbacks: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/auth/callback')) callbacks.push(request.url());
  });
  await logIn(visit);
  await page.goto(callbacks[0] ?? '');
  await page.getByRole('heading', { name: 'Namespaces' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await visit.close();
});
