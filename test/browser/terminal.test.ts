import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import { DEVELOPER_A } from '../harness/api-client.ts';
import { CHALLENGE, redeemCode } from '../harness/terminal-token.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { content } from './frame-actions.ts';
import { testLooks } from './look.ts';

const STATE = 's'.repeat(22);
const WITHOUT_PORT = `/cli?challenge=${CHALLENGE}&state=${STATE}`;

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await openBrowserFixture();
});
afterAll(() => fixture.close());

/** The command, which listens for its answer. */
let received: string[];
let port: number;
const command = createServer((request, response) => {
  received.push(request.url ?? '');
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Done</title><h1>Done</h1>');
});
beforeEach(async () => {
  received = [];
  await new Promise<void>((resolve) => command.listen(0, '127.0.0.1', resolve));
  ({ port } = command.address() as AddressInfo);
});
afterEach(() => {
  command.closeAllConnections();
  command.close();
});

const answerOf = () => Object.fromEntries(new URL(received[0] ?? '', 'http://command').searchParams);

async function emailOf(code: string): Promise<unknown> {
  const { url } = fixture.stack;
  const redeemed = await redeemCode(url, code);
  const { access_token: token } = (await redeemed.json()) as { access_token: string };
  const me = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  return ((await me.json()) as { user: { email: string } }).user.email;
}

test('nothing is sent to the command before the click, and then a code that it can redeem', async () => {
  const { page, open, close } = await fixture.visit(DEVELOPER_A);
  await open(`${WITHOUT_PORT}&port=${port}`);
  await content(page).getByText(`at port ${port}`).waitFor();
  await content(page).getByText('developer-a@example.com').waitFor();
  expect(received).toEqual([]);
  await content(page).getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  const { code = '', ...rest } = answerOf();
  expect(rest).toEqual({ state: STATE });
  expect(await emailOf(code)).toBe('developer-a@example.com');
  await close();
});

test('cancelling is reported to the command', async () => {
  const { page, open, close } = await fixture.visit(DEVELOPER_A);
  await open(`${WITHOUT_PORT}&port=${port}`);
  await content(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  expect(answerOf()).toEqual({ error: 'access_denied', state: STATE });
  await close();
});

test('without a port the code is shown, to be pasted', async () => {
  const { page, open, close } = await fixture.visit(DEVELOPER_A);
  await open(WITHOUT_PORT);
  await content(page).getByRole('button', { name: 'Sign in' }).click();
  await content(page).getByText('Paste this code into your terminal within a minute').waitFor();
  const code = await content(page).locator('pre').textContent();
  expect(await emailOf(code ?? '')).toBe('developer-a@example.com');
  await close();
});

test('someone who is signed out comes back to it after signing in', async () => {
  const { page, open, close } = await fixture.visitInNewContext();
  await open(WITHOUT_PORT);
  await page.waitForURL('**/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill('developer-a@example.com');
  await page.getByLabel('Password').fill('developer-a-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`**${WITHOUT_PORT}`);
  await content(page).getByText('developer-a@example.com').waitFor();
  await close();
});

test('a refusal is explained, and can be tried again', async () => {
  const { page, open, close } = await fixture.visit(DEVELOPER_A);
  await open(WITHOUT_PORT);
  await page.route('**/api/auth/code?*', (route) =>
    route.fulfill({ status: 413, json: { error: 'You are in too many groups for a token' } }),
  );
  await content(page).getByRole('button', { name: 'Sign in' }).click();
  await content(page).getByText("The terminal isn't signed in").waitFor();
  await content(page).getByText('You are in too many groups for a token').waitFor();
  await page.unroute('**/api/auth/code?*');
  await content(page).getByRole('button', { name: 'Sign in' }).click();
  await content(page).locator('pre').waitFor();
  await close();
});

test.each([
  '/cli',
  `/cli?challenge=short&state=${STATE}`,
  `/cli?challenge=${CHALLENGE}`,
  `${WITHOUT_PORT}&port=80`,
  `${WITHOUT_PORT}&port=65536`,
  `${WITHOUT_PORT}&port=3000%40evil.example`,
])('an address that is incomplete or malformed offers nothing: %s', async (path) => {
  const { page, open, close } = await fixture.visit(DEVELOPER_A);
  await open(path);
  await content(page).getByText('This address is incomplete').waitFor();
  expect(await content(page).getByRole('button').count()).toBe(0);
  await close();
});

testLooks(
  {
    terminal: async ({ open, page }) => {
      await open(`${WITHOUT_PORT}&port=50000`);
      await content(page).getByRole('button', { name: 'Sign in' }).waitFor();
    },
    'terminal-code': async ({ open, page }) => {
      await open(WITHOUT_PORT);
      await content(page).getByRole('button', { name: 'Sign in' }).click();
      await content(page).locator('pre').waitFor();
    },
  },
  () => fixture.visit(DEVELOPER_A),
);
