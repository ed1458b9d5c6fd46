import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DEVELOPER_A, DEVELOPER_B } from '../harness/api-client.ts';
import { deleteArchived } from './delete-archived.ts';
import { startCounting } from './clicks.ts';
import { openSecretsFixture, reviewAndSave, saveButton, share, shareField } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const LEVELS = { allowedGroups: ['owners'], writerGroups: ['team-b'], readerGroups: ['team-a'] };

test('people who can read are offered nothing that changes a Secret, and see why', async () => {
  await make('for-readers', { token: 'x' }, LEVELS);
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(at('for-readers'));
  await page.getByRole('button', { name: 'Reveal token', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
  await open(`${at('for-readers')}/access`);
  await page.getByText('You can read this Secret through group team-a, by its own rules.').waitFor();
  await page.getByText('You can see its values and its history.').waitFor();
  expect(await page.getByRole('link', { name: 'Change access' }).count()).toBe(0);
  await open(`${at('for-readers')}/edit`);
  await page.getByRole('heading', { name: 'You can read this Secret, but not change it' }).waitFor();
  await close();
});

test('people who can write change values, and neither rules nor existence', async () => {
  await make('for-writers', { token: 'x' }, LEVELS);
  const { page, open, close } = await here.visit(DEVELOPER_B);
  await open(`${at('for-writers')}/edit#access`);
  await page.getByText('Only people who can manage this Secret can change who has access.').waitFor();
  expect(await shareField(page).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Description' }).fill('changed by a writer');
  await reviewAndSave(page);
  await page.getByText('for-writers is saved as version 2.').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await open(`${at('for-writers')}/history`);
  await page.getByRole('button', { name: 'Restore version 1' }).waitFor();
  await close();
});

test('a reload shows what another level allows, in each part of a Secret', async () => {
  await make('promoted', { token: 'x' }, LEVELS);
  const setWriters = (group: string) =>
    here.stack.kube.patchSecret(here.namespace, 'promoted', {
      metadata: { annotations: { 'service.io/writer-groups': group } },
    });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  for (const part of ['', '/history', '/consumers', '/access']) {
    await setWriters('team-b');
    await open(at('promoted') + part);
    const edit = page.getByRole('link', { name: 'Edit', exact: true });
    const reload = page.getByRole('button', { name: 'Reload this Secret' });
    await reload.waitFor();
    // It is offered until the level is known.
    await edit.waitFor({ state: 'detached' });
    await setWriters('team-a');
    await reload.click();
    await edit.waitFor();
  }
  await close();
});

test('menus of a list, selections, search results and deleted Secrets offer what the level allows', async () => {
  const namespace = await here.stack.namespace();
  await here.stack.kube.setPolicy(namespace, { allowedGroups: '["owners"]', readerGroups: '["team-a"]' });
  const list = `/namespaces/${namespace}`;
  for (const [name, rules] of Object.entries({
    'to-read': {},
    'to-write': { writerGroups: ['team-a'] },
    'to-manage': { allowedGroups: ['team-a'] },
    'deleted-to-read': {},
    'deleted-to-manage': { allowedGroups: ['team-a'] },
  })) {
    const answer = await here.admin.post(`/api${list}/secrets`, { name, data: { token: 'x' }, ...rules });
    expect(answer.status).toBe(201);
    if (name.startsWith('deleted')) await deleteArchived(here.admin, namespace, name);
  }
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(list);
  const menuOf = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    const items = page.getByRole('menu').filter({ hasText: 'History' }).getByRole('menuitem');
    await items.first().waitFor();
    return () => items.allTextContents();
  };
  for (const [name, offered] of [
    ['to-read', ['History', 'Copy to…', 'Star']],
    ['to-write', ['Edit', 'History', 'Copy to…', 'Star']],
    ['to-manage', ['Edit', 'History', 'Copy to…', 'Star', 'Delete']],
  ] as const) {
    await expect.poll(await menuOf(name)).toEqual(offered);
    await page.keyboard.press('Escape');
  }
  await page.getByLabel('Select to-read').check();
  await page.getByText('1 selected, 0 of which you can manage').waitFor();
  expect(await button(page, 'Change access').count()).toBe(0);
  await page.getByLabel('Select to-manage').check();
  await page.getByText('2 selected, 1 of which you can manage').waitFor();
  await button(page, 'Delete').click();
  await page
    .getByRole('dialog', { name: 'Delete to-manage?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('to-read');
  await page
    .getByRole('option', { name: /to-read/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('option', { name: 'History' }).waitFor();
  await expect.poll(() => page.getByRole('option', { name: 'Edit' }).count()).toBe(0);
  await open(`${list}/deleted`);
  await button(page, 'Restore deleted-to-manage').waitFor();
  await page.getByRole('row', { name: /deleted-to-read/ }).waitFor();
  await expect.poll(() => button(page, 'Restore deleted-to-read').count()).toBe(0);
  expect(await button(page, 'Delete deleted-to-read permanently').count()).toBe(0);
  await close();
});

test('nothing that changes a service account token is offered, which can be deleted', async () => {
  const namespace = await here.stack.namespace();
  const { kube } = here.stack;
  await kube.createServiceAccount(namespace, 'robot');
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const type = 'kubernetes.io/service-account-token';
  await kube.createSecret(namespace, { metadata: { name: 'robot-token', annotations }, type, data: {} });
  await kube.createSecret(namespace, { metadata: { name: 'other' }, data: { token: 'eA==' } });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`/namespaces/${namespace}`);
  await button(page, 'Actions for robot-token').click();
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByLabel('Select robot-token').check();
  await button(page, 'Delete').waitFor();
  expect(await button(page, 'Change access').count()).toBe(0);
  await page.getByLabel('Select other').check();
  await button(page, 'Change access').click();
  await page.getByRole('dialog', { name: 'Change access to other' }).waitFor();
  await open(`/namespaces/${namespace}/secrets/robot-token/access`);
  await page.getByText('Everyone who can sign in can manage this Secret.').waitFor();
  expect(await page.getByRole('link', { name: 'Change access' }).count()).toBe(0);
  await close();
});

test('a duplicate is not offered where one can manage a Secret, and create none', async () => {
  const namespace = await here.stack.namespace();
  await here.stack.kube.setPolicy(namespace, { allowedGroups: '["owners"]', readerGroups: '["team-a"]' });
  const body = { name: 'to-manage', data: { token: 'x' }, allowedGroups: ['team-a'] };
  expect((await here.admin.post(`/api/namespaces/${namespace}/secrets`, body)).status).toBe(201);
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`/namespaces/${namespace}/secrets/to-manage`);
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Copy to…' }).waitFor();
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  // It is there until the rights in the namespace are known.
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor({ state: 'detached' });
  await close();
});

/** A namespace that a team manages, and auditors read. */
async function ruledNamespace() {
  const namespace = await here.stack.namespace();
  const policy = { allowedGroups: '["team-a"]', readerGroups: '["auditors"]' };
  await here.stack.kube.setPolicy(namespace, policy);
  const make = async (name: string, more: object = {}) => {
    const body = { name, data: { token: 'x' }, ...more };
    expect((await here.admin.post(`/api/namespaces/${namespace}/secrets`, body)).status).toBe(201);
    return `/namespaces/${namespace}/secrets/${name}`;
  };
  const lists = async (name: string) => {
    const { annotations } = (await here.stack.kube.getSecret(namespace, name))?.metadata ?? {};
    const of = (list: string) => annotations?.[`service.io/${list}`];
    return { manage: of('allowed-groups'), write: of('writer-groups'), read: of('reader-groups') };
  };
  return { make, lists };
}

test('those who are kept stay when the entry that is being typed is added afterwards', async () => {
  const { make: makeHere } = await ruledNamespace();
  const path = await makeHere('kept-first');
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${path}/edit#access`);
  const field = page.getByRole('textbox', { name: 'Add a group or person' });
  await field.pressSequentially('billing');
  await button(page, 'Keep them').click();
  const rows = page.getByRole('table', { name: 'Who has access' });
  for (const name of ['billing', 'auditors']) await rows.getByText(name, { exact: true }).waitFor();
  await field.pressSequentially('others');
  await field.press('Enter');
  await rows.getByText('others', { exact: true }).waitFor();
  for (const name of ['billing', 'auditors'])
    expect(await rows.getByText(name, { exact: true }).count()).toBe(1);
  await close();
});

test('a Secret is shared with readers with 5 clicks: the group is completed, and those who would lose access are kept', async () => {
  const { make: makeHere, lists } = await ruledNamespace();
  await makeHere('other', { readerGroups: ['billing'] });
  const path = await makeHere('shared-with');
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${path}/access`);
  const { click, count } = startCounting();
  await click(page.getByRole('link', { name: 'Change access' }));
  await click(button(page, 'Add billing'));
  await page.getByText('So far: auditors can read.').waitFor();
  await click(button(page, 'Keep them'));
  await click(button(page, 'Review and save'));
  const effect = page.getByRole('table', { name: 'Who can use it' });
  await effect.getByRole('row', { name: 'billing no access can read' }).waitFor();
  expect(await effect.getByRole('row').count()).toBe(2);
  expect(await page.getByRole('heading', { name: 'lose access' }).count()).toBe(0);
  await click(saveButton(page));
  await page.getByText('shared-with is saved as version 2.').waitFor();
  expect(count()).toBe(5);
  expect(await lists('shared-with')).toEqual({ manage: '', write: undefined, read: 'billing,auditors' });
  await close();
});

test('before the first rule is saved, the review names everyone who loses and gains access', async () => {
  const { make: makeHere } = await ruledNamespace();
  const path = await makeHere('first-rule');
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${path}/edit#access`);
  await share(page, 'team-b');
  await shareField(page).press('Enter');
  await share(page, 'team-a', 'can read');
  await button(page, 'Review and save').click();
  await page.getByRole('heading', { name: 'Others lose access' }).waitFor();
  await page.getByRole('heading', { name: 'You will only be able to read' }).waitFor();
  const rows = page.getByRole('table', { name: 'Who can use it' }).getByRole('row');
  await expect
    .poll(() =>
      rows.allInnerTexts().then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())),
    )
    .toEqual([
      'Group or person Today After',
      'team-a can manage can read',
      'auditors can read no access',
      'team-b no access can manage',
    ]);
  await close();
});

test('each group and person is one row with one level, whatever lists the API has them in', async () => {
  const { make: makeHere, lists } = await ruledNamespace();
  const path = await makeHere('one-row', {
    allowedGroups: ['team-a', 'ops'],
    writerGroups: ['ops'],
    readerGroups: ['ops', 'billing'],
  });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${path}/edit#access`);
  const rows = page.getByRole('table', { name: 'Who has access' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(4);
  const levelOf = (name: string) => page.getByRole('combobox', { name: `Access of ${name}` });
  expect(await levelOf('ops').inputValue()).toBe('manage');
  await levelOf('ops').selectOption('can write');
  await button(page, 'Remove billing').click();
  await reviewAndSave(page);
  await page.getByText('one-row is saved as version 2.').waitFor();
  expect(await lists('one-row')).toEqual({ manage: 'team-a', write: 'ops', read: '' });
  await close();
});
