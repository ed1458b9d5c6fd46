import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { ArchivedState } from './archive.ts';
import type { SecretDraft, SecretMetadata } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import type { HistoryContext } from './context.ts';
import { holds } from './snapshot.ts';

type Store = Pick<SnapshotStore, 'create' | 'read' | 'patchMetadata'>;

/** More than one failure in a row is rare, and the writer waits. */
const ATTEMPTS = 3;

/**
 * Proves, after the replacement, that the archived state is stored and stays. A cleaning deletion of the replaced
 * revision may run at the same time: it lists the snapshots, sees the old revision live, and deletes each under the
 * uid and the resourceVersion that it has listed.
 *
 * - A snapshot that is still there is patched. That gives it another resourceVersion, so a deletion that listed it
 *   before fails its precondition. One that lists it from now on does so after the replacement, and finds its own
 *   revision of the live Secret gone when it looks again before it deletes.
 * - A snapshot that is gone is stored again, from the bytes that were read from the live Secret. Only a deletion that
 *   lists afterwards can know this new object, and the same holds for it.
 *
 * What is left to remove the snapshot is a deletion of the new state, or someone outside the service.
 *
 * @param replacedBy the revision of the live Secret that the replacement has made
 * @throws {ServiceError} `uncertain` when it cannot be proven: the update must not be acknowledged
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

/** The snapshot changed or went, or the answer was lost: what is stored now decides how to go on. */
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

/** What is being deleted will be gone as soon as its finalizers allow. */
function requirePresent({ deletionTimestamp }: SecretMetadata): void {
  if (deletionTimestamp !== undefined) throw notConfirmed('snapshotBeingDeleted');
}

function mayPass(error: unknown): boolean {
  return isServiceError(error) && MAY_PASS.includes(error.code) && !isVerdict(error);
}

function isVerdict({ reason }: ServiceError): boolean {
  return reason?.startsWith(NOT_CONFIRMED) === true;
}

/** A defect stays what it is. */
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
