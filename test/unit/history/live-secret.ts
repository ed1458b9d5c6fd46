import { annotationNames } from '../../../src/kube/annotation-names.ts';
import type { SecretDraft, StoredSecret } from '../../../src/kube/secret.ts';
import type { SnapshotStore } from '../../../src/history/ports.ts';
import type { HistoryContext } from '../../../src/history/snapshot/inventory.ts';
import { snapshotDraft } from '../../../src/history/snapshot/snapshot.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createFakeCluster, type FakeCluster } from '../../fakes/fake-cluster.ts';
import type { SecretSeed } from '../../fakes/fake-objects.ts';
import { codec } from '../../fakes/annotations.ts';

export const names = annotationNames('service.io');
export const deadline = unhurriedCall();

export const REF = { namespace: 'team-a', name: 'db' };

/** What the history works with, over these methods of a store. */
export function contextOf(
  store: Partial<SnapshotStore>,
  more: Partial<Pick<HistoryContext, 'index' | 'limit'>> = {},
): HistoryContext {
  return { store: store as SnapshotStore, codec, index: undefined, limit: 10, ...more };
}

/** A live Secret in the fake cluster: two values, version 3, last modified by someone. */
export function seedLive(cluster: FakeCluster, overrides: Partial<SecretSeed> = {}): StoredSecret {
  return cluster.seed({
    ...REF,
    annotations: {
      'service.io/managed-by': 'service',
      'service.io/version': '3',
      'service.io/last-modified-by': 'dev@example.com',
      'service.io/last-modified-at': '2026-01-01T00:00:00.000Z',
      'service.io/description': 'the database',
      'example.com/foreign': 'kept',
    },
    data: { user: 'alice', password: Uint8Array.of(0, 255, 10) },
    ...overrides,
  });
}

/** A cluster with one live Secret in it. */
export function clusterWithLive(overrides: Partial<SecretSeed> = {}): {
  cluster: FakeCluster;
  live: StoredSecret;
} {
  const cluster = createFakeCluster();
  return { cluster, live: seedLive(cluster, overrides) };
}

type DraftChange = (draft: SecretDraft) => Partial<SecretDraft>;

/** Puts a snapshot of an earlier revision in directly, changed as the test likes; the higher the version, the later. */
export function seedSnapshot(
  cluster: FakeCluster,
  live: StoredSecret,
  version: number,
  change: DraftChange = () => ({}),
): StoredSecret {
  return seedAttempt(cluster, { ...live, resourceVersion: String(version) }, version, change);
}

/** … and one of the revision that is live, as an attempt leaves it whose replacement has failed. */
export function seedAttempt(
  cluster: FakeCluster,
  live: StoredSecret,
  version: number,
  change: DraftChange = () => ({}),
): StoredSecret {
  const draft = snapshotDraft(live, version, codec);
  return cluster.seed({ ...draft, ...change(draft) });
}

/** A copy of a map with some entries changed; undefined removes one. */
export function withEntries(
  map: ReadonlyMap<string, string>,
  changes: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const copy = new Map(map);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) copy.delete(key);
    else copy.set(key, value);
  }
  return copy;
}

/** The calls of a cluster as short lines, such as `create db.v1.…`. */
export function callLines(cluster: FakeCluster): readonly string[] {
  return cluster.calls.map(({ method, name }) =>
    [method.replace('secrets.', ''), name?.replace(/\.[0-9a-f]{16}$/, '.…')].filter(Boolean).join(' '),
  );
}

export type Pages = SnapshotStore['listPage'];
