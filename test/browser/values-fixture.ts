import type { Locator, Page } from 'playwright-core';
import { createButton, openSecretsFixture, reviewAndSave } from './secrets-fixture.ts';

export function openValuesFixture() {
  const here = openSecretsFixture();
  return {
    here,
    at: here.at,
    make: async (name: string, data: object, type = 'Opaque'): Promise<void> => {
      const encoded = Object.entries(data).map(([key, value]) => [
        key,
        Buffer.from(String(value)).toString('base64'),
      ]);
      await here.stack.kube.createSecret(here.namespace, {
        metadata: { name },
        type,
        data: Object.fromEntries(encoded) as Record<string, string>,
      });
    },
    stored: async (name: string) => Object.fromEntries(await here.stored(name)),
  };
}

export const chooseType = (page: Page, type: string) =>
  page.getByLabel('Type', { exact: true }).selectOption(type);

export const valueOf = (page: Page, key: string) =>
  page.getByRole('textbox', { name: `Value of ${key}`, exact: true });

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export const filesOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }));

export const addFiles = (page: Page, files: Readonly<Record<string, string>>) =>
  page.getByLabel('Files to import').setInputFiles(filesOf(files));

export async function create(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await createButton(page).click();
  await page.getByText(`${name} is created.`).waitFor();
}

export async function save(page: Page, name: string): Promise<void> {
  await reviewAndSave(page);
  await page.getByText(`${name} is saved as version 2.`).waitFor();
}

/** A paste event of the browser; the clipboard itself belongs to the machine. */
export const paste = (field: Locator, text: string) =>
  field.evaluate<unknown, string>((element, pasted) => {
    const view = globalThis as unknown as {
      DataTransfer: new () => { setData: (type: string, text: string) => void };
      ClipboardEvent: new (type: string, init: object) => object;
    };
    const clipboardData = new view.DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new view.ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (element as unknown as { dispatchEvent: (event: object) => void }).dispatchEvent(event);
  }, text);
