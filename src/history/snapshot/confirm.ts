import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { ArchivedState } from './archive.ts';
import type { MetadataChange, SecretDraft, SecretMetadata } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { historyUnavailable, type HistoryContext, type HistoryIndex } from './inventory.ts';
import { hasMetadata, holds, withMetadata } from './snapshot.ts';

type Store = Pick<SnapshotStore, 'create' | 'read' | 'patchMetadata'>;

/** More failures in a row are rare, and the writer waits. */
const ATTEMPTS = 3;

/**
 * Confirms, after the replacement, that the archived state is stored and stays. A cleaning deletion of the replaced
 * revision may run at the same time: it lists the snapshots, annotates that of the live revision, sees the old revision
 * live, and deletes each under the uid and the resourceVersion that it has at that time.
 *
 * - A snapshot that this attempt has stored and that this replica's watch still shows unchanged, once it has reached the
 *   replacement, was not annotated before it. A deletion that annotates it from now on reads the live Secret afterwards, and
 *   finds another revision.
 * - Any other existing snapshot is patched. Its resourceVersion changes, so a deletion that listed it before fails its
 *   precondition. A deletion that lists it from now on does so after the replacement, and finds another revision of the
 *   live Secret when it reads it again before it deletes.
 * - A snapshot that is gone is stored again, from the bytes that were read from the live Secret. Only a deletion that
 *   lists afterwards can include this new object, and the same applies to it.
 *
 * So only a deletion of the new state, or someone outside the service, can remove the snapshot.
 *
 * @param written the live Secret as the replacement has made it
 * @throws {ServiceError} `uncertain` when that fails: the update must not be acknowledged
 */
export async function confirmArchived(
  context: HistoryContext,
  archived: ArchivedState,
  written: SecretMetadata,
  deadline: Deadline,
): Promise<void> {
  if (archived.isNew && (await isUnchanged(context.index, archived.stored, written, deadline))) return;
  const { notFinal } = context.codec;
  // The record of a deletion that has failed goes: it was not this state that was deleted.
  const annotations = new Map([
    ...notFinal.annotations,
    ...context.codec.replacedBy(written.resourceVersion),
  ]);
  const proof = { labels: notFinal.labels, annotations };
  // One that was accepted meanwhile, for a Secret that waits for finalizers, stays: what it has archived is live still.
  const patchOf = ({ managed }: SecretMetadata) =>
    written.deletionTimestamp !== undefined && managed.snapshot?.deletion !== undefined
      ? { annotations: context.codec.takenOver(written) }
      : proof;
  await confirmStored(context, { ...archived, proof, patchOf, change: 'changed' }, deadline);
}

/** Whether the watch has reached `written` and then shows the snapshot as it was stored. */
async function isUnchanged(
  index: HistoryIndex | undefined,
  { uid, resourceVersion }: SecretMetadata,
  written: SecretMetadata,
  deadline: Deadline,
): Promise<boolean> {
  const known = await index?.at(written, deadline);
  const found = known?.historyOf(written.uid).find((one) => one.uid === uid);
  return found?.resourceVersion === resourceVersion && !found.terminating;
}

/** An archived state whose live revision is gone, until it is certain that it stays. */
export interface UnconfirmedState extends Pick<ArchivedState, 'draft' | 'stored'> {
  /** What the snapshot gains by it, which proves that it stays. */
  readonly proof: MetadataChange;
  /** … and what of it a stored one gains, which others may have changed meanwhile; all of it by default. */
  readonly patchOf?: (stored: SecretMetadata) => MetadataChange;
  readonly change: 'changed' | 'deleted';
}

/**
 * The same for a replacement and a deletion: proves that the snapshot is stored and stays, whatever cleaning deletion of
 * the same revision runs at the same time.
 *
 * @throws {ServiceError} `uncertain`
 */
export async function confirmStored(
  { store }: HistoryContext,
  { draft, stored, proof, patchOf = () => proof, change }: UnconfirmedState,
  deadline: Deadline,
): Promise<void> {
  let known: SecretMetadata | undefined = stored;
  for (let attempt = 1; ; attempt++) {
    try {
      if (known === undefined) await storeAgain(store, withMetadata(draft, proof), deadline);
      else requirePresent(await store.patchMetadata(known, known, patchOf(known), deadline));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isServiceError(error, ...MAY_PASS)) throw notConfirmed(error, change);
    }
    known = await whatIsThere(store, draft, deadline).catch((error: unknown) => {
      throw notConfirmed(error, change);
    });
    if (known !== undefined && hasMetadata(known, withMetadata(draft, patchOf(known)))) return;
  }
}

/** The snapshot changed or is gone, or the response was lost: the next attempt reads what is stored. */
const MAY_PASS = ['notFound', 'conflict', 'exists', 'unavailable', 'uncertain'] as const;

async function storeAgain(store: Store, draft: SecretDraft, deadline: Deadline): Promise<void> {
  if (!holds(await store.create(draft, deadline), draft)) throw historyUnavailable('snapshotChangedOnCreate');
}

async function whatIsThere(store: Store, draft: SecretDraft, deadline: Deadline) {
  const existing = await store.read(draft, deadline);
  if (existing === undefined) return undefined;
  if (!holds(existing, draft)) throw historyUnavailable('snapshotReplaced');
  requirePresent(existing);
  return existing;
}

/** A terminating snapshot is gone as soon as its finalizers allow. */
function requirePresent({ deletionTimestamp }: SecretMetadata): void {
  if (deletionTimestamp !== undefined) throw historyUnavailable('snapshotBeingDeleted');
}

/** A bug is thrown unchanged. */
function notConfirmed(error: unknown, change: UnconfirmedState['change']): unknown {
  if (!isServiceError(error)) return error;
  return new ServiceError(
    'uncertain',
    `The Secret was ${change}, but it is uncertain whether its previous state is in the history: reload`,
    {
      reason: `archiveNotConfirmed:${error.reason ?? error.code}`,
      cause: error,
      retryAfterSeconds: error.retryAfterSeconds,
    },
  );
}

/**
 * Annotates a snapshot of the live revision before a deletion of this revision removes it or makes it final. The deletion
 * must read the live Secret again afterwards. So an update that has stored this snapshot needs no more than
 * to find it unchanged once its own replacement has happened: such a deletion then reads another live revision.
 *
 * The annotation of an earlier deletion has the same effect: the snapshot is no longer as an update has stored it.
 *
 * @returns the snapshot as it is stored now
 * @throws {ServiceError} those of the store
 */
export async function beginDeletion<Stored extends SecretMetadata>(
  { store, codec }: HistoryContext,
  stored: Stored,
  deadline: Deadline,
): Promise<Stored> {
  const change = { annotations: codec.deletionBegun };
  if (hasMetadata(stored, { labels: new Map(), ...change })) return stored;
  return { ...stored, ...(await store.patchMetadata(stored, stored, change, deadline)) };
}
