import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN, GUEST } from '../harness/api-client.ts';
import { changeSettings, createDemoSecrets } from './demo-secrets.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  startBrowserGround,
  type BrowserGround,
  type Theme,
  type Visit,
  type Width,
} from './ground.ts';

const SHOTS = new URL('shots/', import.meta.url).pathname;
const LOOKS: readonly (readonly [Theme, Width])[] = [
  ['light', 'wide'],
  ['dark', 'wide'],
  ['light', 'narrow'],
  ['dark', 'narrow'],
];

let ground: BrowserGround;
let namespace: string;

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  ground = await startBrowserGround();
  namespace = await createDemoSecrets(ground.stack);
  await changeSettings(ground.stack, namespace, 'second');
  await ground.stack.kube.createSecret(namespace, {
    metadata: { name: 'on-its-way-out', finalizers: ['example.com/hold'] },
    data: { token: 'dG9rZW4=' },
  });
  await ground.stack.kube.deleteSecret(namespace, 'on-its-way-out');
});

afterAll(() => ground.close());

type Screen = (visit: Visit) => Promise<void>;

const at = (path: string) => `/namespaces/${namespace}${path}`;
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

/** How one gets to each screen, and what must be there before it is looked at. */
const SCREENS: Readonly<Record<string, Screen>> = {
  namespaces: async ({ open, page }) => {
    await open('/');
    await heading(page, 'Namespaces');
  },
  list: async ({ open, page }) => {
    await open(at(''));
    await page.getByRole('link', { name: 'settings' }).waitFor();
  },
  'list-nothing-matches': async ({ open, page }) => {
    await open(at(''));
    await page.getByLabel('Filter by name or key').fill('no such thing');
    await heading(page, 'Nothing matches');
  },
  detail: async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await page.getByRole('button', { name: 'Reveal config.json' }).click();
    await page.getByRole('button', { name: 'Show as formatted JSON' }).click();
  },
  'detail-certificate': async ({ open, page }) => {
    await open(at('/secrets/orders-tls'));
    await page.getByText('CN=orders.example.com').first().waitFor();
  },
  'detail-registry': async ({ open, page }) => {
    await open(at('/secrets/pull-credentials'));
    await page.getByText('registry.example.com', { exact: true }).waitFor();
  },
  'detail-binary': async ({ open, page }) => {
    await open(at('/secrets/keystore'));
    await page.getByRole('button', { name: 'Reveal store.bin as base64' }).click();
  },
  'detail-pending': async ({ open, page }) => {
    await open(at('/secrets/on-its-way-out'));
    await heading(page, 'The deletion of this Secret is pending');
  },
  delete: async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
  },
  create: async ({ open, page }) => {
    await open(at('/create'));
    await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/tls');
    await page.getByLabel('Name').fill('Not A Name');
  },
  'create-registry': async ({ open, page }) => {
    await open(at('/create'));
    await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/dockerconfigjson');
    await page.getByLabel('Registry').fill('registry.example.com');
  },
  'import-env': async ({ open, page }) => {
    await open(at('/create'));
    await page.getByRole('button', { name: 'Import .env' }).click();
    await page.getByLabel('Text of the .env file').fill('A=1\nB="two"\nnot understood\n');
  },
  edit: async ({ open, page }) => {
    await open(at('/secrets/settings/edit'));
    await page.getByRole('button', { name: 'Show and edit the value of motd' }).click();
  },
  'edit-immutable': async ({ open, page }) => {
    await open(at('/secrets/licence/edit'));
    await heading(page, 'The values cannot be edited here');
  },
  review: async ({ open, page }) => {
    await open(at('/secrets/settings/edit'));
    await editMotd(page, 'three');
    await page.getByLabel('Description').fill('Other words');
    await page.getByRole('button', { name: 'Remove EMPTY' }).click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').waitFor();
  },
  conflict: async ({ open, page }) => {
    await open(at('/secrets/settings/edit'));
    await editMotd(page, `mine ${crypto.randomUUID()}`);
    await page.getByRole('button', { name: 'Show and edit the value of API_TOKEN' }).click();
    await page.getByRole('textbox', { name: 'Value of API_TOKEN' }).fill('mine');
    await changeSettings(ground.stack, namespace, crypto.randomUUID());
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'Somebody else changed this Secret');
  },
  history: async ({ open, page }) => {
    await open(at('/secrets/settings/history'));
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('keys differ').waitFor();
  },
  restore: async ({ open, page }) => {
    await open(at('/secrets/settings/history'));
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').getByText('API_TOKEN').waitFor();
  },
  absent: async ({ open, page }) => {
    await open(at('/secrets/no-such-secret'));
    await heading(page, 'There is nothing here');
  },
};

async function editMotd(page: Page, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Show and edit the value of motd' }).click();
  await page.getByRole('textbox', { name: 'Value of motd' }).fill(value);
}

/** Screens that end the session of their profile. */
const LAST: Readonly<Record<string, Screen>> = {
  'session-ended': async ({ open, page, context }) => {
    await open(at('/secrets/settings/edit'));
    await editMotd(page, 'typed');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').or(page.getByText('It could not be saved')).first().waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await heading(page, 'Your session has ended');
  },
};

const SIGNED_OUT: Readonly<Record<string, Screen>> = {
  login: async ({ open, page }) => {
    await open('/login');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  },
  'login-error': async ({ open, page }) => {
    await open('/login?auth=error&idp_error=access_denied');
    await page.getByRole('alert').first().waitFor();
  },
};

async function look(name: string, screen: Screen, visit: Visit, theme: Theme, width: Width): Promise<void> {
  await screen(visit);
  await visit.page.screenshot({ path: `${SHOTS}${name}-${theme}-${width}.png` });
  // What is accessible does not depend on the width; what fits does.
  if (width === 'wide') await expectAccessible(visit.page);
  await expectNoSidewaysScroll(visit.page);
  expect(visit.complaints).toEqual([]);
}

describe.each(LOOKS)('in %s on a %s window', (theme, width) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await ground.visit(ADMIN, { theme, width });
  });
  afterAll(() => visit.close());

  // One profile for all of them, which is much quicker than a cold one each; every screen gets a tab of its own.
  test.each(Object.entries({ ...SCREENS, ...LAST }))('%s has no violation and fits', async (name, screen) => {
    const tab = await visit.newTab();
    await look(name, screen, tab, theme, width);
    await tab.page.close();
  });

  test.each(Object.entries(SIGNED_OUT))('%s has no violation and fits', async (name, screen) => {
    const stranger = await ground.visit(undefined, { theme, width });
    await look(name, screen, stranger, theme, width);
    await stranger.close();
  });

  test('a Secret that is forbidden has no violation and fits', async () => {
    const guest = await ground.visit(GUEST, { theme, width });
    const forbidden: Screen = async ({ open, page }) => {
      await open(at('/secrets/orders-database'));
      await heading(page, 'You may not see this');
    };
    await look('forbidden', forbidden, guest, theme, width);
    await guest.close();
  });
});
