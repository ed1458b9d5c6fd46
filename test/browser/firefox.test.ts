import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoSecrets } from './demo-secrets.ts';
import { launchFirefox, openTab, type FirefoxTab } from './firefox.ts';
import { openPagesStack, type PagesStack } from './fixture.ts';

let pages: PagesStack;
let namespace: string;
let firefox: Browser;

beforeAll(async () => {
  [pages, firefox] = await Promise.all([openPagesStack(), launchFirefox()]);
  namespace = await createDemoSecrets(pages.stack);
});

afterAll(async () => {
  await firefox.close();
  await pages.close();
});

const stored = async (name: string, key: string) => {
  const { data = {} } = (await pages.stack.kube.getSecret(namespace, name)) ?? {};
  return Buffer.from(data[key] ?? '', 'base64').toString();
};

/** Opens the pages signed out, and signs in at the provider. */
async function signIn({ page, click, fill, see }: FirefoxTab): Promise<void> {
  await page.goto(pages.stack.url);
  await click('button', 'Sign in');
  await fill('Email', 'developer-a@example.com');
  await page.locator('input[type=password]').fill('developer-a-password');
  await click('button', 'Sign in');
  await see('heading', 'Namespaces');
}

async function findSecret({ page, click, fill, see, read }: FirefoxTab): Promise<void> {
  await page.waitForFunction("!document.querySelector('main').textContent.includes('Loading: ')");
  await page.locator(`main a[href="/namespaces/${namespace}"]`).click();
  await read('6 of 6 Secrets');
  await fill('Filter by name, key, description or access', 'payment');
  await read('1 of 6 Secrets');
  await click('link', 'settings');
  await see('heading', 'settings');
}

async function revealAndCopy({ page, click, read }: FirefoxTab): Promise<void> {
  await click('button', 'Reveal config.json');
  await read('{"retries":3');
  await click('button', 'Copy API_TOKEN');
  await page.waitForFunction('navigator.clipboard.readText().then((text) => text.length > 0)');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await stored('settings', 'API_TOKEN'));
}

async function editAndSave({ click, fill, see, read }: FirefoxTab): Promise<void> {
  await click('link', 'Edit');
  await click('button', 'Show and edit the value of API_TOKEN');
  await see('button', 'Hide the value of API_TOKEN');
  await fill('Value of API_TOKEN', 'typed in Firefox');
  await click('button', 'Review and save');
  await click('button', 'Save');
  await read('settings is saved as version 2.');
  await see('heading', 'settings');
  expect(await stored('settings', 'API_TOKEN')).toBe('typed in Firefox');
}

async function compareAndRestore({ page, click, read }: FirefoxTab): Promise<void> {
  const before = await stored('settings', 'API_TOKEN');
  await click('tab', 'History');
  await click('button', 'View version 2');
  await read('1 of 4 keys differ.');
  await click('button', 'Restore version 1');
  await click('button', 'Restore');
  await read('Version 1 is restored as version 3.');
  // A deletion names the revision that the page has read.
  await page.locator('::-p-xpath(//ul[@aria-label="Facts"]/li[.="version 3"])').wait();
  expect(await stored('settings', 'API_TOKEN')).not.toBe(before);
}

async function deleteAndUndo({ page, click, fill, read }: FirefoxTab): Promise<void> {
  await click('button', 'More actions');
  await click('menuitem', 'Delete');
  await fill('Type settings to confirm', 'settings');
  await click('button', 'Delete');
  await read('settings is deleted.');
  expect(await pages.stack.kube.getSecret(namespace, 'settings')).toBeUndefined();
  await click('button', 'Undo');
  await read('settings is restored.');
  expect(await stored('settings', 'motd')).toBe('one\ntwo\n');
  expect(page.url()).toBe(`${pages.stack.url}/namespaces/${namespace}`);
}

async function createSecret({ click, fill, see }: FirefoxTab): Promise<void> {
  await click('link', 'Create');
  await see('heading', 'Create a Secret');
  await fill('Name', 'from-firefox');
  await fill('Key', 'token');
  await fill('Value of token', 'one');
  await click('button', 'Create');
  await see('button', 'Copy token');
  expect(await stored('from-firefox', 'token')).toBe('one');
}

test('the main journeys work in Firefox, without an error', async () => {
  const tab = await openTab(firefox, new URL(pages.idp.issuer).origin);
  await signIn(tab);
  await findSecret(tab);
  await revealAndCopy(tab);
  await editAndSave(tab);
  await compareAndRestore(tab);
  await deleteAndUndo(tab);
  await createSecret(tab);
  await tab.click('button', 'Your account, developer-a@example.com');
  await tab.click('menuitem', 'Sign out');
  await tab.see('button', 'Sign in');
  expect(tab.complaints).toEqual([]);
});
