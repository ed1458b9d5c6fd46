import { ServiceError } from '../../../../src/errors/service-error.ts';
import type { StoredSecret } from '../../../../src/history/ports.ts';
import type { SecretMetadata, SecretMetadataStore } from '../../../../src/history/reconciler/ports.ts';
import {
  createHistoryReconcile,
  type ReconcileOutcome,
  type ReconcilerDependencies,
} from '../../../../src/history/reconciler/reconcile.ts';
import { keyOf, track, type Tracked } from '../../../../src/history/reconciler/tracked.ts';
import { snapshotDraft } from '../../../../src/history/snapshot.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { createFakeCluster, type FakeCluster } from '../../../fakes/fake-cluster.ts';
import { NAMES } from './history-objects.ts';

export interface ReconcileGround {
  readonly cluster: FakeCluster;
  readonly live: StoredSecret;
  /** Archives the live state as these versions. */
  archive(...versions: number[]): void;
  /** Names of the snapshots that are there. */
  snapshots(): readonly string[];
  /** Brings what the watch knows up to date, but for the object of this name. */
  observe(overlooked?: string): void;
  run(): Promise<ReconcileOutcome>;
  /** Writes and live reads that reached the store, as `verb name`. */
  readonly calls: string[];
  /** What the observer was told. */
  readonly told: string[];
  /** Fails the next write to this object. */
  failNext(code: ServiceError['code']): void;
  /** Moves the wall clock. */
  pass(ms: number): void;
  /** How long the replica may still act. */
  authority: { remainingMs: number };
}

export function reconcileGround(
  rules: Partial<Pick<ReconcilerDependencies, 'limit' | 'orphanTtlMs'>> = {},
): ReconcileGround {
  const cluster = createFakeCluster();
  cluster.seed({ namespace: 'team-a', name: 'db', data: { key: 'value' } });
  const live = cluster.peek({ namespace: 'team-a', name: 'db' });
  if (live === undefined) throw new Error('the live Secret was not seeded');
  const calls: string[] = [];
  const told: string[] = [];
  const authority = { remainingMs: 10_000 };
  let now = Date.parse('2026-06-01T00:00:00Z');
  let known: readonly Tracked[] = [];
  let failure: ServiceError | undefined;
  const reconcile = createHistoryReconcile({
    names: NAMES,
    limit: 3,
    orphanTtlMs: undefined,
    ...rules,
    tracked: (key) => known.filter((one) => keyOf(one) === key),
    store: recordingStore(cluster, calls, () => {
      const thrown = failure;
      failure = undefined;
      return thrown;
    }),
    remainingMs: () => authority.remainingMs,
    observer: {
      inconsistent: (object, violation) => void told.push(`${object.name}: ${violation}`),
      stepDone: (step, object) => void told.push(`${step} ${object.name}`),
    },
    wallNow: () => now,
  });
  const ground: ReconcileGround = {
    cluster,
    live,
    archive: (...versions) => {
      for (const version of versions) cluster.seed(snapshotDraft(live, version, NAMES));
      ground.observe();
    },
    snapshots: () =>
      cluster
        .all()
        .map(({ name }) => name)
        .filter((name) => name !== 'db')
        .sort(),
    observe: (overlooked) => {
      const seen = cluster.all().filter(({ name }) => name !== overlooked);
      known = seen.map((secret) => track(metadataOf(secret), NAMES));
    },
    run: () => reconcile(`team-a/${live.uid}`, unhurriedCall()),
    calls,
    told,
    failNext: (code) => {
      failure = new ServiceError(code, 'the test says so');
    },
    pass: (ms) => {
      now += ms;
    },
    authority,
  };
  ground.observe();
  return ground;
}

function metadataOf(secret: StoredSecret): SecretMetadata {
  const { namespace, name, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels, annotations } =
    secret;
  return { namespace, name, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels, annotations };
}

function recordingStore(
  cluster: FakeCluster,
  calls: string[],
  failure: () => ServiceError | undefined,
): SecretMetadataStore {
  const write = (entry: string): void => {
    calls.push(entry);
    const thrown = failure();
    if (thrown !== undefined) throw thrown;
  };
  return {
    read: (ref) => {
      calls.push(`read ${ref.name}`);
      const found = cluster.peek(ref);
      return Promise.resolve(found && metadataOf(found));
    },
    mark: async (
      ref,
      preconditions,
      { labels, annotations = new Map<string, string | undefined>() },
      call,
    ) => {
      write(`mark ${ref.name}`);
      const current = await cluster.secrets.read(ref, call);
      if (current === undefined) throw new ServiceError('notFound', 'absent');
      if (current.uid !== preconditions.uid || current.resourceVersion !== preconditions.resourceVersion)
        throw new ServiceError('conflict', 'changed');
      const next = new Map(current.annotations);
      for (const [key, text] of annotations) {
        if (text === undefined) next.delete(key);
        else next.set(key, text);
      }
      cluster.touch(ref, { labels: new Map([...current.labels, ...(labels ?? [])]), annotations: next });
    },
    delete: async (ref, { uid, resourceVersion }, call) => {
      write(`delete ${ref.name}`);
      await cluster.secrets.delete(ref, { uid, resourceVersion }, call);
    },
  };
}
