import type { Outcome } from '../../../../src/controller/controller.ts';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import type { StoredSecret } from '../../../../src/kube/secret.ts';
import type { LogFields } from '../../../../src/observability/logger.ts';
import type { SecretMetadataStore } from '../../../../src/history/ports.ts';
import {
  HistoryReconciler,
  type ReconcilerDependencies,
} from '../../../../src/history/reconciler/reconcile.ts';
import { keyOf, toIndexed, type IndexedSecret } from '../../../../src/history/snapshot/indexed-secret.ts';
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
  /** Reconciles the history of a live UID, by default that of `live`. */
  run(uid?: string): Promise<Outcome>;
  /** Writes and live reads that reached the store, as `verb name`. */
  readonly calls: string[];
  /** Log lines, and what is only counted, in short. */
  readonly observed: string[];
  /** Fails the next write. */
  failNext(code: ServiceError['code']): void;
  /** Fails all changes of metadata of the object with this name. */
  failPatches(name: string, code: ServiceError['code']): void;
  /** Moves both clocks. */
  pass(ms: number): void;
  /** Moves the local clock alone. */
  shiftLocalClock(ms: number): void;
  /** Another replica becomes the leader, and has no memory of this one. */
  changeLeader(): void;
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
  const failures = plannedFailures();
  let shiftMs = 0;
  const dependencies: ReconcilerDependencies = {
    codec,
    limit: 3,
    orphanTtlMs: undefined,
    ...rules,
    indexed: (key) => known.filter((one) => keyOf(one) === key),
    store: recordingStore(cluster, calls, failures.of),
    remainingMs: () => authority.remainingMs,
    ...recordingObservers(observed),
    clusterNow: () => (timeKnown ? now : undefined),
    wallNow: () => now + shiftMs,
  };
  let reconciler = new HistoryReconciler(dependencies);
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
    run: (uid = live.uid) => reconciler.reconcile(`team-a/${uid}`, unhurriedCall()),
    calls,
    observed,
    failNext: failures.failNext,
    failPatches: failures.failPatches,
    pass: (ms) => {
      now += ms;
    },
    shiftLocalClock: (ms) => void (shiftMs += ms),
    changeLeader: () => {
      reconciler = new HistoryReconciler(dependencies);
    },
    setTimeKnown: (isKnown) => {
      timeKnown = isKnown;
    },
    authority,
  };
  fixture.observe();
  return fixture;
}

function plannedFailures() {
  let next: ServiceError | undefined;
  const patches = new Map<string, ServiceError>();
  const failure = (code: ServiceError['code']) => new ServiceError(code, 'the test says so');
  return {
    failNext: (code: ServiceError['code']) => {
      next = failure(code);
    },
    failPatches: (name: string, code: ServiceError['code']) => void patches.set(name, failure(code)),
    of: (verb: string, name: string): ServiceError | undefined => {
      const thrown = next ?? (verb === 'patchMetadata' ? patches.get(name) : undefined);
      next = undefined;
      return thrown;
    },
  };
}

function recordingObservers(observed: string[]): Pick<ReconcilerDependencies, 'logger' | 'metrics'> {
  const shortOf = (event: string, { step, name, problem, reason }: LogFields): string =>
    ({
      'inconsistent history object': `${String(name)}: ${String(problem)}`,
      'reconciled history object': `${String(step)} ${String(name)}`,
      'cannot reconcile history object': `${String(step)} ${String(name)} failed: ${String(reason)}`,
      'cluster time and local clock disagree': 'clocks disagree',
    })[event] ?? event;
  const log = (event: string, fields: LogFields = {}) => void observed.push(shortOf(event, fields));
  const inc = (metric: string, ..._labels: readonly unknown[]): void => {
    if (metric === 'service_history_expiry_postponed_total') observed.push('expiry postponed');
  };
  return { logger: { info: log, warn: log }, metrics: { inc } };
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
  failure: (verb: string, name: string) => ServiceError | undefined,
): SecretMetadataStore {
  const store = createFakeMetadataStore(cluster);
  const write = (verb: string, name: string): void => {
    calls.push(`${verb} ${name}`);
    const thrown = failure(verb, name);
    if (thrown !== undefined) throw thrown;
  };
  return {
    read: (ref, deadline) => {
      calls.push(`read ${ref.name}`);
      return store.read(ref, deadline);
    },
    patchMetadata: async (ref, preconditions, change, deadline) => {
      write('patchMetadata', ref.name);
      return store.patchMetadata(ref, preconditions, change, deadline);
    },
    delete: async (ref, preconditions, deadline) => {
      write('delete', ref.name);
      await store.delete(ref, preconditions, deadline);
    },
  };
}
