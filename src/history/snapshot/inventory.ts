import type { Call } from '../../timing/deadline.ts';
import { HISTORY_KIND, type AnnotationNames } from '../../kube/annotation-names.ts';
import { collectPages, REDUCED_ON_ARRIVAL } from '../../kube/collect.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { newestFirst, type Aged } from './rank.ts';
import { archives, readMarks, readSnapshot, type BoundMarks, type Snapshot } from './snapshot.ts';

/**
 * The eligible snapshots of one live Secret, newest first: history objects whose marks are consistent and
 * that are bound to its UID. Whatever lacks a mark is left out, and so is never listed, restored or deleted.
 * Each becomes what `reduce` makes of it as it arrives: all of their values may be more than memory holds.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function boundSnapshots<Reduced extends Aged>(
  store: Pick<SnapshotStore, 'listPage'>,
  live: StoredSecret,
  names: AnnotationNames,
  reduce: (snapshot: Snapshot) => Reduced,
  call: Call,
): Promise<readonly Reduced[]> {
  const labelSelector = selectorOf(live, names);
  const { items } = await collectPages({
    subject: 'Secrets',
    budget: REDUCED_ON_ARRIVAL,
    listPage: (query) => store.listPage(live.namespace, { labelSelector, ...query }, call),
    keep: (stored: StoredSecret) => {
      const { name, resourceVersion } = stored;
      const snapshot = readSnapshot(stored, names);
      // What is being deleted counts as absent.
      const isThere = stored.deletionTimestamp === undefined;
      const isBound = isThere && typeof snapshot !== 'string' && archives(snapshot, live);
      return { name, resourceVersion, kept: isBound ? reduce(snapshot) : undefined };
    },
  });
  const kept = items.map((item) => item.kept).filter((one) => one !== undefined);
  return newestFirst(kept, (one) => one);
}

/**
 * The same snapshots as metadata alone.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function boundMarks(
  store: Pick<SnapshotStore, 'listMetadata'>,
  live: StoredSecret,
  names: AnnotationNames,
  call: Call,
): Promise<readonly BoundMarks[]> {
  const labelSelector = selectorOf(live, names);
  const { items } = await collectPages({
    subject: 'Secrets',
    listPage: (query) => store.listMetadata(live.namespace, { labelSelector, ...query }, call),
    keep: (stored: SecretMetadata) => stored,
  });
  const bound = items
    .map((stored) => {
      const marks = readMarks(stored, names);
      return typeof marks === 'string' ? marks : { ...marks, stored };
    })
    .filter((marks) => typeof marks !== 'string')
    .filter((marks) => archives(marks, live));
  return newestFirst(bound, (marks) => marks);
}

function selectorOf(live: StoredSecret, names: AnnotationNames): string {
  return `${names.kind}=${HISTORY_KIND},${names.historyUidLabel}=${live.uid}`;
}
