import { isSnapshot, toIndexed } from '../../src/history/snapshot/indexed-secret.ts';
import type { FakeCluster } from '../fakes/fake-cluster.ts';
import { metadataOf, type FakeSecret } from '../fakes/fake-objects.ts';
import { NAMES } from '../unit/history/reconciler/history-objects.ts';
import { NAMESPACE } from './simulated-cluster.ts';

/** What is left to do once the reconcilers had the time that they need: undefined when there is nothing. */
export function unsettledIn(cluster: FakeCluster, limit: number): string | undefined {
  const snapshots = snapshotsIn(cluster);
  const live = cluster.all().filter(({ name }) => name === 'a' || name === 'b');
  for (const { name, uid } of live) {
    const count = snapshots.filter(({ annotations }) => annotations.get(NAMES.historyUid) === uid).length;
    if (count > limit) return `${name} has ${count} snapshots in the end`;
  }
  const unlabelled = snapshots.find(
    ({ labels, annotations }) =>
      !labels.has(NAMES.kind) ||
      !labels.has(NAMES.historyUidLabel) ||
      labels.has(NAMES.historyFinal) !== annotations.has(NAMES.historyFinal),
  );
  if (unlabelled !== undefined) return `${unlabelled.name} has not got its labels back`;
  const orphan = snapshots.find(
    ({ annotations }) => !live.some(({ uid }) => uid === annotations.get(NAMES.historyUid)),
  );
  return orphan && `${orphan.name} is an orphan that should have expired`;
}

/** Bound history objects, with or without their labels. */
export function snapshotsIn(cluster: FakeCluster): readonly FakeSecret[] {
  return cluster.all().filter((secret) => {
    const indexed = toIndexed(metadataOf(secret));
    return indexed.kind === 'history' && isSnapshot(indexed);
  });
}

/** Secrets in another namespace, and one whose name only looks like that of a snapshot: no one has reason to touch them. */
export function seedUntouchable(cluster: FakeCluster): readonly FakeSecret[] {
  return [
    cluster.seed({ namespace: NAMESPACE, name: 'a.v1.0123456789abcdef' }),
    cluster.seed({ namespace: 'team-b', name: 'a', data: { key: 'elsewhere' } }),
  ];
}

export function touchedOf(cluster: FakeCluster, untouchable: readonly FakeSecret[]): string | undefined {
  const touched = untouchable.find(
    (secret) => cluster.peek(secret)?.resourceVersion !== secret.resourceVersion,
  );
  return touched && `${touched.namespace}/${touched.name} was touched`;
}
