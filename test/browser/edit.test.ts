import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { ADMIN, DEVELOPER_A, DEVELOPER_B } from '../harness/api-client.ts';
import { makeCertificate } from '../fakes/certificate.ts';
import { chooseImport } from './secret-actions.ts';
import {
  createButton,
  openSecretsFixture,
  reviewAndSave,
  setValue,
  share,
  shareField,
} from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make, stored } = here;

async function addKey(page: Page, key: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a key' }).click();
  await page.getByLabel('Key', { exact: true }).last().fill(key);
  await page.getByRole('textbox', { name: `Value of ${key}`, exact: true }).fill(value);
}

async function expectCertificate(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Certificate, details of tls.crt' }).click();
  await page.getByText(`CN=${name}`).first().waitFor();
}

test('hostile keys are ordinary keys, from the form to the cluster and back', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('hostile');
  for (const key of ['__proto__', 'constructor', 'toString']) await addKey(page, key, `value of ${key}`);
  await createButton(page).click();
  await page.getByRole('button', { name: 'Reveal __proto__', exact: true }).click();
  expect(await page.getByLabel('Value of __proto__').textContent()).toBe('value of __proto__');
  await open(`${at('hostile')}/edit`);
  await setValue(page, '__proto__', 'changed');
  await reviewAndSave(page);
  await page.getByText('hostile is saved as version 2.').waitFor();
  expect([...(await stored('hostile'))]).toEqual([
    ['__proto__', 'changed'],
    ['constructor', 'value of constructor'],
    ['toString', 'value of toString'],
  ]);
  await close();
});

test('keys and sizes are held to the rules while one types', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('rules');
  const create = createButton(page);
  await addKey(page, 'good', 'x');
  expect(await create.isEnabled()).toBe(true);
  await addKey(page, '..bad', 'x');
  await page.getByText('Not a key:').waitFor();
  expect(await create.isDisabled()).toBe(true);
  await page.getByLabel('Key', { exact: true }).last().fill('good');
  await page.getByText('There is another row with this key.').first().waitFor();
  await page.getByLabel('Key', { exact: true }).last().fill('large');
  await page.getByRole('textbox', { name: 'Value of large' }).fill('x'.repeat(1024 * 1024));
  await page.getByText('too large to be saved').waitFor();
  expect(await create.isDisabled()).toBe(true);
  await close();
});

test('a TLS Secret is made from two files, put under their keys by what is in them', async () => {
  const { cert, key } = makeCertificate('files.example.com');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('from-files');
  await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/tls');
  await page.locator('input[type=file]').setInputFiles([
    { name: 'fullchain.pem', mimeType: 'text/plain', buffer: Buffer.from(cert) },
    { name: 'privkey.pem', mimeType: 'text/plain', buffer: Buffer.from(key) },
  ]);
  await createButton(page).click();
  await expectCertificate(page, 'files.example.com');
  expect([...(await stored('from-files'))]).toEqual([
    ['tls.crt', cert],
    ['tls.key', key],
  ]);
  await close();
});

test('files can be dropped on the keys, and the place for them shows', async () => {
  const { cert, key } = makeCertificate('dropped.example.com');
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('from-drop');
  await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/tls');
  const transfer = await page.evaluateHandle<object>(`(() => {
    const transfer = new DataTransfer();
    for (const [name, text] of ${JSON.stringify([
      ['server.crt', cert],
      ['server.key', key],
    ])}) transfer.items.add(new File([text], name, { type: 'text/plain' }));
    return transfer;
  })()`);
  const place = page.locator('.drop');
  await place.dispatchEvent('dragover', { dataTransfer: transfer });
  await page.locator('.drop.over').waitFor();
  await place.dispatchEvent('drop', { dataTransfer: transfer });
  await createButton(page).click();
  await expectCertificate(page, 'dropped.example.com');
  expect([...(await stored('from-drop'))]).toEqual([
    ['tls.crt', cert],
    ['tls.key', key],
  ]);
  await close();
});

test('registry credentials are typed into a form, and stored as the cluster wants them', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('registry');
  await page.getByLabel('Type', { exact: true }).selectOption('kubernetes.io/dockerconfigjson');
  await page.getByRole('textbox', { name: 'Registry' }).fill('registry.example.com');
  await page.getByRole('textbox', { name: 'User name' }).fill('puller');
  await page.getByLabel('Password or token').fill('pässword');
  await createButton(page).click();
  await page.getByRole('button', { name: /^Registries, details of/ }).click();
  await page.getByRole('button', { name: /^1 registry/ }).waitFor();
  const config = JSON.parse((await stored('registry')).get('.dockerconfigjson') ?? '') as unknown;
  expect(config).toEqual({
    auths: {
      'registry.example.com': {
        username: 'puller',
        password: 'pässword',
        auth: Buffer.from('puller:pässword').toString('base64'),
      },
    },
  });
  await close();
});

test('an .env text is previewed, masked, and imported', async () => {
  await make('from-env', { KEPT: 'kept', OLD: 'old' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('from-env')}/edit`);
  await chooseImport(page);
  await page
    .getByLabel('Text of the .env or JSON file')
    .fill('export NEW="two\\nlines"\nOLD=new # why\n# comment\n???\n');
  await page.getByText('Not understood: line 4.').waitFor();
  await page.getByRole('row', { name: /NEW.*new/ }).waitFor();
  await page.getByRole('row', { name: /OLD.*replaces the value/ }).waitFor();
  await page.getByRole('button', { name: 'Import 2 keys' }).click();
  await reviewAndSave(page);
  await page.getByText('from-env is saved as version 2.').waitFor();
  expect([...(await stored('from-env'))]).toEqual([
    ['KEPT', 'kept'],
    ['NEW', 'two\nlines'],
    ['OLD', 'new'],
  ]);
  await close();
});

test('line endings survive an edit of another line', async () => {
  await make('endings', { crlf: 'one\r\ntwo\r\n', untouched: 'a\rb\r\nc' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('endings')}/edit`);
  await setValue(page, 'crlf', 'one\n2\n');
  await reviewAndSave(page);
  await page.getByText('endings is saved as version 2.').waitFor();
  expect([...(await stored('endings'))]).toEqual([
    ['crlf', 'one\r\n2\r\n'],
    ['untouched', 'a\rb\r\nc'],
  ]);
  await close();
});

test('a save leads to the Secret as it is now, not as it was when it was opened', async () => {
  await make('followed', { token: 'before' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('followed'));
  await page.getByRole('link', { name: 'Edit' }).click();
  await setValue(page, 'token', 'after');
  await reviewAndSave(page);
  await page.getByText('followed is saved as version 2.').waitFor();
  await page.getByRole('button', { name: 'Reveal token', exact: true }).click();
  expect(await page.getByLabel('Value of token').textContent()).toBe('after');
  await close();
});

test('an edit sends only what has changed', async () => {
  await make('partly', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('partly')}/edit#access`);
  await page.getByText('No changes yet.').waitFor();
  expect(await page.getByRole('button', { name: 'Review and save' }).isDisabled()).toBe(true);
  await share(page, 'g'.repeat(257));
  await page
    .getByText('An entry must be at most 256 bytes long in UTF-8, surrounding whitespace included.')
    .waitFor();
  await share(page, 'team-a');
  await shareField(page).press('Enter');
  const request = page.waitForRequest((one) => one.method() === 'PUT');
  await reviewAndSave(page);
  const body = (await request).postDataJSON() as Record<string, unknown>;
  expect(Object.keys(body).sort()).toEqual(['allowedGroups', 'resourceVersion']);
  await page.getByText('partly is saved as version 2.').waitFor();
  await close();
});

test('a group that is typed but not added yet is saved all the same', async () => {
  await make('typed-group', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('typed-group')}/edit#access`);
  await page.getByRole('textbox', { name: 'Description' }).fill('with a rule');
  await share(page, 'team-a');
  await reviewAndSave(page);
  await page.getByText('typed-group is saved as version 2.').waitFor();
  const secret = await here.stack.kube.getSecret(here.namespace, 'typed-group');
  expect(secret?.metadata.annotations?.['service.io/allowed-groups']).toBe('team-a');
  await close();
});

test('text is edited beside binary values, which stay byte for byte', async () => {
  const bytes = Buffer.from([0, 1, 2, 255]).toString('base64');
  const text = (value: string) => Buffer.from(value).toString('base64');
  await here.stack.kube.createSecret(here.namespace, {
    metadata: { name: 'binary' },
    data: { store: bytes, token: text('before') },
  });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('binary')}/edit`);
  await page.getByText('A binary value; it stays as it is.').waitFor();
  await page.getByRole('textbox', { name: 'Value of token' }).fill('after');
  await addKey(page, 'added', 'new');
  await reviewAndSave(page);
  await page.getByText('binary is saved as version 2.').waitFor();
  expect((await here.stack.kube.getSecret(here.namespace, 'binary'))?.data).toEqual({
    store: bytes,
    token: text('after'),
    added: text('new'),
  });
  await close();
});

test('edits that are not saved are not left behind without a question', async () => {
  await make('guarded', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('guarded')}/edit`);
  await setValue(page, 'token', 'typed');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Value of token' }).inputValue()).toBe('typed');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`**${at('guarded')}`);
  await close();
});

test('two people who edit one Secret at once both keep what they typed', async () => {
  await make('contended', { both: 'base', onlyA: 'base', onlyB: 'base', lines: 'one\ntwo\nthree' });
  const a = await here.visit(DEVELOPER_A);
  const b = await here.visit(DEVELOPER_B);
  for (const { open } of [a, b]) await open(`${at('contended')}/edit`);
  await setValue(a.page, 'both', 'from a');
  await setValue(a.page, 'onlyA', 'from a');
  await setValue(a.page, 'lines', 'one\nTWO\nthree');
  await setValue(b.page, 'both', 'from b');
  await setValue(b.page, 'onlyB', 'from b');
  await setValue(b.page, 'lines', 'one\ntwo\nTHREE');
  await reviewAndSave(a.page);
  await a.page.getByText('contended is saved as version 2.').waitFor();
  await reviewAndSave(b.page);
  await b.page.getByText('developer-a@example.com saved version 2').waitFor();
  // The keyboard goes on at the conflict: the button that was pressed is gone.
  await expect.poll(() => b.page.evaluate('document.activeElement.tagName')).toBe('SECTION');
  const save = b.page.getByRole('button', { name: 'Review and save' });
  expect(await save.isDisabled()).toBe(true);
  await b.page.getByText('2 conflicts left to resolve').waitFor();
  const both = b.page.getByRole('group', { name: 'both (both changed it)' });
  await both.getByRole('button', { name: 'Reveal the values of both' }).click();
  for (const value of ['base', 'from a', 'from b']) await both.getByText(value, { exact: true }).waitFor();
  const lines = b.page.getByRole('group', { name: 'lines (both changed it)' });
  await lines.getByRole('button', { name: 'Reveal the values of lines' }).click();
  const differ = (who: string) =>
    lines.getByRole('group', { name: `Lines of lines (${who}) that differ` }).locator('.added');
  await expect.poll(() => differ('theirs').allTextContents()).toEqual(['+added TWO']);
  await expect.poll(() => differ('mine').allTextContents()).toEqual(['+added THREE']);
  await lines.getByRole('button', { name: 'Hide the values of lines' }).click();
  expect(await differ('mine').count()).toBe(0);
  await lines.getByLabel('Take theirs').check();
  await both.getByLabel('Take mine').check();
  await reviewAndSave(b.page);
  await b.page.getByText('contended is saved as version 3.').waitFor();
  expect([...(await stored('contended'))]).toEqual([
    ['both', 'from b'],
    ['lines', 'one\nTWO\nthree'],
    ['onlyA', 'from a'],
    ['onlyB', 'from b'],
  ]);
  await a.close();
  await b.close();
});
