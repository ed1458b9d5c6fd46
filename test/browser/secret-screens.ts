import type { Page } from 'playwright-core';
import { LONG_NAME } from './awkward-secrets.ts';
import type { Screen } from './look.ts';
import { chooseAction } from './secret-actions.ts';

type Address = (path: string) => string;

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

const valueScreens = (at: Address, awkwardAt: Address): Readonly<Record<string, Screen>> => ({
  detail: async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await page.getByRole('button', { name: 'Reveal config.json' }).click();
    await page.getByRole('button', { name: 'Show as formatted JSON' }).click();
  },
  'detail-certificate': async ({ open, page }) => {
    await open(at('/secrets/orders-tls'));
    await page.getByRole('button', { name: /details of tls.crt/ }).click();
    await page.getByText('CN=orders.example.com').nth(1).waitFor();
  },
  'detail-registry': async ({ open, page }) => {
    await open(at('/secrets/pull-credentials'));
    await page.getByRole('button', { name: /details of .dockerconfigjson/ }).click();
    await page.getByText('registry.example.com', { exact: true }).waitFor();
  },
  'detail-menus': async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await page.getByRole('button', { name: 'Reveal all' }).click();
    await page.getByRole('button', { name: 'Copy as', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy JSON' }).waitFor();
  },
  'detail-key-menu': async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await page.getByRole('button', { name: 'More for motd' }).click();
    await page.getByRole('menuitem', { name: 'Copy as base64' }).waitFor();
  },
  'detail-binary': async ({ open, page }) => {
    await open(at('/secrets/keystore'));
    await page.getByRole('button', { name: 'Reveal store.bin as base64' }).click();
  },
  'detail-pending': async ({ open, page }) => {
    await open(at('/secrets/on-its-way-out'));
    await heading(page, 'Deletion started, waiting for finalizers');
  },
  'detail-awkward': async ({ open, page }) => {
    await open(awkwardAt(`/secrets/${LONG_NAME}`));
    await page.getByRole('button', { name: 'Reveal __proto__' }).click();
  },
  'detail-release': async ({ open, page }) => {
    await open(awkwardAt('/secrets/sh.helm.release.v1.orders.v3'));
    await heading(page, "Helm's own record of a release");
  },
});

const partScreens = (at: Address, awkwardAt: Address): Readonly<Record<string, Screen>> => ({
  consumers: async ({ open, page }) => {
    await open(at('/secrets/settings/consumers'));
    await page.getByRole('table', { name: 'Workloads that use this Secret' }).waitFor();
  },
  access: async ({ open, page }) => {
    await open(at('/secrets/settings/access'));
    await page.getByText('You can manage this Secret as an administrator.').waitFor();
  },
  copy: async ({ open, page }) => {
    await open(at('/secrets/settings/copy'));
    await page.getByLabel('Name of the copy').waitFor();
  },
  'access-awkward': async ({ open, page }) => {
    await open(awkwardAt(`/secrets/${LONG_NAME}/access`));
    await heading(page, 'Why you have access');
  },
  'delete-awkward': async ({ open, page }) => {
    await open(awkwardAt(`/secrets/${LONG_NAME}`));
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').waitFor();
  },
  'history-awkward': async ({ open, page }) => {
    await open(awkwardAt(`/secrets/${LONG_NAME}/history`));
    await page.getByText('No earlier versions yet.').waitFor();
  },
  delete: async ({ open, page }) => {
    await open(at('/secrets/settings'));
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').waitFor();
  },
  history: async ({ open, page }) => {
    await open(at('/secrets/settings/history'));
    await page
      .getByRole('button', { name: /^View version/ })
      .first()
      .click();
    await page.getByText('keys differ').waitFor();
  },
  'history-version': async ({ open, page }) => {
    await open(at('/secrets/settings/history?view=1'));
    await page
      .getByRole('region', { name: 'Version 1' })
      .getByRole('button', { name: 'Reveal motd' })
      .click();
  },
  'history-lines': async ({ open, page }) => {
    await open(awkwardAt('/secrets/lines/history?compare=1-live'));
    await page.getByRole('button', { name: 'Show the lines of config.yaml that differ' }).click();
    await page.getByRole('group', { name: 'Lines of config.yaml that differ' }).waitFor();
  },
  restore: async ({ open, page }) => {
    await open(at('/secrets/settings/history'));
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').getByText('API_TOKEN').waitFor();
  },
});

const comparedScreens = (at: Address, awkwardAt: Address): Readonly<Record<string, Screen>> => ({
  'compare-choose': async ({ open, page }) => {
    await open(at('/secrets/settings/compare'));
    await page.getByRole('searchbox').fill('orders');
    await page.getByRole('link', { name: /\/orders-tls$/ }).waitFor();
  },
  compare: async ({ open, page }) => {
    const place = at('').replace('/namespaces/', '');
    await open(`${at('/secrets/settings/compare')}?with=${place}/keystore`);
    await page.getByRole('button', { name: /^Reveal motd/ }).click();
  },
  'compare-awkward': async ({ open, page }) => {
    const place = awkwardAt('').replace('/namespaces/', '');
    await open(`${awkwardAt('/secrets/lines/compare')}?with=${place}/${LONG_NAME}`);
    await page.getByRole('button', { name: /^Copy 15 missing keys/ }).waitFor();
  },
});

/** How one gets to each screen of a Secret that is there, and what must be there before it is looked at. */
export const secretScreens = (at: Address, awkwardAt: Address): Readonly<Record<string, Screen>> => ({
  ...valueScreens(at, awkwardAt),
  ...partScreens(at, awkwardAt),
  ...comparedScreens(at, awkwardAt),
});
