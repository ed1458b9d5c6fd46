import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { ArchivedState } from './archive.ts';
import type { SecretDraft, SecretMetadata } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import type { HistoryContext } from './context.ts';
import { holds } from './snapshot.ts';

type Store = Pick<SnapshotStore, 'create' | 'read' | 'patchMetadata'>;

/** More failures in a row are rare, and the writer waits. */
const ATTEMPTS = 3;

/**
 * Confirms, after the replacement, that the archived state is stored and stays. A cleaning deletion of the replaced
 * revision may run at the same time: it lists the snapshots, sees the old revision live, and deletes each under the uid
 * and the resourceVersion that it has listed.
 *
 * - An existing snapshot is patched. Its resourceVersion changes, so a deletion that listed it before fails its
 *   precondition. A deletion that lists it from now on does so after the replacement, and finds another revision of the
 *   live Secret when it reads it again before it deletes.
 * - A snapshot that is gone is stored again, from the bytes that were read from the live Secret. Only a deletion that
 *   lists afterwards can include this new object, and the same applies to it.
 *
 * So only a deletion of the new state, or someone outside the service, can remove the snapshot.
 *
 * @param replacedBy the revision of the live Secret that the replacement has made
 * @throws {ServiceError} `uncertain` when that fails: the update must not be acknowledged
 */
export async function confirmArchived(
  { store, codec }: HistoryContext<'create' | 'read' | 'patchMetadata'>,
  { draft, stored }: ArchivedState,
  replacedBy: string,
  deadline: Deadline,
): Promise<void> {
  const replacement = codec.replacedBy(replacedBy);
  const marked: SecretDraft = { ...draft, annotations: new Map([...draft.annotations, ...replacement]) };
  let known: SecretMetadata | undefined = stored;
  for (let attempt = 1; ; attempt++) {
    try {
      if (known === undefined) await storeAgain(store, marked, deadline);
      else requirePresent(await store.patchMetadata(known, known, { annotations: replacement }, deadline));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !mayPass(error)) throw unproven(error);
    }
    known = await whatIsThere(store, draft, deadline);
    if (known?.managed.snapshot?.replacedBy === replacedBy) return;
  }
}

/** The snapshot changed or is gone, or the response was lost: the next attempt reads what is stored. */
const MAY_PASS: readonly ServiceError['code'][] = [
  'notFound',
  'conflict',
  'exists',
  'unavailable',
  'uncertain',
];

async function storeAgain(store: Store, draft: SecretDraft, deadline: Deadline): Promise<void> {
  if (!holds(await store.create(draft, deadline), draft)) throw notConfirmed('snapshotChangedOnCreate');
}

async function whatIsThere(
  store: Store,
  draft: SecretDraft,
  deadline: Deadline,
): Promise<SecretMetadata | undefined> {
  const existing = await store.read(draft, deadline).catch((error: unknown) => {
    throw unproven(error);
  });
  if (existing === undefined) return undefined;
  if (!holds(existing, draft)) throw notConfirmed('snapshotReplaced');
  requirePresent(existing);
  return existing;
}

/** A terminating snapshot is gone as soon as its finalizers allow. */
function requirePresent({ deletionTimestamp }: SecretMetadata): void {
  if (deletionTimestamp !== undefined) throw notConfirmed('snapshotBeingDeleted');
}

function mayPass(error: unknown): boolean {
  return isServiceError(error) && MAY_PASS.includes(error.code) && !isVerdict(error);
}

function isVerdict({ reason }: ServiceError): boolean {
  return reason?.startsWith(NOT_CONFIRMED) === true;
}

/** A bug is thrown unchanged. */
function unproven(error: unknown): unknown {
  if (!isServiceError(error) || isVerdict(error)) return error;
  return notConfirmed(error.reason ?? error.code, error);
}

const NOT_CONFIRMED = 'archiveNotConfirmed:';

function notConfirmed(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError(
    'uncertain',
    'The Secret was changed, but it is uncertain whether its previous state is in the history: reload',
    {
      reason: `${NOT_CONFIRMED}${reason}`,
      ...(cause === undefined ? {} : { cause }),
      ...(cause?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds }),
    },
  );
}
