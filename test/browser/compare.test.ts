import { beforeAll, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import { startCounting } from './clicks.ts';
import { chooseAction } from './secret-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
let other: string;

beforeAll(async () => {
  other = await here.stack.namespace();
});

const base64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');
/** No text in any encoding that the service reads. */
const BYTES = base64('\xff\x00\xfe\x80');

const make = async (namespace: string, name: string, body: object) => {
  const { status, text } = await here.admin.post(`/api/namespaces/${namespace}/secrets`, { name, ...body });
  if (status !== 201) throw new Error(text);
};

/** A Secret in both namespaces. */
async function makePair(name: string, left: object, right: object): Promise<void> {
  await make(here.namespace, name, left);
  await make(other, name, right);
}

const compared = (name: string) => `${here.at(name)}/compare?with=${other}/${name}`;
const table = (page: Page) => page.getByRole('table', { name: 'Keys of both Secrets' });
const row = (page: Page, name: RegExp) => table(page).getByRole('row', { name });
const copyButton = (page: Page, namespace: string) =>
  page.getByRole('button', { name: new RegExp(`^Copy \\d+ missing keys? to ${namespace}/`) });
const confirmCopy = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
const bytesOf = async (namespace: string, name: string) =>
  (await here.stack.kube.getSecret(namespace, name))?.data;

test('the same name in another namespace is compared with 3 clicks; each is read once, and only when it is chosen', async () => {
  const left = { data: { url: 'same', token: 'left', local: 'x' }, setBinary: { store: BYTES } };
  const right = { data: { url: 'same', token: 'right', remote: 'x' }, setBinary: { store: BYTES } };
  await makePair('database', left, right);
  const { page, open, close } = await here.visit(ADMIN);
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/api\/.*\/secrets\/database(\/keys\/.*)?$/.test(pathname) && search === '') reads.push(pathname);
  });
  await open(here.at('database'));
  const { click, count } = startCounting();
  await click(page.getByRole('button', { name: 'More actions' }));
  await click(page.getByRole('menuitem', { name: 'Compare with…' }));
  const choice = page.getByRole('list', { name: 'Also called database' }).getByRole('link');
  await expect.poll(() => choice.allTextContents()).toEqual([`${other}/database`]);
  expect(reads).toEqual([]);
  await click(choice);
  await row(page, /^local only here hidden/).waitFor();
  expect(count()).toBe(3);
  await row(page, /^remote only there none hidden/).waitFor();
  await row(page, /^store equal/).waitFor();
  await row(page, /^token different/).waitFor();
  await row(page, /^url equal/).waitFor();
  await page.getByText('3 of 5 keys differ.').waitFor();
  expect(await table(page).getByText('left').count()).toBe(0);
  await page.getByRole('button', { name: `Reveal token (${here.namespace}/database)` }).click();
  await page.getByRole('button', { name: `Reveal token (${other}/database)` }).click();
  const token = row(page, /^token/);
  await token.getByText('left', { exact: true }).waitFor();
  await token.getByText('right', { exact: true }).waitFor();
  expect(reads.sort()).toEqual(
    [here.namespace, other].map((one) => `/api/namespaces/${one}/secrets/database`).sort(),
  );
  await copyButton(page, other).click();
  const note = page.getByRole('textbox', { name: 'Note (optional)' });
  await note.fill('not lost by going back');
  await page.goBack();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  expect(await note.inputValue()).toBe('not lost by going back');
  await close();
});

test('missing keys are copied to either side after a review, byte for byte, and nothing else changes', async () => {
  const left = {
    data: { text: 'a\r\n\u00e4', empty: '', unwanted: 'x', both: 'left' },
    setBinary: { store: BYTES },
  };
  await makePair('copied', left, { data: { both: 'right', remote: 'x' }, description: 'stays' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(compared('copied'));
  await copyButton(page, other).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Copy unwanted' }).click();
  await dialog.getByRole('textbox', { name: 'Note' }).fill('as in the other namespace');
  await confirmCopy(page);
  await page.getByText(`Copied 3 keys to ${other}/copied, which is now version 2.`).waitFor();
  await row(page, /^store equal/).waitFor();
  await row(page, /^unwanted only here/).waitFor();
  const target = await bytesOf(other, 'copied');
  expect(target).toEqual({
    both: base64('right'),
    remote: base64('x'),
    text: Buffer.from('a\r\n\u00e4').toString('base64'),
    empty: '',
    store: BYTES,
  });
  const { json } = await here.admin.get(`/api/namespaces/${other}/secrets/copied/versions`);
  expect(json).toMatchObject({ version: 2, changeNote: 'as in the other namespace' });
  await copyButton(page, here.namespace).click();
  await confirmCopy(page);
  await page.getByText(`Copied 1 key to ${here.namespace}/copied, which is now version 2.`).waitFor();
  await expect.poll(() => copyButton(page, here.namespace).count()).toBe(0);
  // The button that had the focus is gone.
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('compared');
  expect((await bytesOf(here.namespace, 'copied'))?.['remote']).toBe(base64('x'));
  expect((await bytesOf(here.namespace, 'copied'))?.['both']).toBe(base64('left'));
  await close();
});

test('a change by someone else in the meantime is not overwritten, and is compared with', async () => {
  await makePair('raced', { data: { token: 'x' } }, { data: {} });
  const { page, open, close } = await here.visit(ADMIN);
  await open(compared('raced'));
  await copyButton(page, other).click();
  await here.stack.kube.patchSecret(other, 'raced', { data: { token: base64('theirs') } });
  await confirmCopy(page);
  await page.getByRole('heading', { name: 'A newer version was saved' }).waitFor();
  expect(await bytesOf(other, 'raced')).toEqual({ token: base64('theirs') });
  await page.getByRole('button', { name: /as it is now$/ }).click();
  await row(page, /^token different/).waitFor();
  await close();
});

test('what was revealed is masked again when a reload brings another value', async () => {
  await makePair('revealed', { data: { both: 'left', missing: 'x' } }, { data: { both: 'right' } });
  const { page, open, close } = await here.visit(ADMIN);
  await open(compared('revealed'));
  const reveal = page.getByRole('button', { name: `Reveal both (${other}/revealed)` });
  await reveal.click();
  await row(page, /^both/).getByText('right', { exact: true }).waitFor();
  await here.stack.kube.patchSecret(other, 'revealed', { data: { both: base64('unseen') } });
  await copyButton(page, other).click();
  const note = page.getByRole('textbox', { name: 'Note (optional)' });
  await note.fill('why it is copied');
  await confirmCopy(page);
  await page.getByRole('button', { name: `Compare with ${other}/revealed as it is now` }).click();
  await copyButton(page, other).click();
  expect(await note.inputValue()).toBe('why it is copied');
  await page.getByRole('button', { name: 'Back' }).click();
  // With the review, its note is given up.
  await copyButton(page, other).click();
  expect(await note.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await table(page).getByText('unseen').count()).toBe(0);
  await reveal.click();
  await row(page, /^both/).getByText('unseen', { exact: true }).waitFor();
  await close();
});

test('an answer that leaves the outcome open is looked up: copied, or not', async () => {
  await makePair('lost', { data: { token: 'x', user: 'y' } }, { data: {} });
  const { page, open, close } = await here.visit(ADMIN);
  const path = `**/namespaces/${other}/secrets/lost`;
  const fail = async (then: (route: Route) => Promise<void>) => {
    await page.unroute(path);
    await page.route(path, (route) =>
      route.request().method() === 'PATCH' ? then(route) : route.continue(),
    );
  };
  await open(compared('lost'));
  await copyButton(page, other).click();
  const headers = { 'x-request-id': 'ended' };
  await fail((route) => route.fulfill({ status: 503, headers, json: { error: 'Not now' } }));
  await confirmCopy(page);
  await page.getByRole('heading', { name: "Couldn't copy the keys" }).waitFor();
  expect((await bytesOf(other, 'lost')) ?? {}).toEqual({});
  await fail(async (route) => {
    await route.fetch();
    await route.abort();
  });
  await confirmCopy(page);
  await page.getByText(`Copied 2 keys to ${other}/lost, which is now version 2.`).waitFor();
  expect(Object.keys((await bytesOf(other, 'lost')) ?? {}).sort()).toEqual(['token', 'user']);
  await close();
});

test('a side that one can only read, or that is immutable, says why nothing is copied to it', async () => {
  await make(here.namespace, 'limited', { data: { left: 'x' } });
  const rules = { allowedGroups: ['someone-else'], readerUsers: [DEVELOPER_A.email] };
  await make(other, 'limited', { data: { right: 'x' }, ...rules });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(compared('limited'));
  await page.getByText(`You need write access to ${other}/limited.`).waitFor();
  await expect.poll(() => copyButton(page, other).isDisabled()).toBe(true);
  await expect.poll(() => copyButton(page, here.namespace).isEnabled()).toBe(true);
  await here.stack.kube.patchSecret(here.namespace, 'limited', { immutable: true });
  await page.reload();
  await page.getByText(`${here.namespace}/limited is immutable.`).waitFor();
  await close();
});

test('any other Secret is found by a search, or by its place where that is not available', async () => {
  await make(here.namespace, 'alone', { data: { token: 'x' } });
  await make(other, 'twin-of-another-name', { data: { token: 'x' } });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(here.at('alone'));
  await chooseAction(page, 'Compare with…');
  await page.getByText('No other namespace that you can see has a Secret of this name.').waitFor();
  const field = page.getByRole('searchbox', { name: 'Search for another Secret' });
  await field.fill('alone');
  await page.getByText('No matches.').waitFor();
  await field.fill('twin');
  await page.getByRole('link', { name: `${other}/twin-of-another-name` }).click();
  await row(page, /^token equal/).waitFor();
  await page.getByText('Both Secrets have the same values.').waitFor();
  await page.route('**/api/search?*', (route) => route.fulfill({ status: 503, json: { error: 'Not yet' } }));
  await page.getByRole('link', { name: 'Choose another Secret' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('compare-search');
  await field.fill(`${here.namespace}/no-such`);
  await page.getByText('The search is not available right now.').waitFor();
  await page.getByRole('link', { name: `${here.namespace}/no-such` }).click();
  await page.getByRole('heading', { name: `Couldn't read ${here.namespace}/no-such` }).waitFor();
  expect(await page.locator('.pf-m-danger').count()).toBe(0);
  await make(here.namespace, 'no-such', { data: {} });
  await page.getByRole('button', { name: 'Try again' }).click();
  await row(page, /^token only here/).waitFor();
  // With itself there is nothing to compare.
  await open(`${here.at('alone')}/compare?with=${here.namespace}/alone`);
  await field.waitFor();
  await close();
});

test('two Secrets are compared with the keyboard alone', async () => {
  await makePair('by-keys', { data: { token: 'x' } }, { data: {} });
  const { page, open, close } = await here.visit(ADMIN);
  await open(here.at('by-keys'));
  await page.getByRole('button', { name: 'More actions' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Compare with…' }).focus();
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name: `${other}/by-keys` });
  await link.waitFor();
  // From the beginning of the screen: breadcrumbs, the field, the first Secret.
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  for (let step = 0; step < 8 && (await focused()) !== `${other}/by-keys`; step++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await row(page, /^token only here/).waitFor();
  // Until one's access is known, it is disabled and takes no focus.
  await expect.poll(() => copyButton(page, other).isEnabled()).toBe(true);
  await copyButton(page, other).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await expect.poll(focused).toBe(`Copy 1 missing key to ${other}/by-keys`);
  await close();
});
