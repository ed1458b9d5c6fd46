import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN } from '../harness/api-client.ts';
import { chooseAction } from './secret-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

beforeAll(() => make('focused', { token: 'x', other: 'y', text: 'one\ntwo' }));

const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.tagName');

const pressDelete = async (page: Page) => {
  // The first item of a row's menu takes the focus a moment after it is drawn.
  await page.locator('[role=menuitem]:focus').waitFor();
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
};

test('the keyboard goes on from the generator whose value is used', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('focused')}/edit`);
  await page.getByRole('button', { name: 'Generate a value of token' }).press('Enter');
  await page.getByRole('button', { name: 'Use a generated value' }).press('Enter');
  await page.getByText('1 change').waitFor();
  expect(await focused(page)).toBe('Generate a value of token');
  await page.getByRole('button', { name: 'Import' }).press('Enter');
  await page.getByRole('menuitem', { name: '.env or JSON' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Import');
  await close();
});

test('the keyboard goes on from the menu of a dialog that is closed with Escape', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  const closeDialog = async () => {
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await open(at('focused'));
  await chooseAction(page, 'Delete');
  await closeDialog();
  expect(await focused(page)).toBe('More actions');
  await open(`/namespaces/${here.namespace}`);
  await page.getByRole('button', { name: 'Actions for focused' }).press('Enter');
  await pressDelete(page);
  await closeDialog();
  expect(await focused(page)).toBe('Actions for focused');
  await page.getByRole('button', { name: /^Your account/ }).press('Enter');
  // Its first item takes the focus a moment after it has opened.
  await page.locator('[role=menuitem]:focus').waitFor();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
  await closeDialog();
  expect(await focused(page)).toContain('Your account');
  await close();
});

test('the keyboard goes on from the row that takes the place of those that are deleted in a list', async () => {
  const namespace = await here.stack.namespace();
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await here.stack.kube.createSecret(namespace, { metadata: { name }, data: { token: 'eA==' } });
  }
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${namespace}`);
  const selectBox = (name: string) => page.getByLabel(`Select ${name}`, { exact: true });
  const confirm = async (word: string, focusedNext: string, ...gone: readonly string[]) => {
    await page.getByLabel(`Type ${word} to confirm`).fill(word);
    await page.keyboard.press('Enter');
    for (const name of gone) await selectBox(name).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.title || document.activeElement.id')).toBe(
      focusedNext,
    );
  };
  const removeByMenu = async (name: string, focusedNext: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).press('Enter');
    await pressDelete(page);
    await confirm(name, focusedNext, name);
  };
  await removeByMenu('b', 'c');
  for (const name of ['a', 'c']) await selectBox(name).press('Space');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await confirm('delete', 'd', 'a', 'c');
  await removeByMenu('e', 'd');
  await removeByMenu('d', 'main');
  await close();
});

test('the keyboard stays on the button that reads a page again', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  for (const [path, label] of [
    [`/namespaces/${here.namespace}`, 'Refresh the list'],
    [`/namespaces/${here.namespace}/activity`, 'Refresh the activity'],
    [`/namespaces/${here.namespace}/deleted`, 'Refresh the deleted Secrets'],
    [at('focused'), 'Reload this Secret'],
  ] as const) {
    await open(path);
    const button = page.getByRole('button', { name: label });
    await expect.poll(() => button.isEnabled()).toBe(true);
    const request = page.waitForRequest((one) => one.url().includes('/api/namespaces/'));
    await button.press('Enter');
    await request;
    await expect.poll(() => button.isEnabled()).toBe(true);
    expect(await focused(page)).toBe(label);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>(`document.activeElement.tagName`)).not.toBe('BODY');
  }
  await close();
});

test('a field has one ring when it has the focus, on its border', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('focused')}/edit`);
  for (const field of [
    page.getByRole('textbox', { name: 'Value of token' }),
    page.getByRole('textbox', { name: 'Key 1' }),
  ]) {
    await field.focus();
    const ring = 'getComputedStyle(document.activeElement)';
    expect(await page.evaluate(`[${ring}.outlineStyle, ${ring}.outlineOffset]`)).toEqual(['solid', '0px']);
    // No further from the border than the ring is wide.
    const left = (element: string) => `document.activeElement${element}.getBoundingClientRect().left`;
    expect([0, 2]).toContain(await page.evaluate(`${left('')} - ${left('.parentElement')}`));
  }
  // A text of several lines fills what has its border.
  await page.getByRole('button', { name: 'Show and edit the value of text' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  const widths =
    '[document.activeElement, document.activeElement.parentElement].map(({ offsetWidth }) => offsetWidth)';
  const [field, border] = await page.evaluate<[number, number]>(widths);
  expect(field).toBe(border);
  await close();
});

test('with colours that the system chooses, the current place and a changed row alone are marked', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.emulateMedia({ forcedColors: 'active' });
  await open(`${at('focused')}/edit`);
  await page.getByRole('textbox', { name: 'Value of token' }).fill('changed');
  const edge = (key: string) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('[data-key=${key}]')).borderInlineStartColor`,
    );
  const canvas = await page.evaluate<string>(`(() => {
    document.body.style.color = 'Canvas';
    const color = getComputedStyle(document.body).color;
    document.body.style.color = '';
    return color;
  })()`);
  expect(await edge('other')).toBe(canvas);
  expect(await edge('token')).not.toBe(canvas);
  const outlines = await page.evaluate<string[]>(
    `[...document.querySelectorAll('nav li a')].filter((link) => getComputedStyle(link).outlineStyle === 'solid')
      .map((link) => link.getAttribute('href'))`,
  );
  expect(outlines).toEqual([`/namespaces/${here.namespace}`]);
  await close();
});

test('with colours that the system chooses, what lies over the page has an edge, and what Enter takes is outlined', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await page.emulateMedia({ forcedColors: 'active' });
  await open(`/namespaces/${here.namespace}`);
  const styleOf = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
  await page.getByRole('button', { name: 'Actions for focused' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  await expect.poll(() => styleOf('[role=menuitem]:focus', 'outlineStyle')).toBe('solid');
  expect(await styleOf('[class*=c-menu]:has(> * [role=menuitem])', 'borderTopWidth')).toBe('1px');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  expect(await styleOf('[role=dialog]', 'borderTopWidth')).toBe('1px');
  expect(await styleOf('.search-active', 'outlineStyle')).toBe('solid');
  await close();
});
