import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { withoutCounts } from './frame-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

/** More stops than any screen has. */
const MAX_STOPS = 60;

/** The accessible name of what has the focus, and whether the focus shows. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ');
  const { outlineStyle, boxShadow } = getComputedStyle(element);
  return {
    name: (element.getAttribute('aria-label') ?? (labels || element.textContent) ?? '').trim(),
    tag: element.tagName,
    shows: outlineStyle !== 'none' || boxShadow !== 'none',
  };
})()`;

interface Focused {
  readonly name: string;
  readonly tag: string;
  readonly shows: boolean;
}

const here = openSecretsFixture();

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp, tag?: string): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused>(FOCUSED);
    passed.push(focused.name);
    const matches = typeof name === 'string' ? focused.name === name : name.test(focused.name);
    if (matches && (tag === undefined || focused.tag === tag)) {
      expect(focused.shows).toBe(true);
      return;
    }
  }
  throw new Error(`Tab never comes to ${String(name)}; it passes ${passed.join(' | ')}`);
}

/** Deletes the Secret on the screen. */
async function deleteIt(page: Page, name: string): Promise<void> {
  const { keyboard } = page;
  await tabTo(page, 'More actions', 'BUTTON');
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(page, new RegExp(`^Type ${name} to confirm`));
  await keyboard.type(name);
  await tabTo(page, 'Delete', 'BUTTON');
  await keyboard.press('Enter');
}

test('a Secret is created, edited and deleted with the keyboard alone', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  const { keyboard } = page;
  const inDialog = page.getByRole('dialog');
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('link', { name: 'Create a Secret' }).waitFor();
  await tabTo(page, 'Create a Secret');
  await keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Create a Secret' }).waitFor();
  await page.getByRole('textbox', { name: /^Name/ }).waitFor();
  await tabTo(page, /^Name/, 'INPUT');
  await keyboard.type('by-keyboard');
  await tabTo(page, 'Key', 'INPUT');
  await keyboard.type('token');
  await tabTo(page, 'Value of token');
  await keyboard.type('one');
  await tabTo(page, 'Create', 'BUTTON');
  await keyboard.press('Enter');

  await page.getByRole('heading', { name: 'by-keyboard', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await tabTo(page, 'Edit');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Edit by-keyboard' }).waitFor();
  await page.getByRole('button', { name: 'Show and edit the value of token' }).waitFor();
  await tabTo(page, 'Show and edit the value of token');
  await keyboard.press('Enter');
  // The field that comes takes over the focus of the button that goes.
  await expect
    .poll(() => page.evaluate<Focused>(FOCUSED))
    .toMatchObject({ name: 'Value of token', tag: 'INPUT' });
  await keyboard.press('End');
  await keyboard.type(' and two');
  await tabTo(page, 'Review and save');
  await keyboard.press('Enter');
  await inDialog.waitFor();
  // Escape leaves a dialog, and the focus is where it was.
  await keyboard.press('Escape');
  await inDialog.waitFor({ state: 'detached' });
  expect((await page.evaluate<Focused>(FOCUSED)).name).toBe('Review and save');
  await keyboard.press('Enter');
  await inDialog.waitFor();
  await tabTo(page, 'Save', 'BUTTON');
  await keyboard.press('Enter');

  await page.getByText('by-keyboard is saved as version 2.').waitFor();
  await page.getByRole('button', { name: 'More actions' }).waitFor();
  const secret = await here.stack.kube.getSecret(here.namespace, 'by-keyboard');
  expect(secret?.data).toEqual({ token: Buffer.from('one and two').toString('base64') });
  await deleteIt(page, 'by-keyboard');
  await page.getByText('by-keyboard is deleted.').waitFor();
  expect(await here.stack.kube.getSecret(here.namespace, 'by-keyboard')).toBeUndefined();
  await close();
});

test('the keyboard begins at the content of a screen, with the head behind it', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  // What needs attention and what happened lately have links, once they are there.
  await withoutCounts(page);
  await open('/');
  // The title is there before the namespaces.
  await page.getByRole('list', { name: 'Namespaces' }).waitFor();
  await page.keyboard.press('Tab');
  expect((await page.evaluate<Focused>(FOCUSED)).name).toBe('Filter namespaces by name');
  await page.keyboard.press('Shift+Tab');
  const within = await page.evaluate<string>("document.activeElement.closest('nav')?.ariaLabel");
  expect(within).toBe('Navigation');
  await close();
});

const OPEN_AND_CLOSE = `(async () => {
  document.activeElement.closest('tr').querySelector('a').focus();
  for (const key of ['c', 'Escape']) {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await null;
  }
})()`;

test('single keys move through a list and the keys of a Secret, open, reveal, copy and edit', async () => {
  await here.make('keys-one', { token: 'the value', other: 'x' });
  await here.make('keys-two', { token: 'x' });
  const { page, context, open, close } = await here.visitInNewContext(ADMIN);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { keyboard } = page;
  const focused = async () => (await page.evaluate<Focused>(FOCUSED)).name;
  await open(`/namespaces/${here.namespace}?q=keys-`);
  await page.getByRole('link', { name: 'keys-two' }).waitFor();
  await keyboard.press('j');
  expect(await focused()).toBe('keys-one');
  await keyboard.press('j');
  expect(await focused()).toBe('keys-two');
  await keyboard.press('c');
  await page.getByRole('menu', { name: 'Copy a value' }).getByText('token').waitFor();
  await keyboard.press('Escape');
  await page.getByRole('menu', { name: 'Copy a value' }).waitFor({ state: 'detached' });
  // By someone who types fast, before the menu has taken the focus.
  await page.evaluate(OPEN_AND_CLOSE);
  await page.getByRole('menu', { name: 'Copy a value' }).waitFor({ state: 'detached' });
  await keyboard.press('k');
  expect(await focused()).toBe('keys-one');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reveal token' }).waitFor();
  await keyboard.press('j');
  await keyboard.press('j');
  expect(await focused()).toBe('Reveal token');
  await keyboard.press('Enter');
  await page.getByLabel('Value of token').getByText('the value').waitFor();
  await keyboard.press('c');
  await page.getByText('token is copied').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('the value');
  await keyboard.press('?');
  await page.getByRole('dialog').getByText('Next and previous Secret or key').waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keyboard.press('e');
  await page.waitForURL('**/keys-one/edit');
  await open(`/namespaces/${here.namespace}?q=keys-`);
  await page.getByRole('link', { name: 'keys-two' }).waitFor();
  await keyboard.press('j');
  await keyboard.press('e');
  await page.waitForURL('**/keys-one/edit');
  await close();
});
