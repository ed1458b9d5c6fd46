import { beforeEach, describe, expect, it } from 'vitest';
import { clientFor, GUEST } from '../../harness/api-client.ts';
import { errorOf, jsonOf, listOf, secretOf } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openListFixture } from './list-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

const { here, seed, list, names } = openListFixture();

const UNAVAILABLE = 'Namespace access policy is unavailable';

describe('what is listed', () => {
  it('an answer has the namespace, the summaries ordered by name, and canCreate', async () => {
    const created = await secretsOf(here.stack.admin, here.namespace).create('b', {
      data: { x: 'planted-value' },
    });
    await seed('a');
    await seed('a.b');
    const answer = await listBothWays(here.stack.admin, here.namespace);
    const { secrets, ...rest } = listOf(answer);
    expect(rest).toEqual({ namespace: here.namespace, canCreate: true });
    expect(secrets.map(({ name }) => name)).toEqual(['a', 'a.b', 'b']);
    expect(secrets[2]).toEqual(created);
  });

  it('summaries contain no values in either encoding', async () => {
    await seed('a');
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret('b', { binary: Uint8Array.of(0, 1, 2, 0xff) }),
    );
    const { text, json } = await listBothWays(here.stack.admin, here.namespace);
    expect(text).not.toContain('planted-value');
    expect(text).not.toContain(Buffer.from('planted-value').toString('base64'));
    expect(text).not.toContain('AAEC/w==');
    const { secrets } = json as { secrets: readonly object[] };
    for (const secret of secrets) {
      expect(secret).not.toHaveProperty('data');
      expect(secret).not.toHaveProperty('binaryData');
    }
  });

  it('an empty namespace, and one that does not exist, have an empty list', async () => {
    expect(await list(here.stack.admin)).toEqual({ namespace: here.namespace, secrets: [], canCreate: true });
    const absent = `no-${here.namespace}`;
    expect(jsonOf(await listBothWays(here.stack.admin, absent), 200)).toMatchObject({
      namespace: absent,
      secrets: [],
    });
  });

  it('history snapshots are excluded by their label and by their annotation', async () => {
    await secretsOf(here.stack.admin, here.namespace).createWithHistory('live', 2);
    await seed('annotation-only', { [annotation('kind')]: 'history' });
    await seed('label-only', {}, { [annotation('kind')]: 'history' });
    await seed('another-kind', { [annotation('kind')]: 'live' }, { [annotation('kind')]: 'live' });
    expect(await names(here.stack.admin)).toEqual(['another-kind', 'live']);
  });

  it('a Secret that is being deleted stays in the list, marked', async () => {
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret('held', {}, { metadata: { finalizers: ['example.com/hold'] } }),
    );
    await here.stack.kube.deleteSecret(here.namespace, 'held');
    expect((await list(here.stack.admin)).secrets[0]?.deletionTimestamp).toEqual(expect.any(String));
    await here.stack.kube.patchSecret(here.namespace, 'held', { metadata: { finalizers: null } });
  });

  it('every Secret is there once when there are many pages', async () => {
    const wanted = Array.from({ length: 1_001 }, (_, index) => `s-${String(index).padStart(4, '0')}`);
    const queue = wanted.values();
    const work = async () => {
      for (const name of queue) await seed(name);
    };
    await Promise.all(Array.from({ length: 16 }, work));
    expect(await names(here.stack.developerA)).toEqual(wanted);
  });
});

describe('who sees what', () => {
  beforeEach(async () => {
    await seed('for-group-a', { [annotation('allowed-groups')]: 'team-a' });
    await seed('for-group-b', { [annotation('allowed-groups')]: 'team-b' });
    await seed('for-guest', { [annotation('allowed-users')]: 'GUEST@example.com' });
    await seed('without-rules');
    await seed('with-blank-rules', {
      [annotation('allowed-groups')]: ' , ',
      [annotation('allowed-users')]: '',
    });
  });
  const everything = ['for-group-a', 'for-group-b', 'for-guest', 'with-blank-rules', 'without-rules'];

  it('without a policy: own rules decide, everything else is open', async () => {
    expect(await names(here.stack.admin)).toEqual(everything);
    expect(await names(here.stack.developerA)).toEqual(['for-group-a', 'with-blank-rules', 'without-rules']);
    expect(await names(here.stack.guest)).toEqual(['for-guest', 'with-blank-rules', 'without-rules']);
    expect((await list(here.stack.guest)).canCreate).toBe(true);
  });

  it('with a policy: it decides where there are no own rules, and whether one may create', async () => {
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: '["team-b"]' });
    expect(await names(here.stack.developerA)).toEqual(['for-group-a']);
    expect(await names(here.stack.developerB)).toEqual(['for-group-b', 'with-blank-rules', 'without-rules']);
    expect([
      (await list(here.stack.developerA)).canCreate,
      (await list(here.stack.developerB)).canCreate,
    ]).toEqual([false, true]);
    expect(await list(here.stack.admin)).toMatchObject({ canCreate: true });
    expect(await names(here.stack.admin)).toEqual(everything);
  });

  it('a policy whose entry holds a comma names one principal', async () => {
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: '["team-a,team-b"]' });
    expect((await list(here.stack.developerA)).canCreate).toBe(false);
    const { url } = here.stack.service;
    const odd = await clientFor(url, { ...GUEST, groups: ['team-a,team-b'] });
    expect((await list(odd)).canCreate).toBe(true);
  });

  it.each([
    ['no JSON', 'team-a'],
    ['no array', '"team-a"'],
    ['a blank entry', '[""]'],
    ['an entry that is no string', '[null]'],
  ])(
    'an invalid policy, %s, answers 503 for the whole list, except to admins',
    async (_what, allowedUsers) => {
      await here.stack.kube.setPolicy(here.namespace, { allowedGroups: '["team-a"]', allowedUsers });
      expect(errorOf(await listBothWays(here.stack.developerA, here.namespace), 503)).toBe(UNAVAILABLE);
      expect(await names(here.stack.admin)).toEqual(everything);
    },
  );

  it('canCreate is a hint: POST still enforces', async () => {
    expect((await list(here.stack.guest)).canCreate).toBe(true);
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: '["team-b"]' });
    errorOf(await here.stack.guest.post(secretsPath(here.namespace), { name: 'late' }), 403);
  });
});

describe('an unusable policy', () => {
  it('fails the list for non-admins even when it is empty', async () => {
    await here.stack.kube.setPolicy(here.namespace, { allowedUsers: 'broken' });
    expect(errorOf(await listBothWays(here.stack.guest, here.namespace), 503)).toBe(UNAVAILABLE);
    expect(await list(here.stack.admin)).toEqual({ namespace: here.namespace, secrets: [], canCreate: true });
  });

  it('fails the list for non-admins even when all items have explicit rules; single ones are still served', async () => {
    await seed('own-rules', { [annotation('allowed-groups')]: 'team-a' });
    await seed('no-rules');
    await here.stack.kube.setPolicy(here.namespace, { allowedUsers: 'broken' });
    await here.stack.kube.deleteSecret(here.namespace, 'no-rules');
    expect(errorOf(await listBothWays(here.stack.developerA, here.namespace), 503)).toBe(UNAVAILABLE);
    secretOf(await here.stack.developerA.get(secretsPath(here.namespace, 'own-rules')));
  });

  it('is needed only where the fallback decides', async () => {
    await seed('own-rules', { [annotation('allowed-groups')]: 'team-b' });
    await seed('no-rules');
    await here.stack.kube.setPolicy(here.namespace, { allowedUsers: 'broken' });
    errorOf(await here.stack.developerA.get(secretsPath(here.namespace, 'own-rules')), 403);
    expect(errorOf(await here.stack.developerA.get(secretsPath(here.namespace, 'no-rules')), 503)).toBe(
      UNAVAILABLE,
    );
    secretOf(await here.stack.admin.get(secretsPath(here.namespace, 'no-rules')));
  });

  describe.runIf(ON_DEV_CLUSTER)('with a cluster that fails', () => {
    it.each([403, 500])('a policy read that is answered %i is no absence', async (status) => {
      const match = { verb: 'get', resource: 'configmaps', namespace: here.namespace };
      const fault = here.stack.dev.faults.add({ match, action: { type: 'status', status } });
      // Of the live list: the cache may go on with the policy that it holds.
      const live = { headers: { 'cache-control': 'no-cache' } };
      expect(errorOf(await here.stack.guest.get(secretsPath(here.namespace), live), 503)).toBe(UNAVAILABLE);
      expect(await list(here.stack.admin)).toMatchObject({ canCreate: true });
      fault.remove();
      expect(await list(here.stack.guest)).toMatchObject({ canCreate: true });
    });
  });
});
