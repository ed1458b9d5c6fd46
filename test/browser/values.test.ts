import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { makeCertificate } from '../fakes/certificate.ts';
import { ADMIN } from '../harness/api-client.ts';
import { openSecretsFixture, reviewAndSave } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at } = here;

async function make(name: string, data: object, type = 'Opaque'): Promise<void> {
  const encoded = Object.entries(data).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ]);
  await here.stack.kube.createSecret(here.namespace, {
    metadata: { name },
    type,
    data: Object.fromEntries(encoded) as Record<string, string>,
  });
}

const stored = async (name: string) => Object.fromEntries(await here.stored(name));
const chooseType = (page: Page, type: string) => page.getByLabel('Type', { exact: true }).selectOption(type);
const valueOf = (page: Page, key: string) =>
  page.getByRole('textbox', { name: `Value of ${key}`, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const filesOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }));
const addFiles = (page: Page, files: Readonly<Record<string, string>>) =>
  page.getByLabel('Files to import').setInputFiles(filesOf(files));

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await button(page, 'Review and create').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText(`${name} is created.`).waitFor();
}

async function save(page: Page, name: string): Promise<void> {
  await reviewAndSave(page);
  await page.getByText(`${name} is saved as version 2.`).waitFor();
}

/** A paste event of the browser; the clipboard itself belongs to the machine. */
const paste = (field: Locator, text: string) =>
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

const transferOf = (page: Page, script: string) =>
  page.evaluateHandle<object>(
    `(() => { const transfer = new DataTransfer(); ${script}; return transfer; })()`,
  );

const focusedName = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: element } = document;
    const parts = (element.getAttribute('aria-labelledby') ?? '').split(' ');
    const labels = parts.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    return element.getAttribute('aria-label') ?? (labels.trim() || element.textContent);
  })()`);

test('files with the names of keys are those keys, and what went where is said', async () => {
  const [leaf, ca] = [makeCertificate('leaf.example.com'), makeCertificate('ca.example.com')];
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, 'kubernetes.io/tls');
  await page.getByText('This value is empty').first().waitFor();
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
  await page.getByText('huge.txt: larger than 1.00 MiB, so it was not read.').waitFor();
  await button(page, 'Show and edit the value of small').waitFor();
  await close();
});

test('registries of a value come back into the form, several of them, and nothing is hidden', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, 'kubernetes.io/dockerconfigjson');
  await page.getByRole('textbox', { name: 'Registry' }).fill('one.example.com');
  await chooseType(page, 'Opaque');
  await button(page, 'Show and edit the value of .dockerconfigjson').waitFor();
  await chooseType(page, 'kubernetes.io/dockerconfigjson');
  expect(await page.getByRole('textbox', { name: 'Registry' }).inputValue()).toBe('one.example.com');
  await button(page, 'Add another registry').click();
  const second = page.getByRole('group', { name: /Registry 2/ });
  await button(page, 'Remove registry 1').click();
  expect(await page.evaluate('document.activeElement.id')).toBe('docker-0-server');
  await page.getByRole('textbox', { name: 'Registry' }).fill('one.example.com');
  await button(page, 'Add another registry').click();
  expect(await page.evaluate('document.activeElement.id')).toBe('docker-1-server');
  await second.getByRole('textbox', { name: 'Registry' }).fill('one.example.com');
  await page.getByText('There is another registry with this address.').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('registries');
  expect(await button(page, 'Review and create').isDisabled()).toBe(true);
  await second.getByRole('textbox', { name: 'Registry' }).fill('two.example.com');
  await create(page, 'registries');
  const config = JSON.parse((await stored('registries'))['.dockerconfigjson'] ?? '') as { auths: object };
  expect(Object.keys(config.auths)).toEqual(['one.example.com', 'two.example.com']);
  await close();
});

test('a configuration that no form can show is edited as JSON', async () => {
  const config = '{"auths":{"r.example.com":{"identitytoken":"t"}},"credsStore":"desktop"}';
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, 'kubernetes.io/dockerconfigjson');
  await addFiles(page, { 'config.json': config });
  await page.getByText('config.json: to .dockerconfigjson.').waitFor();
  expect(await button(page, 'Edit as a form').isDisabled()).toBe(true);
  await button(page, 'Show and edit the value of .dockerconfigjson').click();
  await valueOf(page, '.dockerconfigjson').fill('[]');
  await page.getByText('needs the key .dockerconfigjson with a JSON object or null').waitFor();
  expect(await valueOf(page, '.dockerconfigjson').getAttribute('aria-invalid')).toBe('true');
  await valueOf(page, '.dockerconfigjson').fill('{"auths":{}}');
  await button(page, 'Edit as a form').click();
  await page.getByRole('textbox', { name: 'Registry' }).waitFor();
  await close();
});

test('what the type still needs is said before the request, and a needed key cannot go', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('by-type');
  await chooseType(page, 'kubernetes.io/ssh-auth');
  await page.getByText('This type needs the key ssh-privatekey with a nonempty value.').waitFor();
  expect(await button(page, 'Review and create').isDisabled()).toBe(true);
  await chooseType(page, 'kubernetes.io/basic-auth');
  await button(page, 'Remove username').click();
  await button(page, 'Remove username').waitFor({ state: 'detached' });
  expect(await button(page, 'Remove password').count()).toBe(0);
  expect(await button(page, 'Review and create').isEnabled()).toBe(true);
  await close();
});

test('a type of one’s own may begin like a known one', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await chooseType(page, '*');
  await page.getByLabel('Type of your own').pressSequentially('kubernetes.io/tls-acme');
  await create(page, 'own-type');
  expect((await here.stack.kube.getSecret(here.namespace, 'own-type'))?.type).toBe('kubernetes.io/tls-acme');
  await close();
});

test('the token of a service account has no form, only the reason', async () => {
  await here.stack.kube.createSecret(here.namespace, {
    metadata: { name: 'sa-token', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('sa-token')}/edit`);
  await page.getByText('The cluster manages this token').waitFor();
  expect(await page.getByLabel('Description').count()).toBe(0);
  await close();
});

test('an .env file is dropped on its dialog, and nothing reaches what is behind it', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await button(page, 'Import .env').click();
  const transfer = await transferOf(page, `transfer.items.add(new File(['A=1\\nB=2'], '.env'))`);
  await page.getByRole('dialog').dispatchEvent('drop', { dataTransfer: transfer });
  await button(page, 'Import 2 keys').waitFor();
  expect(await page.getByLabel('Text of the .env file').inputValue()).toBe('A=1\nB=2');
  await page.getByLabel('.env file', { exact: true }).setInputFiles(filesOf({ other: 'C="3"x' }));
  await page.getByText('Not understood: line 1.').waitFor();
  await button(page, 'Cancel').click();
  expect(await page.getByRole('button', { name: /^Remove/ }).allTextContents()).toHaveLength(1);
  await close();
});

test('an .env text of many megabytes is refused, one of thousands of keys is summed up', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await button(page, 'Import .env').click();
  await paste(page.getByLabel('Text of the .env file'), `A="${'x'.repeat(12_000_000)}`);
  await page.getByText('Not imported: a text can have at most 2.00 MiB here.').waitFor();
  const many = Array.from({ length: 3_000 }, (_, index) => `KEY_${index}=${index}`).join('\n');
  await paste(page.getByLabel('Text of the .env file'), many);
  await page.getByText('3,000 lines: too large for a text field.').waitFor();
  await page.getByText('and 2900 more').waitFor();
  await button(page, 'Clear').click();
  expect(await page.getByLabel('Text of the .env file').inputValue()).toBe('');
  await close();
});

test('a drag of text is left to the browser', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await button(page, 'Add files').waitFor();
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

test('what is being edited hides after 30 seconds without typing, and with the tab, and is never lost', async () => {
  await make('hides', { token: 'x' });
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(`${at('hides')}/edit`);
  const show = button(page, 'Show and edit the value of token');
  await show.click();
  await page.clock.runFor(29_000);
  await valueOf(page, 'token').fill('typed');
  await page.clock.runFor(29_000);
  expect(await valueOf(page, 'token').inputValue()).toBe('typed');
  await page.clock.runFor(2_000);
  await show.waitFor();
  expect(await focusedName(page)).toBe('Show and edit the value of token');
  await show.click();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await show.click();
  expect(await valueOf(page, 'token').inputValue()).toBe('typed');
  await close();
});

test('the focus goes along with what is shown, hidden, added and removed', async () => {
  await make('focus', { a: '1', b: '2' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('focus')}/edit`);
  await button(page, 'Show and edit the value of a').click();
  expect(await focusedName(page)).toBe('Value of a');
  await button(page, 'Hide the value of a').click();
  expect(await focusedName(page)).toBe('Show and edit the value of a');
  await button(page, 'Add a key').click();
  expect(await focusedName(page)).toBe('Key 3');
  await button(page, 'Remove the new key').click();
  expect(await focusedName(page)).toBe('Key 2');
  await button(page, 'Remove a').click();
  expect(await focusedName(page)).toBe('Key 1');
  await button(page, 'Remove b').click();
  expect(await focusedName(page)).toBe('Add a key');
  await close();
});

test('the problem of a value is shown at the value', async () => {
  await make('wrong-value', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('wrong-value')}/edit`);
  await button(page, 'Show and edit the value of token').click();
  const field = valueOf(page, 'token');
  await field.fill('a\u0007b');
  await page.getByText('The value has control characters').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  const says = (await field.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${says}"]`).textContent()).toContain('control characters');
  const key = page.getByRole('textbox', { name: 'Key 1', exact: true });
  expect(await key.getAttribute('aria-invalid')).not.toBe('true');
  await close();
});

test('a large value is kept as data, with its line endings, until someone wants it as text', async () => {
  const text = Array.from({ length: 65_000 }, (_, index) => `line ${index}`).join('\r\n');
  await make('large', { small: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('large')}/edit`);
  await button(page, 'Add a key').click();
  await page.getByRole('textbox', { name: 'Key 2' }).fill('lines');
  await paste(valueOf(page, 'lines'), text);
  await page.getByText('65,000 lines, line endings CRLF.').waitFor();
  expect(await valueOf(page, 'lines').count()).toBe(0);
  await button(page, 'Show the value of lines').click();
  expect(await page.getByLabel('Beginning of the value of lines').textContent()).toMatch(/^line 0/);
  await save(page, 'large');
  expect((await stored('large'))['lines']).toBe(text);
  await open(`${at('large')}/edit`);
  await page.getByLabel('File to replace the value of lines').setInputFiles(filesOf({ any: 'short' }));
  await valueOf(page, 'lines').waitFor();
  expect(await valueOf(page, 'lines').inputValue()).toBe('short');
  await close();
});

test('two thousand keys leave the description quick to type', async () => {
  const many = Array.from({ length: 2_000 }, (_, index): [string, string] => [`KEY_${index}`, 'x']);
  await make('many', Object.fromEntries(many));
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('many')}/edit`);
  await button(page, 'Show and edit the value of KEY_1999').waitFor();
  const redrawn = page.evaluate<number>(`new Promise((resolve) => {
    let count = 0;
    new MutationObserver((changes) => { count += changes.length; })
      .observe(document.querySelector('.rows'), { subtree: true, childList: true, attributes: true });
    setTimeout(() => resolve(count), 2000);
  })`);
  const start = performance.now();
  await page.getByLabel('Description').pressSequentially('typed at some speed');
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(await redrawn).toBe(0);
  await close();
});
