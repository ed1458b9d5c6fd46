import type { Locator, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A, DEVELOPER_B } from '../harness/api-client.ts';
import { signIn } from './profiles.ts';
import { openSecretsFixture, setValue, shareField } from './secrets-fixture.ts';
import { signOut, withoutCounts } from './frame-actions.ts';

const here = openSecretsFixture();
const { at, make } = here;

async function changeToken(name: string, token: string): Promise<void> {
  const { secret } = (await here.admin.get(`/api${at(name)}`)).json as {
    secret: { resourceVersion: string };
  };
  const body = { resourceVersion: secret.resourceVersion, data: { token } };
  const { status, text } = await here.admin.put(`/api${at(name)}`, body);
  if (status !== 200) throw new Error(text);
}

test('signing out in one tab drops the values of another, and signing in again brings them back', async () => {
  await make('two-tabs', { token: 'a value in two tabs' });
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  await open(at('two-tabs'));
  await page.getByRole('button', { name: 'Reveal token' }).click();
  await page.getByText('a value in two tabs').waitFor();
  const other = await context.newPage();
  await other.goto('/');
  await signOut(other);
  await other.waitForURL('**/login');
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(await page.content()).not.toContain('a value in two tabs');
  expect(await page.getByRole('button', { name: 'Copy token' }).count()).toBe(0);
  await signIn(context, here.stack.url, DEVELOPER_A);
  await other.goto('/');
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await other.close();
  await close();
});

test('what was typed is kept behind the notice, where no one sees it, when another tab signs out', async () => {
  await make('typed-elsewhere', { token: 'before' });
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  await open(`${at('typed-elsewhere')}/edit`);
  await setValue(page, 'token', 'typed here');
  const other = await context.newPage();
  await other.goto('/');
  await signOut(other);
  await other.waitForURL('**/login');
  await page.getByText('This page is kept.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Value of token' }).count()).toBe(0);
  await signIn(context, here.stack.url, DEVELOPER_A);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Show and edit the value of token' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Value of token' }).inputValue())
    .toBe('typed here');
  await other.close();
  await close();
});

test('the note of a restore outlives the session, and ends with the restore', async () => {
  await make('noted-restore', { token: 'one' });
  await changeToken('noted-restore', 'two');
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  await page.clock.install();
  await open(`${at('noted-restore')}/history`);
  const note = page.getByRole('textbox', { name: 'Note (optional)' });
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await note.fill('why it goes back');
  await context.clearCookies();
  await page.clock.fastForward(60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await page.getByText('This page is kept.').waitFor();
  await note.waitFor({ state: 'detached' });
  await signIn(context, here.stack.url, DEVELOPER_A);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  expect(await note.inputValue()).toBe('why it goes back');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is restored as version 3.').waitFor();
  await page.getByText('why it goes back').waitFor();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  expect(await note.inputValue()).toBe('');
  await close();
});

test('the note and the outcome of a copy of missing keys outlive the session', async () => {
  await make('note-from', { token: 'x' });
  await make('note-to', { other: 'x' });
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  await withoutCounts(page);
  await open(`${at('note-from')}/compare?with=${here.namespace}/note-to`);
  const note = page.getByRole('textbox', { name: 'Note (optional)' });
  const copy = page.getByRole('button', { name: `Copy 1 missing key to ${here.namespace}/note-to` });
  await copy.click();
  await note.fill('why it is copied');
  await context.clearCookies();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('This page is kept.').waitFor();
  await signIn(context, here.stack.url, DEVELOPER_A);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: "Couldn't copy the keys" }).waitFor();
  expect(await note.inputValue()).toBe('why it is copied');
  await close();
});

test('what is typed in a dialog alone outlives the session, and is no change once it is deleted', async () => {
  await make('typed-in-dialog', { token: 'x' });
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  const other = await context.newPage();
  await other.goto('/');
  const comesBack = async (field: Locator, typed: string) => {
    await field.fill(typed);
    await signOut(other);
    await page.getByText('This page is kept.').waitFor();
    expect(await field.count()).toBe(0);
    await signIn(context, here.stack.url, DEVELOPER_A);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => field.inputValue()).toBe(typed);
    await other.goto('/');
  };
  await open(`${at('typed-in-dialog')}/edit`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('menuitem', { name: '.env or JSON text…' }).click();
  await comesBack(page.getByRole('textbox', { name: 'Text of the .env or JSON file' }), 'TOKEN=typed');
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('checkbox', { name: 'Select typed-in-dialog' }).check();
  await page.getByRole('button', { name: 'Change access' }).click();
  await comesBack(shareField(page), 'team-a, team-b');
  const isUnloadPrevented = () =>
    page.evaluate('!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))');
  await expect.poll(isUnloadPrevented).toBe(true);
  await shareField(page).fill('');
  await expect.poll(isUnloadPrevented).toBe(false);
  await close();
});

test('the outcome of a deletion, and its undo, outlive the session that ends in the middle', async () => {
  for (const name of ['ends-1', 'ends-2']) await make(name, { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await page.clock.install();
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('checkbox', { name: 'Select ends-1' }).check();
  await page.getByRole('checkbox', { name: 'Select ends-2' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const ended = page.getByRole('heading', { name: 'Your session has ended' });
  const goOn = async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await ended.waitFor({ state: 'detached' });
  };
  await page.route('**/secrets/ends-1?**', async (route) => {
    await ended.waitFor();
    await route.continue();
  });
  const refuse = (route: Route) => route.fulfill({ status: 401, json: { error: 'Over' } });
  await page.route('**/secrets/ends-2?**', refuse);
  await page.getByLabel('Type delete to confirm').fill('delete');
  const deleted = page.waitForResponse('**/secrets/ends-1?**');
  await page.keyboard.press('Enter');
  await deleted;
  await goOn();
  await page.getByRole('heading', { name: '1 of 2 Secrets not deleted' }).waitFor();
  await page.route('**/api/auth/me', refuse);
  await page.evaluate('new BroadcastChannel("session").postMessage("ended")');
  await ended.waitFor();
  await page.clock.runFor(60_000);
  await page.unroute('**/api/auth/me');
  await goOn();
  await page.getByText('1 Secret deleted, 1 not deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('ends-1 is restored.').waitFor();
  await close();
});

test('when someone else signs in, the tabs of the person before them show nothing', async () => {
  await make('first-person', { token: 'x' });
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  await open(at('first-person'));
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await signIn(context, here.stack.url, DEVELOPER_B);
  const other = await context.newPage();
  await other.goto('/');
  await page.getByRole('heading', { name: 'This page belongs to someone else' }).waitFor();
  expect(await page.getByRole('button', { name: 'Reveal token' }).count()).toBe(0);
  expect(await other.getByRole('heading', { name: 'This page belongs to someone else' }).count()).toBe(0);
  await other.close();
  await close();
});

test('after signing out, or when someone else signs in, no name of a recent Secret stays in the browser', async () => {
  await make('recent-secret', { token: 'x' });
  const { page, context, open, close } = await here.visitInNewContext(DEVELOPER_A);
  const kept = () => page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
  const visit = async () => {
    await open(at('recent-secret'));
    await page.getByRole('button', { name: 'Reveal token' }).waitFor();
    await expect.poll(kept).toContain('recent-secret');
  };
  await visit();
  await signOut(page);
  await page.waitForURL('**/login');
  expect(await kept()).not.toContain('recent-secret');
  await signIn(context, here.stack.url, DEVELOPER_A);
  await visit();
  await signIn(context, here.stack.url, DEVELOPER_B);
  await page.goto('/');
  await expect.poll(kept).not.toContain('recent-secret');
  await close();
});
