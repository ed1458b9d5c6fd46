import type { Page } from 'playwright-core';

/** Chooses an action from the menu of a Secret. */
export async function chooseAction(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Chooses an action from the menu of a key. */
export async function chooseForKey(page: Page, key: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${key}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Copies or downloads a whole Secret. */
export async function exportAs(page: Page, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Copy as', exact: true }).click();
  await page.getByRole('menuitem', { name: choice, exact: true }).click();
}

/** Opens the dialog that imports a text. */
export async function chooseImport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('menuitem', { name: '.env or JSON text…' }).click();
}
