import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Leaves the requests for what the sidebar counts without an answer. They are sent some time after the screen, and would
 * be the first to notice that a session has ended.
 */
export const withoutCounts = (page: Page) =>
  page.route(/\/api\/(expiring|namespaces\/[^/]+\/secrets)\?/, () => undefined);

/** Opens the menu of the user. */
export async function openUserMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
}

export async function signOut(page: Page): Promise<void> {
  await openUserMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** The screen without the frame, whose links lead to namespaces, too. */
export const content = (page: Page): Locator => page.getByRole('main');

/** On the home page, which may also link to the namespace's activity. */
export const listedNamespace = (page: Page, namespace: string): Locator =>
  page.getByRole('list', { name: 'Namespaces' }).getByRole('link', { name: namespace });

/** Waits for all of the home page: while its parts are read they move the namespaces, and a click would miss them. */
export async function homeIsRead(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Namespaces' }).waitFor();
  await expect
    .poll(() =>
      content(page)
        .getByText(/^Loading: /)
        .count(),
    )
    .toBe(0);
}

/** In the list of a namespace. The home page, which is there until the list is, may link to the Secret's history. */
export const listedSecret = (page: Page, name: string): Locator =>
  page.getByRole('grid', { name: 'Secrets' }).getByRole('link', { name });
