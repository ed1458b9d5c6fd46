import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import type { Visit } from './profiles.ts';
import { openSecretsFixture, reviewAndSave, setValue } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

/** Opens an edit that renames a masked key and changes another one; both are removed by the time that it is saved. */
async function saveRemoved(name: string, remove: () => Promise<unknown>): Promise<Visit> {
  await make(name, { moved: 'kept', token: 'before', other: 'x' });
  const visit = await here.visit(ADMIN);
  await visit.open(`${at(name)}/edit`);
  await visit.page.locator('[data-key=moved]').getByLabel('Key', { exact: true }).fill('renamed');
  await setValue(visit.page, 'token', 'mine');
  await remove();
  await reviewAndSave(visit.page);
  return visit;
}

test('keys that someone else has removed are a conflict, with their values before', async () => {
  const { page, close } = await saveRemoved('removed', async () => {
    const { json } = await here.admin.get(`/api${at('removed')}`);
    const { resourceVersion } = (json as { secret: { resourceVersion: string } }).secret;
    await here.admin.patch(`/api${at('removed')}`, { resourceVersion, remove: ['moved', 'token'] });
  });
  const token = page.getByRole('group', { name: 'token (both changed it)' });
  await token.getByRole('button', { name: 'Reveal the values of token' }).click();
  await expect.poll(() => page.getByLabel('Value of token (before)').textContent()).toBe('before');
  await token.getByLabel('Take mine').check();
  await reviewAndSave(page);
  await page.getByText('removed is saved as version 3.').waitFor();
  expect(Object.fromEntries(await here.stored('removed'))).toEqual({
    ...{ other: 'x', renamed: 'kept', token: 'mine' },
  });
  await close();
});

test('a renamed key that was removed outside the service does not mean that the Secret is gone', async () => {
  const { page, close } = await saveRemoved('removed-outside', () =>
    here.stack.kube.patchSecret(here.namespace, 'removed-outside', { data: { moved: null } }),
  );
  await page.getByText('This Secret was changed outside the service').waitFor();
  expect(await page.getByText('Create it again').count()).toBe(0);
  await close();
});
