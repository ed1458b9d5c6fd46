import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { jsonOf, secretOf } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath, snapshotNameOf } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';
import { eventually } from '../../harness/eventually.ts';

/** The cluster requests of each operation: what the contract needs, in this order, and no more. */
describe.runIf(ON_DEV_CLUSTER)('calls to the cluster', () => {
  let stack: Stack;
  let namespace: string;
  let next = 0;

  beforeAll(async () => {
    stack = await openStack();
    namespace = await stack.namespace();
    await stack.kube.setPolicy(namespace, { allowedGroups: '["team-a"]' });
  });
  afterAll(() => stack.close());

  const READ = 'get secrets';
  const POLICY = 'get configmaps';
  const freshName = () => `s${++next}`;

  /** The calls within the namespace while `act` runs. */
  async function callsOf(act: () => Promise<ApiAnswer>, status: number): Promise<readonly string[]> {
    const since = stack.dev.requests.last;
    jsonOf(await act(), status);
    return stack.dev.requests
      .list(since)
      .filter((call) => call.namespace === namespace)
      .map(({ verb, resource }) => `${verb} ${resource}`);
  }

  /** An update confirms its snapshot by a patch, last, where its watch takes longer than 200 ms; unit tests cover both. */
  function withoutConfirmation(calls: readonly string[]): readonly string[] {
    return calls.at(-1) === 'patch secrets' ? calls.slice(0, -1) : calls;
  }

  /** A Secret whose rules let developer A pass, and one for which the policy decides. */
  async function seeded(rules: 'own rules' | 'fallback') {
    const own = rules === 'own rules' ? { allowedGroups: ['team-a'] } : {};
    const secret = await secretsOf(stack.admin, namespace).create(freshName(), own);
    return {
      ...secret,
      path: secretsPath(namespace, secret.name),
      body: { resourceVersion: secret.resourceVersion },
    };
  }

  it.each([
    ['own rules', [READ]],
    ['fallback', [READ, POLICY]],
  ] as const)('read, %s: %j', async (rules, expected) => {
    const { path } = await seeded(rules);
    expect(await callsOf(() => stack.developerA.get(path), 200)).toEqual(expected);
    expect(await callsOf(() => stack.admin.get(path), 200)).toEqual([READ]);
  });

  it('a read of what is absent sends one request, and reads no policy', async () => {
    expect(await callsOf(() => stack.developerA.get(secretsPath(namespace, 'absent')), 404)).toEqual([READ]);
  });

  it('create: one write, and the policy except for admins', async () => {
    const create = (client: ApiClient) => () => client.post(secretsPath(namespace), { name: freshName() });
    expect(await callsOf(create(stack.developerA), 201)).toEqual([POLICY, 'create secrets']);
    expect(await callsOf(create(stack.admin), 201)).toEqual(['create secrets']);
  });

  it.each([
    ['own rules', [READ, 'create secrets', 'update secrets']],
    ['fallback', [READ, POLICY, 'create secrets', 'update secrets']],
  ] as const)('update, %s: %j', async (rules, expected) => {
    const { path, body } = await seeded(rules);
    const calls = await callsOf(() => stack.developerA.put(path, { ...body, data: { a: '2' } }), 200);
    expect(withoutConfirmation(calls)).toEqual(expected);
  });

  it('update over the limit: one delete more', async () => {
    const { url } = await stack.anotherService({ env: { SERVICE_HISTORY_LIMIT: '1' } });
    const client = await clientFor(url, ADMIN);
    const { name } = await seeded('own rules');
    const limited = secretsOf(client, namespace);
    const second = await limited.update(name);
    const body = { resourceVersion: second.resourceVersion };
    const calls = await callsOf(() => client.put(limited.path(name), body), 200);
    expect(withoutConfirmation(calls)).toEqual([READ, 'create secrets', 'delete secrets', 'update secrets']);
  });

  it('an update that is refused reads no more than its check needs', async () => {
    const { path, body } = await seeded('own rules');
    expect(await callsOf(() => stack.developerA.put(path, { resourceVersion: '0' }), 409)).toEqual([READ]);
    expect(await callsOf(() => stack.developerA.put(path, { ...body, data: { 'a b': '' } }), 400)).toEqual([
      READ,
    ]);
    expect(await callsOf(() => stack.developerB.put(path, body), 403)).toEqual([READ]);
    expect(await callsOf(() => stack.anonymous.put(path, body), 401)).toEqual([]);
    expect(await callsOf(() => stack.developerA.send('PUT', path, { body: '{' }), 415)).toEqual([READ]);
  });

  it('an attempt that finds its snapshot there reads it once, and confirms it with a call', async () => {
    const { name, path, body } = await seeded('own rules');
    const live = await stack.kube.getSecret(namespace, name);
    stack.dev.faults.add({
      match: { verb: 'update', name },
      times: 1,
      action: { type: 'status', status: 503 },
    });
    jsonOf(await stack.admin.put(path, body), 503);
    expect(await callsOf(() => stack.admin.put(path, body), 200)).toEqual([
      READ,
      'create secrets',
      READ,
      'update secrets',
      'patch secrets',
    ]);
    expect(
      await stack.kube.getSecret(namespace, snapshotNameOf(name, 1, live?.metadata.uid ?? '')),
    ).toBeDefined();
  });

  it('restore: the update, and one read of the version', async () => {
    const { name, path } = await seeded('own rules');
    const { resourceVersion } = await secretsOf(stack.admin, namespace).update(name);
    const restore = () => stack.developerA.post(`${path}/restore`, { resourceVersion, version: 1 });
    expect(withoutConfirmation(await callsOf(restore, 200))).toEqual([
      READ,
      READ,
      'create secrets',
      'update secrets',
    ]);
  });

  it('versions: one list, and the newest one for what changed since; a version: one read more', async () => {
    const { name, path } = await seeded('own rules');
    await secretsOf(stack.admin, namespace).update(name);
    const list = () => stack.developerA.get(`${path}/versions`);
    // What it compares is recorded once.
    expect(await callsOf(list, 200)).toEqual([READ, 'list secrets', READ, 'patch secrets']);
    expect(await callsOf(list, 200)).toEqual([READ, 'list secrets', READ]);
    expect(await callsOf(() => stack.developerA.get(`${path}/versions/1`), 200)).toEqual([READ, READ]);
  });

  it('delete with keepHistory: read, recheck, delete, confirm', async () => {
    const { path, resourceVersion } = await seeded('own rules');
    const remove = () =>
      stack.developerA.delete(`${path}?resourceVersion=${resourceVersion}&keepHistory=true`);
    expect(await callsOf(remove, 200)).toEqual([READ, READ, 'delete secrets', READ]);
  });

  it('list, live: one per page, and after them the policy except for admins', async () => {
    const crowded = await stack.namespace();
    const queue = Array.from({ length: 501 }, (_, index) => `s-${index}`).values();
    const work = async () => {
      for (const name of queue) await stack.kube.createSecret(crowded, nativeSecret(name));
    };
    await Promise.all(Array.from({ length: 16 }, work));
    const former = namespace;
    namespace = crowded;
    const live = { headers: { 'cache-control': 'no-cache' } };
    expect(await callsOf(() => stack.developerA.get(secretsPath(crowded), live), 200)).toEqual([
      'list secrets',
      'list secrets',
      POLICY,
    ]);
    expect(await callsOf(() => stack.admin.get(secretsPath(crowded), live), 200)).toEqual([
      'list secrets',
      'list secrets',
    ]);
    namespace = former;
  });

  it('list, from the cache: none, for the policy neither', async () => {
    for (const client of [stack.admin, stack.developerA]) {
      const list = async () => {
        const answer = await client.get(secretsPath(namespace));
        expect(answer.headers.get('x-list-source')).toBe('cache');
        return answer;
      };
      await eventually(list);
      expect(await callsOf(list, 200)).toEqual([]);
    }
  });

  it('a name outside a route sends no request', async () => {
    const { path } = await seeded('own rules');
    expect(await callsOf(() => stack.admin.get(secretsPath(namespace, 'Bad_Name')), 400)).toEqual([]);
    expect(secretOf(await stack.admin.get(path)).version).toBe(1);
  });
});
