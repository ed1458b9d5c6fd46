import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFor, DEVELOPER_A } from '../../harness/api-client.ts';
import { errorOf, listOf, secretOf } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { withInstalledRights } from '../../harness/installed-rights.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { becomes, type Replica, type Replicas } from '../replicas.ts';
import { openCacheReplicas } from './fixture.ts';

let fixture: Replicas;

beforeAll(async () => {
  fixture = await openCacheReplicas();
});
afterAll(() => fixture.close());

const sourceOf = async ({ admin }: Replica, namespace: string) =>
  (await admin.get(secretsPath(namespace))).headers.get('x-list-source');
const listsBecome = (replica: Replica, namespace: string, source: string) =>
  becomes(() => sourceOf(replica, namespace), source, 40_000);

describe('a list', () => {
  it('says where it came from and how old it is, and is never stored', async () => {
    const replica = await fixture.replica();
    const namespace = await fixture.namespace();
    await listsBecome(replica, namespace, 'cache');
    const cached = await replica.admin.get(secretsPath(namespace));
    expect(cached.headers.get('age')).toMatch(/^[01]$/);
    expect(cached.headers.get('cache-control')).toBe('no-store');
    expect(cached.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const live = await replica.admin.get(secretsPath(namespace), {
      headers: { 'cache-control': 'no-cache' },
    });
    expect(live.headers.get('x-list-source')).toBe('live');
    expect(live.headers.has('age')).toBe(false);
    expect(live.text).toBe(cached.text);
  });

  it('shows what this replica has just created, changed and deleted, and every other soon', async () => {
    const [one, other] = [await fixture.replica(), await fixture.replica()];
    const namespace = await fixture.namespace();
    const path = secretsPath(namespace);
    const revisions = async ({ admin }: Replica) =>
      listOf(await admin.get(path)).secrets.map(({ name, resourceVersion }) => `${name}@${resourceVersion}`);
    for (let round = 0; round < 20; round++) {
      const created = secretOf(await one.admin.post(path, { name: 'a', data: { key: '1' } }), 201);
      expect(await revisions(one)).toEqual([`a@${created.resourceVersion}`]);
      const { resourceVersion } = created;
      const changed = secretOf(await one.admin.put(`${path}/a`, { resourceVersion, description: 'x' }));
      expect(await revisions(one)).toEqual([`a@${changed.resourceVersion}`]);
      const soon = async () => (await revisions(other)).includes(`a@${changed.resourceVersion}`);
      await becomes(soon, true, 5_000);
      expect((await one.admin.delete(`${path}/a?resourceVersion=${changed.resourceVersion}`)).status).toBe(
        200,
      );
      expect(await revisions(one)).toEqual([]);
    }
    expect(await one.metrics()).toContainEqual(
      expect.stringMatching(/^service_list_answers_total\{source="cache",reason=""\} [1-9]/),
    );
  });

  it('goes live after a write of unknown outcome', async () => {
    const replica = await fixture.replica();
    const namespace = await fixture.namespace();
    await listsBecome(replica, namespace, 'cache');
    const match = { verb: 'create', resource: 'secrets', namespace };
    const fault = fixture.dev.faults.add({ match, action: { type: 'cut', when: 'after' }, times: 1 });
    errorOf(await replica.admin.post(secretsPath(namespace), { name: 'maybe' }), 503);
    fault.remove();
    const list = await replica.admin.get(secretsPath(namespace));
    expect(list.headers.get('x-list-source')).toBe('live');
    expect(listOf(list).secrets.map(({ name }) => name)).toEqual(['maybe']);
    expect(await replica.metrics()).toContain(
      'service_list_answers_total{source="live",reason="uncertain"} 1',
    );
  });

  it('by the rules of a policy that was changed outside the service follows them, and 503 when they are broken', async () => {
    const replica = await fixture.replica();
    const namespace = await fixture.namespace();
    await fixture.kube.createSecret(namespace, nativeSecret('a', { key: 'value' }));
    const developer = await clientFor(replica.url, DEVELOPER_A);
    expect(listOf(await listBothWays(developer, namespace)).secrets).toHaveLength(1);
    await fixture.kube.setPolicy(namespace, { allowedGroups: '["team-b"]' });
    expect(listOf(await listBothWays(developer, namespace)).secrets).toEqual([]);
    await fixture.kube.setPolicy(namespace, { allowedGroups: 'broken' });
    errorOf(await listBothWays(developer, namespace), 503);
    await fixture.kube.removePolicy(namespace);
    expect(listOf(await listBothWays(developer, namespace)).secrets).toHaveLength(1);
  });

  it('is live while the watch is silent, and from the cache again afterwards', async () => {
    const replica = await fixture.replica();
    const namespace = await fixture.namespace();
    await listsBecome(replica, namespace, 'cache');
    const match = { verb: 'watch', path: '^/api/v1/secrets' };
    const fault = fixture.dev.faults.add({ match, action: { type: 'silenceWatch' } });
    await listsBecome(replica, namespace, 'live');
    expect(await replica.metrics()).toContainEqual(expect.stringContaining('source="live",reason="silent"'));
    fault.remove();
    await listsBecome(replica, namespace, 'cache');
  });
});

describe('a search, and what expires', () => {
  it('never leave out the first Secret of a namespace that this replica has just written', async () => {
    const replica = await fixture.replica();
    const namespace = await fixture.namespace();
    await listsBecome(replica, namespace, 'cache');
    const paths = [`/api/search?q=${namespace}`, '/api/expiring?days=30'];
    const answers = () => Promise.all(paths.map((path) => replica.admin.get(path)));
    const match = { verb: 'watch', path: '^/api/v1/secrets' };
    const fault = fixture.dev.faults.add({ match, action: { type: 'silenceWatch' } });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const draft = { name: 'first', data: { key: 'value' }, expiresAt };
    secretOf(await replica.admin.post(secretsPath(namespace), draft), 201);
    for (const answer of await answers()) errorOf(answer, 503);
    fault.remove();
    const found = async () =>
      (await answers()).map(({ status, text }) => status === 200 && text.includes(`"${namespace}"`));
    await becomes(found, [true, true], 40_000);
  });
});

describe('the service', () => {
  it('follows the namespaces of its scope one by one, without rights beyond them', async () => {
    const [one, two, outside] = [
      await fixture.namespace(),
      await fixture.namespace(),
      await fixture.namespace(),
    ];
    const replica = await fixture.replica({ SERVICE_NAMESPACES: `${one},${two}` });
    for (const namespace of [one, two]) {
      await fixture.kube.createSecret(namespace, nativeSecret('a', { key: namespace }));
      await listsBecome(replica, namespace, 'cache');
      expect(listOf(await listBothWays(replica.admin, namespace)).secrets).toHaveLength(1);
    }
    errorOf(await replica.admin.get(secretsPath(outside)), 403);
    expect(await replica.metrics()).toContain('service_cache_objects{cache="secrets"} 2');
  });

  it('of the whole cluster is sent nothing of the system namespaces', async () => {
    const system = ['kube-system', 'kube-public', 'kube-node-lease'];
    for (const namespace of system)
      await fixture.kube.createSecret(namespace, nativeSecret('a', { key: namespace }));
    const begun = fixture.dev.requests.last;
    const replica = await fixture.replica({ SERVICE_NAMESPACES: '*', LOG_LEVEL: 'debug' });
    const namespace = await fixture.namespace();
    await fixture.kube.createSecret(namespace, nativeSecret('a', { key: namespace }));
    await listsBecome(replica, namespace, 'cache');
    for (const one of system) {
      await fixture.kube.patchSecret(one, 'a', { metadata: { labels: { seen: 'later' } } });
      errorOf(await replica.admin.get(secretsPath(one)), 403);
    }
    const cluster = replica.logLines().filter(({ event }) => event === 'cluster request');
    expect(cluster).not.toEqual([]);
    expect(cluster.filter((line) => system.includes(String(line['namespace'])))).toEqual([]);
    const wide = fixture.dev.requests
      .list(begun)
      .filter(({ namespace: of, resource }) => of === '' && ['secrets', 'configmaps'].includes(resource))
      .map(({ query }) => new URLSearchParams(query).get('fieldSelector') ?? '');
    // One watch of Secrets, for lists and for history, and one of policies.
    expect(wide.length).toBeGreaterThanOrEqual(2);
    for (const selector of wide) {
      for (const one of system) expect(selector.split(',')).toContain(`metadata.namespace!=${one}`);
    }
  });

  it('is ready without the right to watch, says so once, lists live, and uses the right once it is granted', async () => {
    const kubeconfig = await withInstalledRights(fixture.dev, fixture.dev.url);
    const denied = fixture.dev.faults.add({
      match: { verb: 'watch', path: '^/api/v1/secrets' },
      action: { type: 'status', status: 403 },
    });
    const replica = await fixture.replica({}, kubeconfig);
    const namespace = await fixture.namespace();
    await becomes(() => replica.answers('readyz'), true);
    await becomes(() => rightsMissing(replica), '1');
    expect(await sourceOf(replica, namespace)).toBe('live');
    const lines = () =>
      replica.logLines().filter(({ event }) => String(event).startsWith('missing RBAC permission'));
    expect(lines()).toHaveLength(1);
    denied.remove();
    await listsBecome(replica, namespace, 'cache');
    expect(lines()).toHaveLength(1);
    expect(await rightsMissing(replica)).toBe('0');
  });

  it('starts while the cluster cannot be reached, is live and not ready, and goes on trying', async () => {
    const down = fixture.dev.faults.add({ action: { type: 'cut' } });
    const replica = await fixture.replica();
    const readyz = await fetch(`${replica.opsUrl}/readyz`);
    expect(readyz.status).toBe(503);
    expect(await readyz.text()).toMatch(/caches/);
    expect(await replica.answers('livez')).toBe(true);
    down.remove();
    await becomes(() => replica.answers('readyz'), true, 40_000);
    await listsBecome(replica, await fixture.namespace(), 'cache');
  });
});

const rightsMissing = async (replica: Replica): Promise<string | undefined> =>
  /service_watch_rights_missing\{informer="secrets"\} (\d+)/.exec((await replica.metrics()).join('\n'))?.[1];
