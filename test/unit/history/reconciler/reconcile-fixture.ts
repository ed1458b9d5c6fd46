import { ServiceError } from '../../../../src/errors/service-error.ts';
import type { StoredSecret } from '../../../../src/kube/secret.ts';
import type { SecretMetadataStore } from '../../../../src/history/reconciler/ports.ts';
import {
  createHistoryReconcile,
  type ReconcileOutcome,
  type ReconcilerDependencies,
} from '../../../../src/history/reconciler/reconcile.ts';
import { keyOf, toIndexed, type IndexedSecret } from '../../../../src/history/reconciler/indexed-secret.ts';
import { snapshotDraft } from '../../../../src/history/snapshot/snapshot.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { createFakeCluster, type FakeCluster } from '../../../fakes/fake-cluster.ts';
import { createFakeMetadataStore } from '../../../fakes/fake-metadata-store.ts';
import { metadataOf } from '../../../fakes/fake-objects.ts';
import { codec } from '../../../fakes/annotations.ts';

export interface ReconcileFixture {
  readonly cluster: FakeCluster;
  readonly live: StoredSecret;
  /** Archives earlier revisions as these versions; the higher the version, the later. */
  archive(...versions: number[]): void;
  /** Names of the snapshots that are there. */
  snapshots(): readonly string[];
  /** Brings the watch's view up to date, but for the object of this name. */
  observe(overlooked?: string): void;
  run(): Promise<ReconcileOutcome>;
  /** Writes and live reads that reached the store, as `verb name`. */
  readonly calls: string[];
  /** The calls of the observer. */
  readonly observed: string[];
  /** Fails the next write to this object. */
  failNext(code: ServiceError['code']): void;
  /** Moves the wall clock. */
  pass(ms: number): void;
  /** Whether the cluster's time is available yet. */
  setTimeKnown(known: boolean): void;
  /** How long the replica may still act. */
  authority: { remainingMs: number };
}

export function reconcileFixture(
  rules: Partial<Pick<ReconcilerDependencies, 'limit' | 'orphanTtlMs'>> = {},
): ReconcileFixture {
  const cluster = createFakeCluster();
  const live = seedLive(cluster);
  const calls: string[] = [];
  const observed: string[] = [];
  const authority = { remainingMs: 10_000 };
  let now = Date.parse('2026-06-01T00:00:00Z');
  let timeKnown = true;
  let known: readonly IndexedSecret[] = [];
  let failure: ServiceError | undefined;
  const reconcile = createHistoryReconcile({
    codec,
    limit: 3,
    orphanTtlMs: undefined,
    ...rules,
    indexed: (key) => known.filter((one) => keyOf(one) === key),
    store: recordingStore(cluster, calls, () => {
      const thrown = failure;
      failure = undefined;
      return thrown;
    }),
    remainingMs: () => authority.remainingMs,
    observer: {
      inconsistent: (object, violation) => void observed.push(`${object.name}: ${violation}`),
      stepDone: (step, object) => void observed.push(`${step} ${object.name}`),
    },
    clusterNow: () => (timeKnown ? now : undefined),
  });
  const fixture: ReconcileFixture = {
    cluster,
    live,
    archive: (...versions) => {
      for (const version of versions)
        cluster.seed(snapshotDraft({ ...live, resourceVersion: String(version) }, version, codec));
      fixture.observe();
    },
    snapshots: () => snapshotsOf(cluster),
    observe: (overlooked) => {
      const seen = cluster.all().filter(({ name }) => name !== overlooked);
      known = seen.map((secret) => toIndexed(metadataOf(secret)));
    },
    run: () => reconcile(`team-a/${live.uid}`, unhurriedCall()),
    calls,
    observed,
    failNext: (code) => {
      failure = new ServiceError(code, 'the test says so');
    },
    pass: (ms) => {
      now += ms;
    },
    setTimeKnown: (isKnown) => {
      timeKnown = isKnown;
    },
    authority,
  };
  fixture.observe();
  return fixture;
}

function seedLive(cluster: FakeCluster): StoredSecret {
  cluster.seed({ namespace: 'team-a', name: 'db', data: { key: 'value' } });
  const live = cluster.peek({ namespace: 'team-a', name: 'db' });
  if (live === undefined) throw new Error('the live Secret was not seeded');
  return live;
}

function snapshotsOf(cluster: FakeCluster): readonly string[] {
  return cluster
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== 'db')
    .sort();
}

function recordingStore(
  cluster: FakeCluster,
  calls: string[],
  failure: () => ServiceError | undefined,
): SecretMetadataStore {
  const store = createFakeMetadataStore(cluster);
  const write = (entry: string): void => {
    calls.push(entry);
    const thrown = failure();
    if (thrown !== undefined) throw thrown;
  };
  return {
    read: (ref, deadline) => {
      calls.push(`read ${ref.name}`);
      return store.read(ref, deadline);
    },
    patchMetadata: async (ref, preconditions, change, deadline) => {
      write(`patchMetadata ${ref.name}`);
      return store.patchMetadata(ref, preconditions, change, deadline);
    },
    delete: async (ref, preconditions, deadline) => {
      write(`delete ${ref.name}`);
      await store.delete(ref, preconditions, deadline);
    },
  };
}
