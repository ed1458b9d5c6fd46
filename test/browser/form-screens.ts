import type { Page } from 'playwright-core';
import type { Screen } from './look.ts';

type Address = (path: string) => string;

const createOf =
  (at: Address, type: string): Screen =>
  async ({ open, page }) => {
    await open(at('/create'));
    await page.getByLabel('Type', { exact: true }).selectOption(type);
    await page.getByRole('textbox', { name: /^Name/ }).fill('new');
  };

const editOf =
  (at: Address, name: string, ready: (page: Page) => Promise<void>): Screen =>
  async ({ open, page }) => {
    await open(at(`/secrets/${name}/edit`));
    await ready(page);
  };

/** The forms of the built-in types, and one in which keys have every state. */
export const formScreens = (at: Address): Readonly<Record<string, Screen>> => ({
  'create-basic-auth': createOf(at, 'kubernetes.io/basic-auth'),
  'create-ssh-auth': createOf(at, 'kubernetes.io/ssh-auth'),
  'edit-basic-auth': editOf(at, 'orders-database', async (page) => {
    await page.locator('[data-key="password"] .row-value').getByRole('button').first().click();
  }),
  'edit-tls': editOf(at, 'orders-tls', (page) => page.locator('[data-key="tls.key"]').waitFor()),
  'edit-registry': editOf(at, 'pull-credentials', async (page) => {
    await page.getByRole('button', { name: 'Show and edit the registries' }).click();
    await page.getByLabel('Registry').first().waitFor();
  }),
  'edit-marked': editOf(at, 'settings', async (page) => {
    await page.getByRole('button', { name: 'Remove EMPTY' }).click();
    await page.getByRole('button', { name: 'Generate a value of API_TOKEN' }).click();
    await page.getByRole('button', { name: 'Use a generated value' }).click();
    await page.locator('[data-key="motd"] .key-input input').fill('message');
    await page.getByRole('button', { name: 'Add a key' }).click();
    await page.keyboard.type('added');
  }),
});

/** What takes the place of a screen that cannot be shown. */
export const problemScreens = (at: Address): Readonly<Record<string, Screen>> => ({
  'unknown-address': async ({ open, page }) => {
    await open('/no/such/page');
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
  unavailable: async ({ open, page }) => {
    await page.route('**/api/namespaces/*/secrets/settings?*', (route) =>
      route.fulfill({ status: 503, json: { error: 'The cluster did not answer in time' } }),
    );
    await open(at('/secrets/settings'));
    await page.getByRole('heading', { name: 'Not available right now' }).waitFor();
  },
  'list-failed': async ({ open, page }) => {
    await page.route(/\/api\/namespaces\/[^/]+\/secrets(\?|$)/, (route) =>
      route.fulfill({ status: 500, json: { error: 'Internal' } }),
    );
    await open(at(''));
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  },
});
