import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { snapshotCollision } from './archive.ts';
import { historyUnavailable } from './context.ts';
import type { KnownSnapshot } from './inventory.ts';
import type { SnapshotStore } from '../ports.ts';
import type { StoredSecret } from '../../kube/secret.ts';
import { isLater, parseRevision } from '../../kube/resource-version.ts';
import { beyondLimit } from './rank.ts';

/**
 * Two for each snapshot that an update adds: the history shrinks to its limit without a reconciler, and no update waits
 * long.
 */
export const MAX_PRUNED = 2;

/**
 * The snapshots beyond the limit once `live` has been replaced, oldest first. The update that replaces `live` archives
 * its state, which takes the first place. Nothing else that archives a live revision has a place.
 *
 * `known` was stored at one point in time, no earlier than the revision of `live`, so every older archived revision had
 * been replaced by then. Counted snapshots are removed only by this rule, by a cleaning deletion, or by someone outside
 * the service. So a snapshot beyond the limit in `known` may be removed whatever others do meanwhile, as long as it has
 * not changed.
 */
export function surplusOf(
  live: StoredSecret,
  known: readonly KnownSnapshot[],
  limit: number,
): readonly KnownSnapshot[] {
  const eligible = known.filter((snapshot) => snapshot.eligible);
  // Nearly always, and ranking a long history is work.
  if (eligible.length < limit) return [];
  return beyondLimit(eligible, (snapshot) => snapshot, live.resourceVersion, limit - 1);
}

/**
 * Removes the first few and leaves the others to the reconciler. A snapshot that has changed since it was read stays.
 *
 * @throws {ServiceError} `historyUnavailable`
 */
export async function prune(
  store: Pick<SnapshotStore, 'delete'>,
  surplus: readonly KnownSnapshot[],
  deadline: Deadline,
): Promise<void> {
  for (const snapshot of surplus.slice(0, MAX_PRUNED)) {
    try {
      await store.delete(snapshot, snapshot, deadline);
    } catch (error) {
      if (isServiceError(error, 'notFound')) continue; // Another replica removed it.
      throw historyUnavailable('snapshotNotPruned', error);
    }
  }
}

/**
 * Numbers only grow: a version must be above all archived versions. Only the state that is still live may have the
 * number already, because an earlier attempt may have archived it.
 *
 * A higher number that archives a later revision than `live` is a race, not a wrong counter: another writer has
 * replaced `live` since it was read. The client reloads, as after every race.
 *
 * @throws {ServiceError} `conflict` or `snapshotCollision`
 */
export function requireGrowingNumber(
  live: StoredSecret,
  version: number,
  known: readonly KnownSnapshot[],
): void {
  const ahead = known.filter(
    (snapshot) =>
      snapshot.version > version ||
      (snapshot.version === version && snapshot.sourceResourceVersion !== live.resourceVersion),
  );
  if (ahead.length === 0) return;
  const revision = parseRevision(live.resourceVersion);
  if (ahead.every(({ sourceResourceVersion }) => isLater(parseRevision(sourceResourceVersion), revision))) {
    throw new ServiceError('conflict', 'This Secret was changed meanwhile; reload it and try again', {
      reason: 'changedBeforeArchive',
    });
  }
  throw snapshotCollision('counterBehindHistory');
}
