import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { becomes, historyOf, loseLabels, shortNames } from '../replicas.ts';
import { openVictim, type Victim } from './victim.ts';

// The leading replica is killed after each of its calls to the cluster for each step of the reconciler. Everything must be
// as it was or as it should become, and the next leader finishes the work.

const ORPHANED_AT = 'service.io/history-orphaned-at';
const WRITES = ['patch', 'delete'];

let victim: Victim;
let namespace: string;
beforeAll(async () => {
  victim = await openVictim();
});
afterAll(() => victim.close());
beforeEach(async () => {
  namespace = await victim.fixture.namespace();
  await freeLease();
  const writer = await victim.fixture.replica({ SERVICE_HISTORY_LIMIT: '1000' });
  await writer.secrets(namespace).createWithHistory('a', 3);
  await writer.stop();
});

afterEach(() => {
  victim.fixture.dev.faults.clear();
});

const live = () => victim.fixture.kube.getSecret(namespace, 'a');
const history = () => historyOf(victim.fixture.kube, namespace);
const orphanedAtOf = ({ metadata }: ClusterObject) => metadata.annotations?.[ORPHANED_AT];
const isLabeled = ({ metadata }: ClusterObject) => metadata.labels?.['service.io/kind'] === 'history';

/** A leader that was killed holds its Lease for 15 seconds more. */
async function freeLease(): Promise<void> {
  const { url, adminToken } = victim.fixture.dev;
  const leases = `${url}/apis/coordination.k8s.io/v1/namespaces/default/leases`;
  const headers = { authorization: `Bearer ${adminToken}` };
  expect((await fetch(leases, { method: 'DELETE', headers })).status).toBe(200);
}

async function setOrphanedAt(value: string): Promise<void> {
  for (const { metadata } of await history())
    await victim.fixture.kube.patchSecret(namespace, metadata.name, {
      metadata: { annotations: { [ORPHANED_AT]: value } },
    });
}

interface StepCase {
  readonly env: Readonly<Record<string, string>>;
  /** What makes the step due, while no replica runs. */
  readonly prepare: () => Promise<unknown>;
  readonly calls: readonly string[];
  /** How many of the three snapshots the step is done for. */
  readonly done: (objects: readonly ClusterObject[]) => number;
}

const deleteLive = () => victim.fixture.kube.deleteSecret(namespace, 'a');
const LONG_AGO = '2020-01-01T00:00:00.000Z';

const STEPS: Readonly<Record<string, StepCase>> = {
  relabel: {
    env: {},
    prepare: async () => {
      for (const { metadata } of await history())
        await loseLabels(victim.fixture.kube, namespace, metadata.name);
    },
    calls: ['patch', 'patch', 'patch'],
    done: (objects) => objects.filter(isLabeled).length,
  },
  prune: {
    env: { SERVICE_HISTORY_LIMIT: '1' },
    prepare: () => Promise.resolve(),
    calls: ['get', 'delete', 'delete'],
    done: (objects) => 3 - objects.length,
  },
  annotateOrphan: {
    env: { SERVICE_HISTORY_ORPHAN_TTL: '30d' },
    prepare: deleteLive,
    calls: ['get', 'patch', 'patch', 'patch'],
    done: (objects) => objects.filter((object) => orphanedAtOf(object) !== undefined).length,
  },
  clearOrphan: {
    env: { SERVICE_HISTORY_ORPHAN_TTL: '30d' },
    prepare: () => setOrphanedAt(LONG_AGO),
    calls: ['get', 'patch', 'patch', 'patch'],
    done: (objects) => objects.filter((object) => orphanedAtOf(object) === undefined).length,
  },
  removeOrphan: {
    env: { SERVICE_HISTORY_ORPHAN_TTL: '1h' },
    prepare: async () => {
      await setOrphanedAt(LONG_AGO);
      await deleteLive();
    },
    calls: ['get', 'delete', 'delete', 'delete'],
    done: (objects) => 3 - objects.length,
  },
};

describe.each(Object.entries(STEPS))('%s', (_step, { env, prepare, calls, done }) => {
  const effects = (count: number) => calls.slice(0, count).filter((verb) => WRITES.includes(verb)).length;

  it.each(calls.map((verb, index) => [index + 1, verb] as const))(
    'killed after call %i (%s): nothing else has changed, and the next leader finishes',
    async (count) => {
      await prepare();
      const [liveBefore, before] = [await live(), await history()];
      expect(done(before)).toBe(0);
      expect(await victim.crash(namespace, count, () => victim.start(env))).toEqual(calls.slice(0, count));
      expect(await live()).toEqual(liveBefore);
      const after = await history();
      expect(done(after)).toBe(effects(count));
      // Where snapshots go, the oldest went first.
      expect(shortNames(after)).toEqual(shortNames(before).slice(before.length - after.length));

      await freeLease();
      const next = await victim.fixture.replica(env);
      await becomes(async () => done(await history()), effects(calls.length));
      await next.stop();
      expect(await live()).toEqual(liveBefore);
      for (const { metadata, data } of await history())
        expect(data).toEqual(before.find((object) => object.metadata.uid === metadata.uid)?.data);
      // What was done before the kill was not done again.
      for (const object of after)
        if (orphanedAtOf(object) !== undefined && orphanedAtOf(object) !== LONG_AGO)
          expect((await history()).map(orphanedAtOf)).toContain(orphanedAtOf(object));
    },
  );
});
