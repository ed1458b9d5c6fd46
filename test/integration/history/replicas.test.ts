import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snapshotName } from '../../../src/history/snapshot/snapshot.ts';
import { freePort } from '../../harness/free-port.ts';
import { startInProcessStack } from '../../harness/in-process-stack.ts';
import { ADMIN } from '../../harness/api-client.ts';
import { withInstalledRights } from '../../harness/installed-rights.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { becomes, loseLabels, historyOf, openReplicas, type Replicas, type Replica } from '../replicas.ts';

const LEADS = 'service_leader 1';
const leads = async (replica: Replica) => (await replica.metrics()).includes(LEADS);

describe('two replicas', () => {
  let fixture: Replicas;
  beforeAll(async () => {
    fixture = await openReplicas();
  });
  afterAll(() => fixture.close());

  it('share one Lease: one leads, and when it stops the other takes over at once', async () => {
    const first = await fixture.replica();
    await becomes(() => leads(first), true);
    const second = await fixture.replica();
    await becomes(
      async () => (await second.metrics()).some((line) => line.includes('reason="start"} 1')),
      true,
    );
    expect([await leads(first), await leads(second)]).toEqual([true, false]);
    await first.stop();
    // Given up, not run out: that would take 15 seconds.
    await becomes(() => leads(second), true, 12_000);
    const [lease] = leaseRequests(fixture);
    expect(lease).toMatchObject({ namespace: 'default', resource: 'leases' });
  });

  it('contend for different Leases when they look after different namespaces', async () => {
    const [one, other] = [await fixture.namespace(), await fixture.namespace()];
    const before = fixture.dev.requests.last;
    const first = await fixture.replica({ SERVICE_NAMESPACES: one });
    const second = await fixture.replica({ SERVICE_NAMESPACES: other });
    await becomes(async () => [await leads(first), await leads(second)], [true, true]);
    const places = new Set(leaseRequests(fixture, before).map(({ namespace }) => namespace));
    expect([one, other].every((namespace) => places.has(namespace))).toBe(true);
    const watched = () =>
      new Set(
        fixture.dev.requests
          .list(before)
          .filter(({ verb }) => verb === 'watch')
          .map(({ namespace }) => namespace),
      );
    // A replica may lead before its watches are open.
    await becomes(watched, new Set([one, other]));
  });
});

function leaseRequests({ dev }: Replicas, after = 0) {
  return dev.requests.list(after).filter(({ resource }) => resource === 'leases');
}

describe('a cluster that cannot be reached at start', () => {
  it('leaves the service live, and is followed once it is there', async () => {
    const port = await freePort();
    const elsewhere = await openReplicas();
    const kubeconfig = elsewhere.dev.kubeconfig().replaceAll(elsewhere.dev.url, `http://127.0.0.1:${port}`);
    const replica = await elsewhere.replica({}, kubeconfig);
    expect(await replica.answers('livez')).toBe(true);
    expect(await replica.answers('readyz')).toBe(false);
    const fixture = await openReplicas({ port });
    try {
      await becomes(() => leads(replica), true, 40_000);
      const namespace = await fixture.namespace();
      await replica.secrets(namespace).createWithHistory('a', 1);
      const [snapshot] = await historyOf(fixture.kube, namespace);
      await loseLabels(fixture.kube, namespace, snapshot?.metadata.name ?? '');
      await becomes(
        async () => (await historyOf(fixture.kube, namespace))[0]?.metadata.labels,
        snapshot?.metadata.labels,
        40_000,
      );
    } finally {
      await elsewhere.close();
      await fixture.close();
    }
  });
});

describe('the rights of the service account', () => {
  it('are enough for the reconciler; a missing one is one clear line and a metric, and the API goes on', async () => {
    const fixture = await openReplicas();
    try {
      // The caches are forbidden, too, and say so themselves.
      const env = { SERVICE_LIST_CACHE: 'false' };
      const replica = await fixture.replica(env, await withInstalledRights(fixture.dev, fixture.dev.url));
      const namespace = await fixture.namespace();
      const secrets = replica.secrets(namespace);
      await secrets.createWithHistory('a', 1);
      const [snapshot] = await historyOf(fixture.kube, namespace);
      await loseLabels(fixture.kube, namespace, snapshot?.metadata.name ?? '');
      await becomes(
        async () => (await historyOf(fixture.kube, namespace))[0]?.metadata.labels,
        snapshot?.metadata.labels,
      );
      fixture.dev.faults.add({ match: { verb: ['list', 'watch'] }, action: { type: 'status', status: 403 } });
      fixture.dev.faults.add({ match: { verb: 'watch' }, times: 1, action: { type: 'endWatch' } });
      const missing = 'service_watch_rights_missing{informer="secrets"} 1';
      await becomes(async () => (await replica.metrics()).includes(missing), true);
      const lines = replica
        .logLines()
        .filter(({ event }) => String(event).startsWith('missing RBAC permission'));
      expect(lines).toEqual([
        expect.objectContaining({
          level: 'warn',
          resource: 'secrets',
          reason: 'rbacForbidden:watch:secrets',
        }),
      ]);
      expect((await secrets.read('a')).version).toBe(2);
    } finally {
      await fixture.close();
    }
  });
});

describe('a replica that may not use the Lease', () => {
  it('says so once, leaves the history alone, and leads as soon as it may', async () => {
    const fixture = await openReplicas();
    try {
      const status = { type: 'status', status: 403 } as const;
      const fault = fixture.dev.faults.add({ match: { resource: 'leases' }, action: status });
      const replica = await fixture.replica();
      const namespace = await fixture.namespace();
      await replica.secrets(namespace).createWithHistory('a', 1);
      const history = () => historyOf(fixture.kube, namespace);
      const [snapshot] = await history();
      await loseLabels(fixture.kube, namespace, snapshot?.metadata.name ?? '');
      const { last } = fixture.dev.requests;
      await becomes(() => fault.hits >= 2, true);
      expect(await leads(replica)).toBe(false);
      fault.remove();
      await becomes(() => leads(replica), true, 30_000);
      await becomes(async () => (await history())[0]?.metadata.labels, snapshot?.metadata.labels);
      const [first] = fixture.dev.requests
        .list(last)
        .filter(({ verb, resource }) => verb === (resource === 'leases' ? 'create' : 'patch'));
      expect(first).toMatchObject({ resource: 'leases' });
      const lines = replica
        .logLines()
        .filter(({ event }) => String(event).startsWith('cannot acquire lease'));
      expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
      expect(lines[0]).toMatchObject({ level: 'warn', reason: 'rbacForbidden:get:leases' });
    } finally {
      await fixture.close();
    }
  });
});

describe('everything that the reconciler requests', () => {
  it('is metadata: no value of a Secret crosses the wire', async () => {
    const stack = await startInProcessStack({
      env: { SERVICE_HISTORY_LIMIT: '1', SERVICE_LIST_CACHE: 'false' },
    });
    try {
      const namespace = await stack.namespace();
      await secretsOf(await stack.client(ADMIN), namespace).createWithHistory('a', 1);
      const [first] = await stack.kube.listSecrets(namespace, 'service.io/kind=history');
      const { labels, annotations = {} } = first?.metadata ?? {};
      const name = snapshotName('a', 2, annotations['service.io/history-uid'] ?? '');
      stack.between.forget();
      const second = { name, labels, annotations: { ...annotations, 'service.io/history-version': '2' } };
      await stack.kube.createSecret(namespace, { ...first, metadata: second });
      const history = () => stack.kube.listSecrets(namespace, 'service.io/kind=history');
      await becomes(async () => (await history()).map(({ metadata }) => metadata.name), [name]);
      await loseLabels(stack.kube, namespace, name);
      await becomes(async () => (await history()).map(({ metadata }) => metadata.name), [name]);
      const own = stack.between.passed.filter(({ path }) => path.includes('secrets'));
      expect(new Set(own.map(({ method }) => method))).toEqual(new Set(['GET', 'DELETE', 'PATCH']));
      expect(own.filter(({ accept }) => !accept.includes('as=PartialObjectMetadata'))).toEqual([]);
      expect(own.filter(({ accept }) => accept.includes(','))).toEqual([]);
    } finally {
      await stack.close();
    }
  });
});
