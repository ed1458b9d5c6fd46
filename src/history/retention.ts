import type { Call } from '../calls/call.ts';
import { isServiceError } from '../errors/service-error.ts';
import { isLaterThan } from './age.ts';
import type { AnnotationNames } from './annotation-names.ts';
import { historyUnavailable } from './history-unavailable.ts';
import type { SnapshotStore, StoredSecret } from './ports.ts';
import { archives, readSnapshot } from './snapshot.ts';
import { snapshotName } from './snapshot-name.ts';

/**
 * Removes the snapshot that falls out of the limit now that `archived` is stored. Its name is known, so
 * the cost does not grow with the namespace; gaps and lowered limits are not this function's business.
 * An object under that name which is not bound to the live Secret is left alone, and so is
 * a later state than the archived one: then this writer has lost a race, and will be told by its replacement.
 *
 * @returns whether a snapshot was removed
 * @throws {ServiceError} `historyUnavailable`
 */
export async function pruneBeyondLimit(
  store: Pick<SnapshotStore, 'read' | 'delete'>,
  live: StoredSecret,
  archived: number,
  limit: number,
  names: AnnotationNames,
  call: Call,
): Promise<boolean> {
  const version = archived - limit;
  if (version < 1) return false;
  const ref = { namespace: live.namespace, name: snapshotName(live.name, version, live.uid) };
  try {
    const stored = await store.read(ref, call);
    if (stored === undefined) return false;
    const snapshot = readSnapshot(stored, names);
    if (typeof snapshot === 'string' || !archives(snapshot, live)) return false;
    if (isLaterThan(snapshot.sourceResourceVersion, live.resourceVersion)) return false;
    await store.delete(ref, stored, call);
    return true;
  } catch (error) {
    if (isServiceError(error, 'notFound')) return false; // another replica was quicker
    throw historyUnavailable('snapshotNotPruned', error);
  }
}
