import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { SecretMetadata } from '../../kube/secret.ts';
import { beginDeletion } from './confirm.ts';
import { boundMetadata, historyUnavailable, unavailableAt, type HistoryContext } from './inventory.ts';
import type { SnapshotStore } from '../ports.ts';
import { isReplaced } from './rank.ts';
import type { BoundMetadata, LiveIdentity } from './snapshot.ts';

/** A Secret whose history is removed; without a revision it no longer exists. */
export type CleanedSecret = LiveIdentity & Partial<Pick<SecretMetadata, 'resourceVersion'>>;

/**
 * Removes the eligible snapshots of a Secret that is about to be deleted or no longer exists, and confirms that none is
 * left. One of the live revision may be that of an update which is about to replace it; see {@link beginDeletion}. Snapshots deleted before a failure stay deleted; the live Secret stays, so that a new request can retry.
 *
 * @param requireUnchanged throws `conflict` when the live object is no longer the authorized revision
 * @returns how many snapshots were removed
 * @throws {ServiceError} `conflict` (a precondition did not match) or `historyUnavailable`
 */
export async function cleanHistory(
  context: HistoryContext,
  live: CleanedSecret,
  requireUnchanged: () => Promise<void>,
  deadline: Deadline,
): Promise<number> {
  const { store } = context;
  const inventory = () => boundMetadata(context, live, deadline).catch(unavailableAt('historyNotListed'));
  const snapshots = await inventory();
  // Oldest first, so that after a failure the newest remain.
  for (const snapshot of snapshots.toReversed()) {
    const current = await announceIfLive(context, snapshot, live, deadline);
    await requireUnchanged();
    await store.delete(current, current, deadline).catch(unlessGone);
    await confirmAbsence(store, current, deadline);
  }
  const rest = snapshots.length === 0 ? [] : await inventory();
  if (rest.length > 0) throw historyUnavailable('historyGrew');
  return snapshots.length;
}

/** No update can replace a revision that is gone already. */
async function announceIfLive(
  context: HistoryContext,
  { stored, sourceResourceVersion }: BoundMetadata,
  { resourceVersion }: CleanedSecret,
  deadline: Deadline,
): Promise<SecretMetadata> {
  if (resourceVersion === undefined || isReplaced(sourceResourceVersion, resourceVersion)) return stored;
  return (await beginDeletion(context, stored, deadline).catch(unlessGone)) ?? stored;
}

/** A snapshot that is gone already needs nothing; the confirmation follows. */
function unlessGone(error: unknown): undefined {
  if (isServiceError(error, 'notFound')) return undefined;
  if (!isServiceError(error, 'conflict')) throw historyUnavailable('snapshotNotDeleted', error);
  const message = 'The history of this Secret changed meanwhile; reload and try again';
  throw new ServiceError('conflict', message, { reason: 'snapshotPrecondition', cause: error });
}

async function confirmAbsence(
  store: Pick<SnapshotStore, 'read'>,
  stored: SecretMetadata,
  deadline: Deadline,
): Promise<void> {
  const still = await store.read(stored, deadline).catch(unavailableAt('snapshotAbsenceNotConfirmed'));
  if (still === undefined) return;
  throw historyUnavailable(still.uid === stored.uid ? 'snapshotStillPresent' : 'snapshotRecreated');
}
