import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { historyUnavailable } from './history-unavailable.ts';
import type { HistoryContext } from './context.ts';
import { boundMetadata } from './inventory.ts';
import type { SnapshotStore } from '../ports.ts';
import type { BoundMetadata, LiveIdentity } from './snapshot.ts';

/**
 * Removes the eligible snapshots of a Secret that is about to be deleted or no longer exists, and confirms that none is
 * left. Snapshots deleted before a failure stay deleted; the live Secret stays, so that a new request can retry.
 *
 * @param requireUnchanged throws `conflict` when the live object is no longer the authorized revision
 * @returns how many snapshots were removed
 * @throws {ServiceError} `conflict` (a precondition did not match) or `historyUnavailable`
 */
export async function cleanHistory(
  context: HistoryContext<'listMetadata' | 'read' | 'delete'>,
  live: LiveIdentity,
  requireUnchanged: () => Promise<void>,
  deadline: Deadline,
): Promise<number> {
  const { store } = context;
  const inventory = () =>
    boundMetadata(context, live, deadline).catch((error: unknown) => {
      throw historyUnavailable('historyNotListed', error);
    });
  const snapshots = await inventory();
  // Oldest first, so that after a failure the newest remain.
  for (const snapshot of snapshots.toReversed()) {
    await requireUnchanged();
    await deleteSnapshot(store, snapshot, deadline);
    await confirmAbsence(store, snapshot, deadline);
  }
  const rest = snapshots.length === 0 ? [] : await inventory();
  if (rest.length > 0) throw historyUnavailable('historyGrew');
  return snapshots.length;
}

async function deleteSnapshot(
  store: Pick<SnapshotStore, 'delete'>,
  { stored }: BoundMetadata,
  deadline: Deadline,
): Promise<void> {
  try {
    await store.delete(stored, stored, deadline);
  } catch (error) {
    if (isServiceError(error, 'notFound')) return; // Already gone; the confirmation follows.
    if (isServiceError(error, 'conflict')) {
      throw new ServiceError(
        'conflict',
        'The history of this Secret changed meanwhile; reload and try again',
        {
          reason: 'snapshotPrecondition',
          cause: error,
        },
      );
    }
    throw historyUnavailable('snapshotNotDeleted', error);
  }
}

async function confirmAbsence(
  store: Pick<SnapshotStore, 'read'>,
  { stored }: BoundMetadata,
  deadline: Deadline,
): Promise<void> {
  const still = await store.read(stored, deadline).catch((error: unknown) => {
    throw historyUnavailable('snapshotAbsenceNotConfirmed', error);
  });
  if (still === undefined) return;
  throw historyUnavailable(still.uid === stored.uid ? 'snapshotStillPresent' : 'snapshotRecreated');
}
