import type { Deadline } from '../../timing/deadline.ts';
import { ignoring, isServiceError, ServiceError } from '../../errors/service-error.ts';
import { isLater, parseRevision } from '../../kube/resource-version.ts';
import type { SecretDraft, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { historyUnavailable, unavailableAt, type HistoryContext, type KnownSnapshot } from './inventory.ts';
import { beyondLimit } from './rank.ts';
import { holds, snapshotDraft } from './snapshot.ts';

/** A state that is stored in the history and is about to be replaced. */
export interface ArchivedState {
  /** The draft of the snapshot. */
  readonly draft: SecretDraft;
  /** The stored snapshot, from this attempt or an earlier one. */
  readonly stored: StoredSecret;
  /** Whether this attempt has stored it. */
  readonly isNew: boolean;
}

/**
 * Archives the state of `live` as `version`. When this returns, the snapshot is stored, perhaps by an earlier attempt
 * that failed later.
 *
 * @throws {ServiceError} `snapshotCollision` when something else has the name; `historyUnavailable` otherwise
 */
export async function archive(
  { store, codec }: HistoryContext,
  live: StoredSecret,
  version: number,
  deadline: Deadline,
): Promise<ArchivedState> {
  const draft = snapshotDraft(live, version, codec);
  try {
    const stored = await store.create(draft, deadline);
    if (!holds(stored, draft)) await refuseChanged(store, stored, deadline);
    return { draft, stored, isNew: true };
  } catch (error) {
    if (isServiceError(error, 'historyUnavailable')) throw error;
    if (!isServiceError(error, 'exists')) throw historyUnavailable('snapshotNotCreated', error);
    // A replica of 0.1.0 does not know notes, and archives without.
    const withoutNote = { ...live, managed: { ...live.managed, changeNote: undefined } };
    return earlierAttempt(store, [draft, snapshotDraft(withoutNote, version, codec)], deadline);
  }
}

/**
 * An admission webhook changed what was stored. It is removed again, since it would block every later attempt. If that
 * fails it remains, and the error is the same.
 */
async function refuseChanged(
  store: Pick<SnapshotStore, 'delete'>,
  stored: StoredSecret,
  deadline: Deadline,
): Promise<never> {
  await store.delete(stored, stored, deadline).catch(ignoring());
  throw historyUnavailable('snapshotChangedOnCreate');
}

async function earlierAttempt(
  store: Pick<SnapshotStore, 'read'>,
  drafts: readonly [SecretDraft, ...SecretDraft[]],
  deadline: Deadline,
): Promise<ArchivedState> {
  const existing = await store.read(drafts[0], deadline).catch(unavailableAt('snapshotNotRead'));
  // Removed by another replica or an operator meanwhile: nothing is archived, so nothing may be replaced.
  if (existing === undefined) throw historyUnavailable('snapshotDisappeared');
  const draft = drafts.find((one) => holds(existing, one));
  if (draft === undefined) throw snapshotCollision('snapshotCollision');
  if (existing.deletionTimestamp !== undefined) throw historyUnavailable('snapshotBeingDeleted');
  return { draft, stored: existing, isNew: false };
}

/** A PUT, which needs no other change: a PATCH does not have recoverCounter. */
const REVIEW = 'An admin must review the history and send a PUT with recoverCounter: true';
const COLLISIONS = {
  snapshotCollision: 'This version is archived already with another content. Nothing was changed.',
  counterBehindHistory: 'The version counter is behind the versions in the history. Nothing was changed.',
  counterExhausted: 'The version counter cannot be raised any further. Nothing was changed.',
} as const;

export function snapshotCollision(reason: keyof typeof COLLISIONS): ServiceError {
  return new ServiceError('snapshotCollision', `${COLLISIONS[reason]} ${REVIEW}`, { reason });
}

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
