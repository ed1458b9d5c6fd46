import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A, GUEST, type ApiClient } from '../../harness/api-client.ts';
import { errorOf, jsonOf, listOf, secretOf } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const UNAVAILABLE = 'Namespace access policy is unavailable';
/** Hidden by default. Clusters have others whose names begin alike. */
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'];
const MANAGED = { 'service.io/managed-by': 'service' };

let stack: Stack;
let namespace: string;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  namespace = await stack.namespace();
});

const seed = (name: string, annotations: object = {}, labels: object = {}) =>
  stack.kube.createSecret(
    namespace,
    nativeSecret(name, { key: 'planted-value' }, { metadata: { annotations, labels } }),
  );
const list = async (client: ApiClient) => listOf(await listBothWays(client, namespace));
const names = async (client: ApiClient) => (await list(client)).secrets.map(({ name }) => name);

describe('what is listed', () => {
  it('an answer has the namespace, the summaries ordered by name, and canCreate', async () => {
    const created = await secretsOf(stack.admin, namespace).create('b', { data: { x: 'planted-value' } });
    await seed('a');
    await seed('a.b');
    const answer = await listBothWays(stack.admin, namespace);
    const { secrets, ...rest } = listOf(answer);
    expect(rest).toEqual({ namespace, canCreate: true });
    expect(secrets.map(({ name }) => name)).toEqual(['a', 'a.b', 'b']);
    expect(secrets[2]).toEqual(created);
  });

  it('summaries contain no values in either encoding', async () => {
    await seed('a');
    await stack.kube.createSecret(namespace, nativeSecret('b', { binary: Uint8Array.of(0, 1, 2, 0xff) }));
    const { text, json } = await listBothWays(stack.admin, namespace);
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
    expect(await list(stack.admin)).toEqual({ namespace, secrets: [], canCreate: true });
    const absent = `no-${namespace}`;
    expect(jsonOf(await listBothWays(stack.admin, absent), 200)).toMatchObject({
      namespace: absent,
      secrets: [],
    });
  });

  it('history snapshots are excluded by their label and by their annotation', async () => {
    await secretsOf(stack.admin, namespace).createWithHistory('live', 2);
    await seed('annotation-only', { 'service.io/kind': 'history' });
    await seed('label-only', {}, { 'service.io/kind': 'history' });
    await seed('another-kind', { 'service.io/kind': 'live' }, { 'service.io/kind': 'live' });
    expect(await names(stack.admin)).toEqual(['another-kind', 'live']);
  });

  it('a Secret that is being deleted stays in the list, marked', async () => {
    await stack.kube.createSecret(
      namespace,
      nativeSecret('held', {}, { metadata: { finalizers: ['example.com/hold'] } }),
    );
    await stack.kube.deleteSecret(namespace, 'held');
    expect((await list(stack.admin)).secrets[0]?.deletionTimestamp).toEqual(expect.any(String));
    await stack.kube.patchSecret(namespace, 'held', { metadata: { finalizers: null } });
  });

  it('every Secret is there once when there are many pages', async () => {
    const wanted = Array.from({ length: 1_001 }, (_, index) => `s-${String(index).padStart(4, '0')}`);
    const queue = wanted.values();
    const work = async () => {
      for (const name of queue) await seed(name);
    };
    await Promise.all(Array.from({ length: 16 }, work));
    expect(await names(stack.developerA)).toEqual(wanted);
  });
});

describe('who sees what', () => {
  beforeEach(async () => {
    await seed('for-group-a', { 'service.io/allowed-groups': 'team-a' });
    await seed('for-group-b', { 'service.io/allowed-groups': 'team-b' });
    await seed('for-guest', { 'service.io/allowed-users': 'GUEST@example.com' });
    await seed('without-rules');
    await seed('with-blank-rules', { 'service.io/allowed-groups': ' , ', 'service.io/allowed-users': '' });
  });
  const everything = ['for-group-a', 'for-group-b', 'for-guest', 'with-blank-rules', 'without-rules'];

  it('without a policy: own rules decide, everything else is open', async () => {
    expect(await names(stack.admin)).toEqual(everything);
    expect(await names(stack.developerA)).toEqual(['for-group-a', 'with-blank-rules', 'without-rules']);
    expect(await names(stack.guest)).toEqual(['for-guest', 'with-blank-rules', 'without-rules']);
    expect((await list(stack.guest)).canCreate).toBe(true);
  });

  it('with a policy: it decides where there are no own rules, and whether one may create', async () => {
    await stack.kube.setPolicy(namespace, { allowedGroups: '["team-b"]' });
    expect(await names(stack.developerA)).toEqual(['for-group-a']);
    expect(await names(stack.developerB)).toEqual(['for-group-b', 'with-blank-rules', 'without-rules']);
    expect([(await list(stack.developerA)).canCreate, (await list(stack.developerB)).canCreate]).toEqual([
      false,
      true,
    ]);
    expect(await list(stack.admin)).toMatchObject({ canCreate: true });
    expect(await names(stack.admin)).toEqual(everything);
  });

  it('a policy whose entry holds a comma names one principal', async () => {
    await stack.kube.setPolicy(namespace, { allowedGroups: '["team-a,team-b"]' });
    expect((await list(stack.developerA)).canCreate).toBe(false);
    const { url } = stack.service;
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
      await stack.kube.setPolicy(namespace, { allowedGroups: '["team-a"]', allowedUsers });
      expect(errorOf(await listBothWays(stack.developerA, namespace), 503)).toBe(UNAVAILABLE);
      expect(await names(stack.admin)).toEqual(everything);
    },
  );

  it('canCreate is a hint: POST still enforces', async () => {
    expect((await list(stack.guest)).canCreate).toBe(true);
    await stack.kube.setPolicy(namespace, { allowedGroups: '["team-b"]' });
    errorOf(await stack.guest.post(secretsPath(namespace), { name: 'late' }), 403);
  });
});

describe('an unusable policy', () => {
  it('fails the list for non-admins even when it is empty', async () => {
    await stack.kube.setPolicy(namespace, { allowedUsers: 'broken' });
    expect(errorOf(await listBothWays(stack.guest, namespace), 503)).toBe(UNAVAILABLE);
    expect(await list(stack.admin)).toEqual({ namespace, secrets: [], canCreate: true });
  });

  it('fails the list for non-admins even when all items have explicit rules; single ones are still served', async () => {
    await seed('own-rules', { 'service.io/allowed-groups': 'team-a' });
    await seed('no-rules');
    await stack.kube.setPolicy(namespace, { allowedUsers: 'broken' });
    await stack.kube.deleteSecret(namespace, 'no-rules');
    expect(errorOf(await listBothWays(stack.developerA, namespace), 503)).toBe(UNAVAILABLE);
    secretOf(await stack.developerA.get(secretsPath(namespace, 'own-rules')));
  });

  it('is needed only where the fallback decides', async () => {
    await seed('own-rules', { 'service.io/allowed-groups': 'team-b' });
    await seed('no-rules');
    await stack.kube.setPolicy(namespace, { allowedUsers: 'broken' });
    errorOf(await stack.developerA.get(secretsPath(namespace, 'own-rules')), 403);
    expect(errorOf(await stack.developerA.get(secretsPath(namespace, 'no-rules')), 503)).toBe(UNAVAILABLE);
    secretOf(await stack.admin.get(secretsPath(namespace, 'no-rules')));
  });

  describe.runIf(ON_DEV_CLUSTER)('with a cluster that fails', () => {
    it.each([403, 500])('a policy read that is answered %i is no absence', async (status) => {
      const match = { verb: 'get', resource: 'configmaps', namespace };
      const fault = stack.dev.faults.add({ match, action: { type: 'status', status } });
      // Of the live list: the cache may go on with the policy that it holds.
      const live = { headers: { 'cache-control': 'no-cache' } };
      expect(errorOf(await stack.guest.get(secretsPath(namespace), live), 503)).toBe(UNAVAILABLE);
      expect(await list(stack.admin)).toMatchObject({ canCreate: true });
      fault.remove();
      expect(await list(stack.guest)).toMatchObject({ canCreate: true });
    });
  });
});

describe('SERVICE_MANAGED_ONLY', () => {
  let admin: ApiClient;
  let developer: ApiClient;
  beforeAll(async () => {
    const { url } = await stack.anotherService({ env: { SERVICE_MANAGED_ONLY: 'true' } });
    [admin, developer] = await Promise.all([clientFor(url, ADMIN), clientFor(url, DEVELOPER_A)]);
  });
  beforeEach(async () => {
    await seed('managed', MANAGED);
    await seed('unmanaged');
    await seed('managed-by-label-only', {}, { 'service.io/managed-by': 'service' });
    await seed('managed-by-another', { 'service.io/managed-by': 'someone' });
  });

  it('excludes unmanaged Secrets from lists; the annotation alone counts', async () => {
    expect(await names(admin)).toEqual(['managed']);
    expect(await names(developer)).toEqual(['managed']);
    expect(await names(stack.admin)).toHaveLength(4);
  });

  it.each([
    ['GET', undefined],
    ['PUT', undefined],
    ['DELETE', undefined],
    ['GET', 'versions'],
    ['GET', 'versions/1'],
    ['POST', 'restore'],
  ])('%s …/%s of an unmanaged Secret answers 404', async (method, below) => {
    const request = method === 'PUT' || method === 'POST' ? { json: {} } : {};
    for (const name of ['unmanaged', 'managed-by-another', 'managed-by-label-only']) {
      const answer = await admin.send(method, secretsPath(namespace, name, below), request);
      expect(errorOf(answer, 404)).toBe('Secret not found');
    }
  });

  it('serves managed ones, and those that it creates', async () => {
    secretOf(await developer.get(secretsPath(namespace, 'managed')));
    secretOf(await developer.post(secretsPath(namespace), { name: 'new' }), 201);
    expect(await names(admin)).toEqual(['managed', 'new']);
    expect(jsonOf(await admin.get('/api/config'), 200)).toMatchObject({ managedOnly: true });
  });
});

describe('the namespaces of the system', () => {
  it.each(SYSTEM_NAMESPACES)('%s answers 403, to administrators too, unless it is named', async (system) => {
    const before = await stack.kube.listSecrets(system);
    for (const client of [stack.admin, stack.developerA]) {
      for (const [method, path] of [
        ['GET', secretsPath(system)],
        ['POST', secretsPath(system)],
        ['GET', secretsPath(system, 'a')],
        ['PUT', secretsPath(system, 'a')],
        ['DELETE', secretsPath(system, 'a')],
      ] as const) {
        expect(errorOf(await client.send(method, path), 403)).toBe(
          'This namespace is outside the scope of the service',
        );
      }
    }
    expect(await stack.kube.listSecrets(system)).toEqual(before);
  });

  it('are in scope beside all others where they are named', async () => {
    const { url } = await stack.anotherService({ env: { SERVICE_NAMESPACES: '*,kube-public' } });
    const client = await clientFor(url, ADMIN);
    expect(jsonOf(await client.get(secretsPath('kube-public')), 200)).toMatchObject({
      namespace: 'kube-public',
    });
    jsonOf(await client.get(secretsPath(namespace)), 200);
    errorOf(await client.get(secretsPath('kube-system')), 403);
    const { namespaces } = jsonOf(await client.get('/api/namespaces'), 200) as {
      namespaces: readonly { name: string }[];
    };
    const system = namespaces.map(({ name }) => name).filter((name) => SYSTEM_NAMESPACES.includes(name));
    expect(system).toEqual(['kube-public']);
  });
});

describe('GET /api/namespaces', () => {
  it('names those in scope in order, with a hint whether one may create, and without the system namespaces', async () => {
    const open = namespace;
    const closed = await stack.namespace();
    const broken = await stack.namespace();
    await stack.kube.setPolicy(closed, { allowedGroups: '["team-b"]' });
    await stack.kube.setPolicy(broken, { allowedGroups: 'broken' });
    const seen = async (client: ApiClient) => {
      const { namespaces } = jsonOf(await client.get('/api/namespaces'), 200) as {
        namespaces: readonly { name: string; canCreate: boolean }[];
      };
      const all = namespaces.map(({ name }) => name);
      expect(all).toEqual([...all].sort());
      expect(all.filter((name) => SYSTEM_NAMESPACES.includes(name))).toEqual([]);
      for (const entry of namespaces) expect(Object.keys(entry)).toEqual(['name', 'canCreate']);
      return [open, closed, broken].map((name) => namespaces.find((one) => one.name === name)?.canCreate);
    };
    // The hint comes from memory, which follows policies by a watch.
    await vi.waitFor(async () => {
      expect(await seen(stack.developerA)).toEqual([true, false, false]);
      expect(await seen(stack.developerB)).toEqual([true, true, false]);
      expect(await seen(stack.admin)).toEqual([true, true, true]);
    }, 10_000);
  });

  it('leaves out a namespace while it is being deleted, from memory and live', async () => {
    const { url } = await stack.anotherService({ env: { SERVICE_LIST_CACHE: 'false' } });
    const [cached, live] = [stack.admin, await clientFor(url, ADMIN)];
    const shows = (client: ApiClient, wanted: boolean) =>
      vi.waitFor(async () => {
        const { namespaces } = jsonOf(await client.get('/api/namespaces'), 200) as {
          namespaces: readonly { name: string }[];
        };
        expect(namespaces.some(({ name }) => name === namespace)).toBe(wanted);
      }, 20_000);
    await shows(cached, true);
    await shows(live, true);
    const held = nativeSecret('held', {}, { metadata: { finalizers: ['example.com/held'] } });
    await stack.kube.createSecret(namespace, held);
    try {
      await stack.kube.deleteNamespace(namespace);
      await shows(cached, false);
      await shows(live, false);
      expect(await stack.kube.getSecret(namespace, 'held')).toBeDefined();
    } finally {
      await stack.kube.removeFinalizers(namespace);
    }
  });

  it('needs a session', async () => {
    expect(errorOf(await stack.anonymous.get('/api/namespaces'), 401)).toBe('Sign-in required');
  });
});
