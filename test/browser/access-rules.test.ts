import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A, person } from '../harness/api-client.ts';
import { createButton, openSecretsFixture, reviewAndSave, share, shareField } from './secrets-fixture.ts';
import { chooseAction } from './secret-actions.ts';

const here = openSecretsFixture();
const { at, make } = here;

test('the create form does not open for people who cannot create', async () => {
  const closed = await here.stack.namespace();
  await here.stack.kube.setPolicy(closed, { allowedGroups: '["team-b"]' });
  const { page, open, close } = await here.visit(person('outsider@example.com', []));
  await open(`/namespaces/${closed}/create`);
  await page.getByRole('heading', { name: "You can't create Secrets here" }).waitFor();
  expect(await page.getByLabel('Name').count()).toBe(0);
  await close();
});

test('what is typed for a new Secret stays when the namespace no longer lets one create', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('typed-name');
  let answered = 0;
  await page.route('**/api/namespaces', async (route) => {
    await route.fulfill({ json: { namespaces: [{ name: here.namespace, canCreate: false }] } });
    answered++;
  });
  // Each search that opens reads the namespaces again, unless they are being read.
  const reads = async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return answered > 1;
  };
  await expect.poll(reads).toBe(true);
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('typed-name');
  await page.unrouteAll();
  await close();
});

test('an allowed user that is no email address is pointed out, and not refused', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await page.getByLabel('Name').fill('odd-user');
  await page.getByRole('combobox', { name: 'What it is' }).selectOption('person');
  await share(page, 'not-an-email');
  await page.getByText('not-an-email: not an email address, so it matches no one who signs in.').waitFor();
  await page.getByLabel('Key', { exact: true }).fill('token');
  expect(await createButton(page).isEnabled()).toBe(true);
  await shareField(page).fill('someone@example.com');
  await page.getByText('not an email address').waitFor({ state: 'detached' });
  await shareField(page).fill('');
  await page.getByLabel('Key', { exact: true }).fill('');
  await close();
});

test('my groups are offered for rules, and one that is spelled in another way is pointed out', async () => {
  await make('suggested', { token: 'x' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${at('suggested')}/edit#access`);
  await share(page, 'TEAM-A');
  await page.getByText('TEAM-A: your group is called team-a.').waitFor();
  await page.getByRole('button', { name: 'Add team-a', exact: true }).click();
  await page.getByText('your group is called').waitFor({ state: 'detached' });
  await reviewAndSave(page);
  await page.getByText('suggested is saved as version 2.').waitFor();
  const secret = await here.stack.kube.getSecret(here.namespace, 'suggested');
  expect(secret?.metadata.annotations?.['service.io/allowed-groups']).toBe('team-a');
  await close();
});

test('Enter that ends a composition of an input method adds no one yet', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open(`/namespaces/${here.namespace}/create`);
  await shareField(page).fill('\u958b\u767a');
  const press = (isComposing: boolean) =>
    shareField(page).dispatchEvent('keydown', { key: 'Enter', isComposing });
  await press(true);
  expect(await shareField(page).inputValue()).toBe('\u958b\u767a');
  await press(false);
  await expect.poll(() => shareField(page).inputValue()).toBe('');
  await page.getByRole('button', { name: 'Remove \u958b\u767a' }).click();
  await close();
});

test('texts that are written from right to left turn no sentence around', async () => {
  const hebrew = '\u05d0\u05d1\u05d2';
  // With a character that turns around whatever follows.
  const rules = { allowedGroups: [hebrew, '\u202eleads'] };
  await make('right-to-left', { token: 'x' }, { ...rules, description: hebrew });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('right-to-left')}/access`);
  await page.getByRole('list', { name: 'Who has access', exact: true }).getByText('leads').waitFor();
  const lefts = (selector: string, texts: readonly string[]) =>
    page.evaluate<readonly number[]>(`(() => {
      const nodes = document.createTreeWalker(document.querySelector(${JSON.stringify(selector)}), NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const wanted = ${JSON.stringify(texts)};
      const found = [];
      while (found.length < wanted.length && nodes.nextNode()) {
        for (let at; (at = nodes.currentNode.data.indexOf(wanted[found.length])) >= 0; ) {
          range.setStart(nodes.currentNode, at);
          range.setEnd(nodes.currentNode, at + 1);
          found.push(range.getBoundingClientRect().left);
        }
      }
      return found;
    })()`);
  const inOrder = async (selector: string, texts: readonly string[]) => {
    const found = await lefts(selector, texts);
    expect(found).toHaveLength(texts.length);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
  };
  await inOrder('.access-list li:nth-child(2)', ['Members', 'can', 'manage']);
  await open(`${at('right-to-left')}/edit#access`);
  await page.getByRole('textbox', { name: 'Description' }).fill('\u05d3\u05d4\u05d5');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByText('\u05d3\u05d4\u05d5').waitFor();
  await inOrder('[role=dialog] dl', ['\u05d0', '\u05d3']);
  await close();
});

test('before an edit that a controller overwrites, the page names the object to change instead', async () => {
  await here.stack.kube.createSecret(here.namespace, {
    metadata: { name: 'written', labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } },
    data: { token: 'eA==' },
  });
  const { page, open, close } = await here.visit(ADMIN);
  for (const part of ['', '/edit']) {
    await open(at('written') + part);
    await page.getByRole('heading', { name: 'Written by Kustomization apps' }).waitFor();
    await page.getByText('Change the source in Git of Kustomization apps instead.').waitFor();
  }
  await close();
});

test('locking oneself out is reported once, as what it is', async () => {
  await make('locked-out', { token: 'x' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${at('locked-out')}/edit#access`);
  await share(page, 'some-other-group');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('locked-out is saved as version 2. You no longer have access to it.').waitFor();
  await page.waitForURL(`**/namespaces/${here.namespace}`);
  expect(await page.getByRole('heading', { name: "You don't have access" }).count()).toBe(0);
  await close();
});

test('a deletion keeps the history unless that is chosen', async () => {
  await make('history-kept', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('history-kept'));
  await chooseAction(page, 'Delete');
  await page.getByLabel('Type history-kept to confirm').fill('history-kept');
  expect(await page.getByLabel('Delete permanently, with its history').isChecked()).toBe(false);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('history-kept is deleted.').waitFor();
  await close();
});
