import type { Call } from '../calls/call.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { AnnotationNames } from './annotation-names.ts';
import { historyUnavailable } from './history-unavailable.ts';
import type { SecretDraft, SnapshotStore, StoredSecret } from './ports.ts';
import { sameData } from './secret-data.ts';
import { archives, readSnapshot, snapshotDraft } from './snapshot.ts';

/**
 * Archives the state of `live` as `version`. Once this returns, the snapshot is stored; it may have been
 * stored by an earlier attempt that got this far and no further.
 *
 * @throws {ServiceError} `snapshotCollision` when something else has the name; `historyUnavailable` otherwise
 */
export async function archive(
  store: Pick<SnapshotStore, 'create' | 'read'>,
  live: StoredSecret,
  version: number,
  names: AnnotationNames,
  call: Call,
): Promise<void> {
  const draft = snapshotDraft(live, version, names);
  try {
    await store.create(draft, call);
  } catch (error) {
    if (!isServiceError(error, 'exists')) throw historyUnavailable('snapshotNotCreated', error);
    await requireEarlierAttempt(store, live, draft, names, call);
  }
}

async function requireEarlierAttempt(
  store: Pick<SnapshotStore, 'read'>,
  live: StoredSecret,
  draft: SecretDraft,
  names: AnnotationNames,
  call: Call,
): Promise<void> {
  const existing = await store.read(draft, call).catch((error: unknown) => {
    throw historyUnavailable('snapshotNotRead', error);
  });
  // Pruned or cleaned by someone else in between: nothing is archived, so nothing may be replaced.
  if (existing === undefined) throw historyUnavailable('snapshotDisappeared');
  const snapshot = readSnapshot(existing, names);
  const reusable =
    typeof snapshot !== 'string' &&
    archives(snapshot, live) &&
    snapshot.sourceResourceVersion === live.resourceVersion &&
    snapshot.type === live.type &&
    sameData(snapshot.data, live.data);
  if (!reusable) throw snapshotCollision();
}

export function snapshotCollision(): ServiceError {
  return new ServiceError(
    'snapshotCollision',
    'This version is archived already with another content. Nothing was changed. ' +
      'An admin must review the history and repeat the request with recoverCounter: true',
    { reason: 'snapshotCollision' },
  );
}
