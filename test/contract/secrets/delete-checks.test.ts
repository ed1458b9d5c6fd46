import { describe, expect, it } from 'vitest';
import { errorOf } from '../../harness/answers.ts';
import { stateOf } from '../../harness/secret-paths.ts';
import { HISTORY, openDeleteFixture } from './delete-fixture.ts';

const { here, snapshotNames } = openDeleteFixture();

describe('the query of a deletion', () => {
  it.each([
    ['a missing resourceVersion', ''],
    ['an empty resourceVersion', '?resourceVersion='],
    ['a blank resourceVersion', '?resourceVersion=%20%09'],
    ['a resourceVersion with a control character', '?resourceVersion=RV%00'],
    ['a duplicate resourceVersion', '?resourceVersion=RV&resourceVersion=RV'],
    ['a resourceVersion given twice with other values', '?resourceVersion=RV&resourceVersion=1'],
    ['a blank resourceVersion beside a good one', '?resourceVersion=&resourceVersion=RV'],
    ['a keepHistory that is neither true nor false', '?resourceVersion=RV&keepHistory=yes'],
    ['an empty keepHistory', '?resourceVersion=RV&keepHistory='],
    ['a keepHistory in capitals', '?resourceVersion=RV&keepHistory=TRUE'],
    ['a duplicate keepHistory', '?resourceVersion=RV&keepHistory=true&keepHistory=true'],
    ['a keepHistory given twice with other values', '?resourceVersion=RV&keepHistory=false&keepHistory=true'],
  ])('%s is 400, and nothing is deleted', async (_what, query) => {
    const { resourceVersion } = await here.secrets.createWithHistory('a', 1);
    const before = await stateOf(here.stack.kube, here.namespace);
    const answer = await here.stack.admin.delete(
      here.secrets.path('a', query.replaceAll('RV', encodeURIComponent(resourceVersion))),
    );
    expect(errorOf(answer, 400)).toMatch(/resourceVersion|keepHistory/);
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });

  it('an error about the query does not repeat what was sent', async () => {
    await here.secrets.create('a');
    const answer = await here.stack.admin.delete(
      here.secrets.path('a', '?resourceVersion=secret-1&resourceVersion=secret-2&keepHistory=secret-3'),
    );
    expect(errorOf(answer, 400)).not.toContain('secret-');
  });

  it('resourceVersion is the revision, not the version counter', async () => {
    await here.secrets.createWithHistory('a', 1);
    errorOf(await here.stack.admin.delete(here.secrets.deletePath('a', '2')), 409);
  });

  it('keepHistory=false is the default', async () => {
    const { resourceVersion } = await here.secrets.createWithHistory('a', 1);
    const answer = await here.stack.admin.delete(
      here.secrets.deletePath('a', resourceVersion, '&keepHistory=false'),
    );
    expect(answer.json).toMatchObject({ history: 'cleaned' });
    expect(await snapshotNames()).toEqual([]);
  });
});

describe('the order of checks of a deletion', () => {
  const RULES = { data: { key: 'v' }, allowedGroups: ['team-a'] };

  it('401 comes before everything', async () => {
    errorOf(await here.stack.anonymous.delete(here.secrets.path('absent')), 401);
  });

  it('404 for an absent Secret comes before 400 for the query', async () => {
    errorOf(await here.stack.admin.delete(here.secrets.path('absent')), 404);
  });

  it('404 for an absent Secret comes before 403', async () => {
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: '["team-a"]' });
    errorOf(await here.stack.developerB.delete(here.secrets.path('absent')), 404);
  });

  it('403 by the rules of the Secret comes before 400 and 409', async () => {
    await here.secrets.create('a', RULES);
    const before = await stateOf(here.stack.kube, here.namespace);
    errorOf(await here.stack.developerB.delete(here.secrets.path('a')), 403);
    errorOf(await here.stack.developerB.delete(here.secrets.deletePath('a', 'stale')), 403);
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });

  it('503 for a policy that is needed and invalid comes before 400 and 409', async () => {
    await here.secrets.create('a');
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: 'team-a' });
    errorOf(await here.stack.developerA.delete(here.secrets.path('a')), 503);
    errorOf(await here.stack.developerA.delete(here.secrets.deletePath('a', 'stale')), 503);
    expect(await here.stack.kube.getSecret(here.namespace, 'a')).toBeDefined();
  });

  it('400 for the query comes before 409 for a stale revision', async () => {
    await here.secrets.create('a');
    errorOf(
      await here.stack.admin.delete(here.secrets.deletePath('a', 'stale', '&keepHistory=perhaps')),
      400,
    );
  });

  it('the name of a snapshot is 404, and the snapshot stays', async () => {
    await here.secrets.createWithHistory('a', 1);
    const [snapshot] = await here.stack.kube.listSecrets(here.namespace, HISTORY);
    const { name = '', resourceVersion = '' } = snapshot?.metadata ?? {};
    errorOf(await here.stack.admin.delete(here.secrets.deletePath(name, resourceVersion)), 404);
    expect(await snapshotNames()).toEqual([name]);
  });
});
