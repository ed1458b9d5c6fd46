import type { Call } from '../calls/call.ts';
import { HISTORY_KIND, type AnnotationNames } from './annotation-names.ts';
import { collectPages, REDUCED_ON_ARRIVAL } from './collect.ts';
import type { SecretMetadata, SnapshotStore, StoredSecret } from './ports.ts';
import { archives, readMarks, readSnapshot, type BoundMarks, type Snapshot } from './snapshot.ts';

interface Numbered {
  readonly version: number;
}

/**
 * The eligible snapshots of one live Secret, newest first: history objects whose marks are consistent and
 * that are bound to its UID. Whatever lacks a mark is left out, and so is never listed, restored or deleted.
 * Each becomes what `reduce` makes of it as it arrives: all of their values may be more than memory holds.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function boundSnapshots<Reduced extends Numbered>(
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
      const isBound = typeof snapshot !== 'string' && archives(snapshot, live);
      return { name, resourceVersion, kept: isBound ? reduce(snapshot) : undefined };
    },
  });
  return items
    .map(({ kept }) => kept)
    .filter((kept) => kept !== undefined)
    .sort(newestFirst);
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
  return items
    .map((stored) => {
      const marks = readMarks(stored, names);
      return typeof marks === 'string' ? marks : { ...marks, stored };
    })
    .filter((marks) => typeof marks !== 'string')
    .filter((marks) => archives(marks, live))
    .sort(newestFirst);
}

function selectorOf(live: StoredSecret, names: AnnotationNames): string {
  return `${names.kind}=${HISTORY_KIND},${names.historyUidLabel}=${live.uid}`;
}

function newestFirst(one: Numbered, other: Numbered): number {
  return other.version - one.version;
}
