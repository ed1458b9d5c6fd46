import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterObject } from '../../harness/kube-client.ts';
import {
  becomes,
  loseLabels,
  shortNames,
  historyOf,
  openReplicas,
  type Replicas,
  type Replica,
} from '../replicas.ts';

let fixture: Replicas;
let namespace: string;
beforeAll(async () => {
  fixture = await openReplicas();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.dev.faults.clear();
  namespace = await fixture.namespace();
});

const names = async () => shortNames(await historyOf(fixture.kube, namespace));

async function withReplica(
  env: Readonly<Record<string, string>>,
  use: (replica: Replica) => Promise<void>,
): Promise<void> {
  const replica = await fixture.replica(env);
  try {
    await use(replica);
  } finally {
    await replica.stop();
  }
}

/** Everything but what every write changes. */
const essence = ({ metadata: { resourceVersion: _revision, ...metadata }, ...rest }: ClusterObject) => {
  const { managedFields: _fields, ...kept } = metadata as typeof metadata & { managedFields?: unknown };
  return { ...rest, metadata: kept };
};

describe('a lost label', () => {
  it('is put back, and nothing else changes', async () => {
    await withReplica({}, async (replica) => {
      const secrets = replica.secrets(namespace);
      await secrets.createWithHistory('a', 2);
      const before = await historyOf(fixture.kube, namespace);
      for (const { metadata } of before) await loseLabels(fixture.kube, namespace, metadata.name);
      await becomes(async () => (await historyOf(fixture.kube, namespace)).map(essence), before.map(essence));
      expect(await secrets.versions('a')).toEqual([2, 1]);
    });
  });

  it('is put back when it was lost while no replica ran', async () => {
    await withReplica({}, async (replica) => {
      await replica.secrets(namespace).createWithHistory('a', 1);
    });
    const [before] = await historyOf(fixture.kube, namespace);
    await loseLabels(fixture.kube, namespace, before?.metadata.name ?? '');
    await withReplica({}, async () => {
      await becomes(
        async () => (await historyOf(fixture.kube, namespace))[0]?.metadata.labels,
        before?.metadata.labels,
      );
    });
  });
});

describe('retention', () => {
  it('follows a lowered limit without any write by a user', async () => {
    await withReplica({}, async (replica) => {
      const secrets = replica.secrets(namespace);
      await secrets.createWithHistory('a', 6);
      await secrets.createWithHistory('b', 2);
    });
    await withReplica({ SERVICE_HISTORY_LIMIT: '3' }, async (replica) => {
      await becomes(names, ['a.v4', 'a.v5', 'a.v6', 'b.v1', 'b.v2']);
      expect(await replica.metrics()).toContain('service_history_steps_total{step="prune"} 3');
    });
  });

  it('leaves the history of a terminating Secret alone until it is gone', async () => {
    await withReplica({}, async (replica) => {
      await replica.secrets(namespace).createWithHistory('a', 3);
    });
    await fixture.kube.patchSecret(namespace, 'a', { metadata: { finalizers: ['example.com/hold'] } });
    await fixture.kube.deleteSecret(namespace, 'a');
    await withReplica({ SERVICE_HISTORY_LIMIT: '1', SERVICE_HISTORY_ORPHAN_TTL: '1ms' }, async (replica) => {
      await proveItWorks(replica);
      expect(await names()).toEqual(['a.v1', 'a.v2', 'a.v3', 'probe.v1']);
      await fixture.kube.patchSecret(namespace, 'a', { metadata: { finalizers: null } });
      await becomes(names, ['probe.v1']);
    });
  });
});

describe('orphans', () => {
  it('stay as they are for ever when there is no time to live', async () => {
    await withReplica({}, async (replica) => {
      const secrets = replica.secrets(namespace);
      await secrets.createWithHistory('a', 2);
      const before = await historyOf(fixture.kube, namespace);
      await fixture.kube.deleteSecret(namespace, 'a');
      await proveItWorks(replica);
      const after = await historyOf(fixture.kube, namespace);
      expect(after.filter(({ metadata }) => metadata.name.startsWith('a.'))).toEqual(before);
    });
  });

  it('are removed when their time to live is over, and not those of Secrets that live', async () => {
    await withReplica({ SERVICE_HISTORY_ORPHAN_TTL: '4s' }, async (replica) => {
      const secrets = replica.secrets(namespace);
      const { resourceVersion } = await secrets.createWithHistory('a', 2);
      await secrets.createWithHistory('b', 1);
      const path = secrets.deletePath('a', resourceVersion, '&keepHistory=true');
      expect((await replica.admin.delete(path)).json).toMatchObject({ history: 'retained' });
      await becomes(
        async () =>
          (await historyOf(fixture.kube, namespace)).filter(
            ({ metadata }) => metadata.annotations?.['service.io/history-orphaned-at'] !== undefined,
          ).length,
        2,
      );
      await becomes(names, ['b.v1']);
    });
  });

  it('are removed, too, if one of them has no space for the annotation', async () => {
    await withReplica({ SERVICE_HISTORY_ORPHAN_TTL: '1s' }, async (replica) => {
      await replica.secrets(namespace).createWithHistory('a', 2);
      const [first] = await historyOf(fixture.kube, namespace);
      const { annotations = {}, ...metadata } = first?.metadata ?? { name: '', annotations: {} };
      const taken = Object.entries(annotations).reduce(
        (sum, [key, text]) => sum + key.length + text.length,
        0,
      );
      await fixture.kube.deleteSecret(namespace, metadata.name);
      const note = 'n'.repeat(256 * 1024 - taken - 'note'.length - 20);
      await fixture.kube.createSecret(namespace, {
        ...first,
        metadata: {
          name: metadata.name,
          labels: first?.metadata.labels,
          annotations: { ...annotations, note },
        },
      });
      await fixture.kube.deleteSecret(namespace, 'a');
      await becomes(names, []);
      const failed = replica.logLines().filter(({ event }) => event === 'cannot reconcile history object');
      expect(failed).toMatchObject([{ namespace, name: metadata.name, step: 'annotateOrphan' }]);
    });
  });

  it('of a name that was created again go, and the new history stays', async () => {
    await withReplica({ SERVICE_HISTORY_ORPHAN_TTL: '1s' }, async (replica) => {
      const secrets = replica.secrets(namespace);
      await secrets.createWithHistory('a', 3);
      await fixture.kube.deleteSecret(namespace, 'a');
      await secrets.createWithHistory('a', 1);
      await becomes(names, ['a.v1']);
      expect(await secrets.versions('a')).toEqual([1]);
    });
  });
});

describe('an inconsistent object', () => {
  it('is reported once, counted, and never touched', async () => {
    await withReplica({ SERVICE_HISTORY_LIMIT: '1', SERVICE_HISTORY_ORPHAN_TTL: '1ms' }, async (replica) => {
      const secrets = replica.secrets(namespace);
      await secrets.createWithHistory('a', 1);
      const [snapshot] = await historyOf(fixture.kube, namespace);
      const copy = await fixture.kube.createSecret(namespace, {
        ...snapshot,
        metadata: {
          name: 'a-copy',
          labels: snapshot?.metadata.labels,
          annotations: snapshot?.metadata.annotations,
        },
      });
      const reports = () => replica.logLines().filter(({ event }) => event === 'inconsistent history object');
      await becomes(() => reports().length, 1);
      expect(reports()[0]).toMatchObject({ namespace, name: 'a-copy', problem: 'nameDisagrees' });
      await proveItWorks(replica);
      expect(reports()).toHaveLength(1);
      expect(await fixture.kube.getSecret(namespace, 'a-copy')).toEqual(copy);
      expect(await replica.metrics()).toContain('service_history_snapshots{state="inconsistent"} 1');
      await fixture.kube.deleteSecret(namespace, 'a-copy');
    });
  });
});

const WATCH_OF_SECRETS = { verb: 'watch', path: '^/api/v1/secrets' };

describe('a watch that goes wrong', () => {
  it.each([
    [
      'ends at once',
      () => fixture.dev.faults.add({ match: WATCH_OF_SECRETS, times: 2, action: { type: 'endWatch' } }),
    ],
    [
      'is cut',
      () =>
        fixture.dev.faults.add({
          match: WATCH_OF_SECRETS,
          times: 1,
          action: { type: 'endWatch', abrupt: true },
        }),
    ],
    [
      'cannot go on from its revision',
      () => fixture.dev.faults.add({ match: WATCH_OF_SECRETS, times: 1, action: { type: 'gone' } }),
    ],
    [
      'cannot be opened again for a while',
      () => {
        fixture.dev.faults.add({
          match: WATCH_OF_SECRETS,
          times: 2,
          action: { type: 'status', status: 503 },
        });
        fixture.dev.faults.add({ match: WATCH_OF_SECRETS, times: 1, action: { type: 'endWatch' } });
      },
    ],
    [
      'has to list again, and the list expires, too',
      () => {
        fixture.dev.faults.add({
          match: { verb: 'list', path: '^/api/v1/secrets' },
          times: 1,
          action: { type: 'gone' },
        });
        fixture.dev.faults.add({ match: WATCH_OF_SECRETS, times: 1, action: { type: 'gone' } });
      },
    ],
  ])('misses nothing when it %s', async (_what, disturb) => {
    await withReplica({}, async (replica) => {
      await proveItWorks(replica);
      disturb();
      await proveItWorks(replica, 'after');
    });
  });
});

/** Something to be put right, to see that everything before it has been looked at. */
async function proveItWorks(replica: Replica, name = 'probe'): Promise<void> {
  await replica.secrets(namespace).createWithHistory(name, 1);
  const [probe] = (await historyOf(fixture.kube, namespace)).filter(({ metadata }) =>
    metadata.name.startsWith(`${name}.`),
  );
  await loseLabels(fixture.kube, namespace, probe?.metadata.name ?? '');
  await becomes(
    async () => (await fixture.kube.getSecret(namespace, probe?.metadata.name ?? ''))?.metadata.labels,
    probe?.metadata.labels,
  );
}
