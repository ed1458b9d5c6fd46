import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { historyUnavailable, unavailableAt, type HistoryContext } from './context.ts';
import type { SecretDraft, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
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
  { store, codec }: HistoryContext<'create' | 'read' | 'delete'>,
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
  await store.delete(stored, stored, deadline).catch((error: unknown) => {
    if (!isServiceError(error)) throw error;
  });
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

const REVIEW = 'An admin must review the history and repeat the request with recoverCounter: true';
const COLLISIONS = {
  snapshotCollision: 'This version is archived already with another content. Nothing was changed.',
  counterBehindHistory: 'The version counter is behind the versions in the history. Nothing was changed.',
  counterExhausted: 'The version counter cannot be raised any further. Nothing was changed.',
} as const;

export function snapshotCollision(reason: keyof typeof COLLISIONS): ServiceError {
  return new ServiceError('snapshotCollision', `${COLLISIONS[reason]} ${REVIEW}`, { reason });
}
