import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { ADMIN, type ApiClient } from '../harness/api-client.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';

/** A browser, and one namespace for all tests of a file; to be used within tests only. */
export interface SecretsFixture extends Pick<BrowserFixture, 'stack' | 'visit' | 'visitInNewContext'> {
  readonly namespace: string;
  /** An administrator beside the browser. */
  readonly admin: ApiClient;
  /** The address of a Secret's page. */
  readonly at: (name: string) => string;
  /** Creates a Secret through the service. */
  readonly make: (name: string, data: object, more?: object) => Promise<void>;
  /** The values in the cluster, by key; what the pages say of themselves is no proof. */
  readonly stored: (name: string) => Promise<ReadonlyMap<string, string>>;
}

/** @param settings of the service on top of the usual ones: with any, the stack is not shared */
export function openSecretsFixture(settings?: Readonly<Record<string, string>>): SecretsFixture {
  let fixture: BrowserFixture;
  let namespace: string;
  let admin: ApiClient;

  beforeAll(async () => {
    fixture = await openBrowserFixture(settings);
    namespace = await fixture.stack.namespace();
    admin = await fixture.stack.client(ADMIN);
  });
  afterAll(() => fixture.close());

  return {
    get stack() {
      return fixture.stack;
    },
    get namespace() {
      return namespace;
    },
    get admin() {
      return admin;
    },
    visit: (user) => fixture.visit(user),
    visitInNewContext: (user, locale) => fixture.visitInNewContext(user, locale),
    at: (name) => `/namespaces/${namespace}/secrets/${name}`,
    make: async (name, data, more = {}) => {
      const body = { name, data, ...more };
      const { status, text } = await admin.post(`/api/namespaces/${namespace}/secrets`, body);
      if (status !== 201) throw new Error(text);
    },
    stored: async (name) => {
      const { data = {} } = (await fixture.stack.kube.getSecret(namespace, name)) ?? {};
      return new Map(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
      );
    },
  };
}

/** Types a value into the form of a Secret, over the one that is there. */
export async function setValue(page: Page, key: string, value: string): Promise<void> {
  await page.getByRole('button', { name: `Show and edit the value of ${key}` }).click();
  // What is read would come into the middle of what is typed.
  await page.getByRole('button', { name: `Hide the value of ${key}` }).waitFor();
  await page.locator(`[data-key="${key}"] .row-value`).getByRole('textbox').fill(value);
}

/** The field for groups and people who get access. */
export const shareField = (page: Page) => page.getByRole('textbox', { name: 'Add a group or person' });

/** Types who gets access; a save takes it, added or not. */
export async function share(page: Page, entries: string, level = 'can manage'): Promise<void> {
  await page.getByRole('combobox', { name: 'What they can do' }).selectOption(level);
  await shareField(page).fill(entries);
}

/** The button at the end of the form for a new Secret. */
export const createButton = (page: Page) => page.getByRole('button', { name: 'Create', exact: true });

/** Opens what an edit begins without. */
export const openMetadata = (page: Page) =>
  page.getByRole('button', { name: /^Description and access/ }).click();

/** The button at the end of the review. */
export const saveButton = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });

export async function reviewAndSave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click();
  await saveButton(page).click();
}
