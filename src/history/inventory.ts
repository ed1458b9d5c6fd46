import type { Call } from '../calls/call.ts';
import { HISTORY_KIND, type AnnotationNames } from './annotation-names.ts';
import { collectAll } from './collect.ts';
import type { SnapshotStore, StoredSecret } from './ports.ts';
import { archives, readSnapshot, type Snapshot } from './snapshot.ts';

/**
 * The eligible snapshots of one live Secret, newest first: history objects whose marks are consistent and
 * that are bound to its UID. Whatever lacks a mark is left out, and so is never listed, restored or deleted.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function boundSnapshots(
  store: Pick<SnapshotStore, 'listPage'>,
  live: StoredSecret,
  names: AnnotationNames,
  call: Call,
): Promise<readonly Snapshot[]> {
  const selector = `${names.kind}=${HISTORY_KIND},${names.historyUidLabel}=${live.uid}`;
  const objects = await collectAll(store, live.namespace, selector, call);
  return objects
    .map((stored) => readSnapshot(stored, names))
    .filter((read): read is Snapshot => typeof read !== 'string' && archives(read, live))
    .sort((one, other) => other.version - one.version);
}
