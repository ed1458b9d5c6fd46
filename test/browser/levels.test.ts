import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A, DEVELOPER_B } from '../harness/api-client.ts';
import { reviewAndSave, openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;
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
  expect(await page.getByRole('textbox', { name: 'Groups that can manage' }).count()).toBe(0);
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

test('a Secret is shared with readers from its Access tab with 4 clicks', async () => {
  await make('shared-with', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('shared-with')}/access`);
  await page.getByRole('link', { name: 'Change access' }).click();
  await page.getByText('People who can only write or read').click();
  await page.getByRole('textbox', { name: 'Groups that can read' }).fill('auditors');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('heading', { name: 'Some people may lose access' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('shared-with is saved as version 2.').waitFor();
  const secret = await here.stack.kube.getSecret(here.namespace, 'shared-with');
  expect(secret?.metadata.annotations?.['service.io/reader-groups']).toBe('auditors');
  await close();
});

test('before the first rule is saved, the review says that everyone else loses access', async () => {
  await make('first-rule', { token: 'x' });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(`${at('first-rule')}/edit#access`);
  await page.getByRole('textbox', { name: 'Groups that can manage' }).fill('team-b');
  await page.getByText('People who can only write or read').click();
  await page.getByRole('textbox', { name: 'Groups that can read' }).fill('team-a');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('heading', { name: 'Others lose access' }).waitFor();
  await page.getByRole('heading', { name: 'You will only be able to read' }).waitFor();
  await close();
});
