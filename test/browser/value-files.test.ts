import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { makeCertificate } from '../fakes/certificate.ts';
import { ADMIN } from '../harness/api-client.ts';
import { chooseImport } from './secret-actions.ts';
import {
  addFiles,
  button,
  chooseType,
  create,
  filesOf,
  openValuesFixture,
  paste,
  save,
  valueOf,
} from './values-fixture.ts';

const { here, at, make, stored } = openValuesFixture();

const transferOf = (page: Page, script: string) =>
  page.evaluateHandle<object>(
    `(() => { const transfer = new DataTransfer(); ${script}; return transfer; })()`,
  );

test('files with the names of keys are those keys, and what went where is said', async () => {
  const [leaf, ca] = [makeCertificate('leaf.example.com'), makeCertificate('ca.example.com')];
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, 'kubernetes.io/tls');
  await page.getByRole('textbox', { name: 'Certificate', exact: true }).waitFor();
  expect(await page.getByText('This value is empty').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Remove tls.crt' }).count()).toBe(0);
  await addFiles(page, { 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': ca.cert });
  await page.getByText('ca.crt: to ca.crt.').waitFor();
  await addFiles(page, { 'tls.crt': leaf.cert + ca.cert });
  await page.getByText('tls.crt: to tls.crt, replacing its value.').waitFor();
  await create(page, 'exact-names');
  expect(await stored('exact-names')).toEqual({
    'ca.crt': ca.cert,
    'tls.crt': leaf.cert + ca.cert,
    'tls.key': leaf.key,
  });
  await close();
});

test('a file that is too large is not read, and says so', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await addFiles(page, { 'huge.txt': 'x'.repeat(1024 * 1024 + 1), small: 'y' });
  await page.getByText('huge.txt: larger than 1 MB, so it was not read.').waitFor();
  await button(page, 'Show and edit the value of small').waitFor();
  await close();
});

test('an .env file is dropped on its dialog, and nothing reaches what is behind it', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseImport(page);
  const transfer = await transferOf(page, `transfer.items.add(new File(['A=1\\nB=2'], '.env'))`);
  await page.getByRole('dialog').dispatchEvent('drop', { dataTransfer: transfer });
  await button(page, 'Import 2 keys').waitFor();
  await expect.poll(() => page.getByLabel('Text of the .env or JSON file').inputValue()).toBe('A=1\nB=2');
  await page.getByLabel('.env or JSON file', { exact: true }).setInputFiles(filesOf({ other: 'C="3"x' }));
  await page.getByText('Not understood: line 1.').waitFor();
  await button(page, 'Cancel').click();
  await expect.poll(() => page.getByRole('button', { name: /^Remove/ }).allTextContents()).toHaveLength(1);
  await close();
});

test('an .env text of many megabytes is refused, one of thousands of keys is summed up', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseImport(page);
  await paste(page.getByLabel('Text of the .env or JSON file'), `A="${'x'.repeat(12_000_000)}`);
  await page.getByText('Not imported: a text can have at most 2 MB here.').waitFor();
  const many = Array.from({ length: 3_000 }, (_, index) => `KEY_${index}=${index}`).join('\n');
  await paste(page.getByLabel('Text of the .env or JSON file'), many);
  await page.getByText('3,000 lines: too large for a text field.').waitFor();
  await page.getByText('and 2900 more').waitFor();
  await button(page, 'Clear').click();
  await expect.poll(() => page.getByLabel('Text of the .env or JSON file').inputValue()).toBe('');
  await close();
});

test('an import names each key that it leaves out, and the rule', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseImport(page);
  const text = page.getByLabel('Text of the .env or JSON file');
  const many = Array.from({ length: 120 }, (_, index) => [`KEY_${index}`, 'x'] as const);
  await text.fill(
    JSON.stringify({ ...Object.fromEntries(many), '..hidden': 'x', 'with blank': 'x', list: [] }),
  );
  await page
    .getByText(/^Not a key, so left out: \.\.hidden, with blank\. The rule: keys must be 1 to 253/)
    .waitFor();
  await page.getByText('Left out, since their values are not text: list.').waitFor();
  await page.getByRole('button', { name: 'Import 120 keys' }).waitFor();
  await text.fill('GOOD=1\nwith blank=2\n');
  await page.getByText('Not understood: line 2. A line is KEY=value, a comment or blank').waitFor();
  await close();
});

test('a drag of text is left to the browser', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await button(page, 'Import').waitFor();
  const prevented = await page.evaluate<readonly boolean[]>(`['text/plain', 'file'].map((kind) => {
    const dataTransfer = new DataTransfer();
    if (kind === 'file') dataTransfer.items.add(new File(['x'], 'x'));
    else dataTransfer.setData(kind, 'selected');
    const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('.drop').dispatchEvent(event);
    return event.defaultPrevented;
  })`);
  expect(prevented).toEqual([false, true]);
  await close();
});

test('what is typed while a file is being read stays', async () => {
  await make('typed-meanwhile', { token: 'old' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('typed-meanwhile')}/edit`);
  await button(page, 'Show and edit the value of token').click();
  await page.evaluate(`(() => {
    const read = File.prototype.arrayBuffer;
    File.prototype.arrayBuffer = async function () {
      await new Promise((resolve) => { window.letRead = resolve; });
      return read.call(this);
    };
  })()`);
  await addFiles(page, { slow: 'from the file' });
  await valueOf(page, 'token').fill('typed');
  await page.evaluate('window.letRead()');
  await button(page, 'Show and edit the value of slow').waitFor();
  await save(page, 'typed-meanwhile');
  expect(await stored('typed-meanwhile')).toEqual({ slow: 'from the file', token: 'typed' });
  await close();
});
