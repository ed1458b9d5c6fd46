import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { emailKey } from '../contract/email.ts';
import type { History } from '../history/history.ts';
import type { Actor } from '../access/actor.ts';
import type { DeletionRequest } from '../kube/managed-metadata.ts';
import type { StoredSecret } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { recordOfKeys } from './secret-view.ts';
import type { SecretsDependencies, SecretStore } from './ports.ts';
import { overStorage, requireCurrentRevision, SNAPSHOT_RESERVE } from './write-checks.ts';
import { requireStill, throwRace } from './write-back.ts';

export interface DeleteRequest {
  readonly resourceVersion: string;
  /** Leaves all snapshots. They never belong to a recreated Secret. */
  readonly keepHistory: boolean;
  /** Archives the live state first, so that the Secret can be restored. */
  readonly archive: boolean;
}

export type DeleteResult = Awaited<ReturnType<typeof deleteSecret>>;

/**
 * Deletes exactly the revision that the client has seen, after its history was removed or its state archived. A failure
 * before the live deletion leaves the live Secret in place, so the request can be repeated.
 * @throws {ServiceError} `staleRevision`, then `tooLarge` when the cluster could not store the snapshot; later
 *   `snapshotCollision`, `conflict`, `historyUnavailable`, `replaced`, `uncertain`
 */
export async function deleteSecret(
  { store, history, now }: SecretsDependencies,
  { actor, live }: AuthorizedSecret<'manage'>,
  { resourceVersion, keepHistory, archive }: DeleteRequest,
  deadline: Deadline,
) {
  requireCurrentRevision(live, resourceVersion);
  const deletion = archive ? deletionOf(history, live, actor, now()) : undefined;
  // No snapshot is removed for a Secret that has changed since it was authorized.
  const confirmUnchanged = () =>
    requireStill(store, live, ['changedBeforeDelete', 'disappearedBeforeDelete'], deadline);
  if (keepHistory && !archive) await history.final.void(live, deadline);
  if (!keepHistory) await history.clean(live, confirmUnchanged, deadline);
  const record = deletion && { record: deletion, requireUnchanged: confirmUnchanged };
  const archived = record && (await history.final.archive(live, record, deadline).catch(explainCollision));
  await confirmUnchanged();
  await store.delete(live, live, deadline).catch(throwRace('deletePrecondition', 'disappearedBeforeDelete'));
  if (archived !== undefined) await history.final.confirm(archived, deadline);
  return confirmDeletion(store, live, keepHistory ? 'retained' : 'cleaned', deadline);
}

/**
 * The names of the keys are recorded where there is space, so that lists need not read the values.
 * @throws {ServiceError} `tooLarge` when there is no space without them either
 */
function deletionOf({ final }: Pick<History, 'final'>, live: StoredSecret, actor: Actor, now: Date) {
  const deletion = { by: emailKey(actor.user.email), at: now.toISOString() };
  const named = { ...deletion, keys: recordOfKeys(live.data) };
  const tooLarge = (request: DeletionRequest) =>
    overStorage(live.data, final.annotations(live, request), SNAPSHOT_RESERVE);
  if (tooLarge(named) === undefined) return named;
  const error = tooLarge(deletion);
  if (error !== undefined) throw error;
  return deletion;
}

/** The text of an update names recoverCounter, which a deletion does not have. */
function explainCollision(error: unknown): never {
  if (!isServiceError(error, 'snapshotCollision')) throw error;
  throw new ServiceError(
    'snapshotCollision',
    'This version is archived already with another content, or its number is too low. Nothing was deleted. ' +
      'An admin must review the history, or the Secret be deleted without archive',
    { reason: error.reason ?? 'snapshotCollision', cause: error },
  );
}

/** An accepted deletion is not yet an absence: finalizers may keep the object for any time. */
async function confirmDeletion(
  store: SecretStore,
  live: StoredSecret,
  history: 'cleaned' | 'retained',
  deadline: Deadline,
) {
  const { name, uid } = live;
  const still = await store.read(live, deadline).catch((error: unknown) => {
    throw new ServiceError(
      'uncertain',
      'The deletion was accepted but could not be confirmed; reload to see its outcome',
      {
        reason: 'deletionNotConfirmed',
        cause: error,
        retryAfterSeconds: isServiceError(error) ? error.retryAfterSeconds : undefined,
      },
    );
  });
  if (still === undefined) return { status: 'deleted' as const, name, uid, history };
  if (still.uid !== uid) {
    throw new ServiceError('replaced', 'Another Secret with this name was created meanwhile; reload it', {
      reason: 'replacedAfterDelete',
    });
  }
  const { resourceVersion, deletionTimestamp } = still;
  return { status: 'pending' as const, name, uid, resourceVersion, deletionTimestamp, history };
}
