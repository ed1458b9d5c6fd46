import type { Deadline } from '../../timing/deadline.ts';
import { ignoring, isServiceError } from '../../errors/service-error.ts';
import type { DeletionRequest } from '../../kube/managed-metadata.ts';
import { hasReached, parseRevision } from '../../kube/resource-version.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import { archive, requireGrowingNumber, type ArchivedState } from './archive.ts';
import { beginDeletion, confirmStored, type UnconfirmedState } from './confirm.ts';
import { findKnownSnapshots, historyUnavailable, unavailableAt, type HistoryContext } from './inventory.ts';
import { archives, sameData, snapshotDraft, withMetadata } from './snapshot.ts';
import { findFinal, readFound } from './final-inventory.ts';

/** A deletion that archives the live state first. */
export interface FinalDeletion {
  readonly record: DeletionRequest;
  /** Throws `conflict` when the live object is no longer the authorized revision. */
  readonly requireUnchanged: () => Promise<void>;
}

/** The annotations that {@link archiveFinal} will store, to be checked before. */
export function finalAnnotations(
  { codec }: HistoryContext,
  live: StoredSecret,
  deletion: DeletionRequest,
): ReadonlyMap<string, string> {
  const draft = snapshotDraft(live, live.managed.version, codec);
  return withMetadata(draft, proofOf(live, deletion, codec).proof).annotations;
}

/**
 * Archives the state of `live` under its own number by the rules of an update, and records the deletion on the snapshot.
 * Nothing is removed for the limit: that is no rule for the history of a deleted Secret. A snapshot that an earlier
 * attempt has left, of an update or a deletion, is reused. That update may still be under way; see {@link beginDeletion}.
 *
 * A deletion that waits for finalizers changes the revision of the live Secret and nothing else. When it is requested
 * again, what was archived then is what is live now.
 *
 * @throws {ServiceError} `snapshotCollision`, `conflict` or `historyUnavailable`; then nothing may be deleted
 */
export async function archiveFinal(
  context: HistoryContext,
  live: StoredSecret,
  { record, requireUnchanged }: FinalDeletion,
  deadline: Deadline,
): Promise<UnconfirmedState> {
  const { codec } = context;
  const earlier = await finalOfPending(context, live, deadline);
  // The first accepted deletion stays on record; description and rules may have changed since.
  if (earlier !== undefined) {
    const { deletion, stored } = earlier;
    const draft = withMetadata(stored, codec.notFinal);
    return { draft, stored, ...proofOf(live, deletion.accepted ? deletion : record, codec) };
  }
  const { version } = live.managed;
  requireGrowingNumber(live, version, await findKnownSnapshots(context, live, deadline));
  const { draft, stored, isNew } = await archive(context, live, version, deadline);
  const current = isNew ? stored : await beginDeletion(context, stored, deadline).catch(notFinal);
  if (!isNew) await requireUnchanged();
  const recorded = await context.store
    .patchMetadata(current, current, codec.final(live, record), deadline)
    .catch(notFinal);
  if (recorded.deletionTimestamp !== undefined) throw historyUnavailable('snapshotBeingDeleted');
  return { draft, stored: { ...current, ...recorded }, ...proofOf(live, record, codec) };
}

const notFinal = unavailableAt('snapshotNotFinal');

/**
 * Lets the final snapshot take over the description and the access rules that a pending Secret is about to get; undefined
 * where there is none. Its values are what is archived already. It is changed first: if the process dies before the
 * replacement, it has the rules that someone with the right to change them has requested, never older ones than the live
 * Secret. {@link confirmFollowed} follows after the replacement: of two who do this at once, the one who replaces the live
 * Secret writes last.
 *
 * @throws {ServiceError} `conflict` or `historyUnavailable`; then nothing may be replaced
 */
export async function followPending(
  context: HistoryContext,
  live: StoredSecret,
  { annotations, requireUnchanged }: PendingChange,
  deadline: Deadline,
): Promise<UnconfirmedState | undefined> {
  const { codec, store } = context;
  const earlier = await finalOfPending(context, live, deadline);
  if (earlier === undefined) return undefined;
  await requireUnchanged();
  const { deletion, stored } = earlier;
  const requested = { annotations: codec.takenOver({ ...live, annotations }) };
  const patched = await store.patchMetadata(stored, stored, requested, deadline).catch(notFinal);
  const draft = withMetadata(stored, codec.notFinal);
  const proof = deletion.accepted ? proofOf(live, deletion, codec).proof : codec.final(live, deletion);
  return { draft, stored: { ...stored, ...patched }, proof, change: 'changed' };
}

/** A change of a Secret whose deletion is pending. */
export interface PendingChange {
  /** Of the live Secret after the change. */
  readonly annotations: ReadonlyMap<string, string>;
  /** Throws `conflict` when the live object is no longer the authorized revision. */
  readonly requireUnchanged: () => Promise<void>;
}

/** @throws {ServiceError} `uncertain` */
export function confirmFollowed(
  context: HistoryContext,
  { proof, ...followed }: UnconfirmedState,
  changed: StoredSecret,
  deadline: Deadline,
): Promise<void> {
  const rules = context.codec.takenOver(changed);
  const annotations = new Map([...(proof.annotations ?? []), ...rules]);
  const patchOf = (known: SecretMetadata) => (isOvertaken(known, changed) ? {} : { annotations: rules });
  return confirmStored(context, { ...followed, proof: { ...proof, annotations }, patchOf }, deadline);
}

/**
 * Voids the record of a deletion that has failed, before the live Secret is deleted without archive. The record of one
 * that is under way is voided, too; it writes its own again once it is accepted. A failure changes nothing: the deleted
 * Secret is then listed as uncertain. The record of an accepted deletion stays: the Secret is pending or gone, and what is
 * under way here will fail.
 */
export async function voidFinal(
  { store, codec, index }: HistoryContext,
  live: StoredSecret,
  deadline: Deadline,
): Promise<void> {
  if (live.deletionTimestamp !== undefined) return;
  const known = await index?.at(live, deadline);
  const finals = (known?.historyOf(live.uid) ?? []).filter(
    ({ parsed, terminating }) =>
      typeof parsed !== 'string' && parsed.isFinal && parsed.deletedAt === undefined && !terminating,
  );
  for (const final of finals) {
    await store.patchMetadata(final, final, codec.notFinal, deadline).catch(ignoring());
  }
}

/**
 * The same before an update replaces a state whose deletion has failed: then the record is gone although the process dies
 * before the update is confirmed.
 *
 * @returns the handler of a replacement that fails, if there was a record: it is written again where the live Secret has
 *   changed or is gone, since that deletion may have done it
 * @throws {ServiceError} `historyUnavailable`; then nothing may be replaced
 */
export async function voidBeforeReplacement(
  { store, codec }: HistoryContext,
  live: StoredSecret,
  { stored, isNew }: ArchivedState,
  deadline: Deadline,
) {
  const deletion = stored.managed.snapshot?.deletion;
  if (isNew || deletion?.accepted !== false) return undefined;
  const voided = await store.patchMetadata(stored, stored, codec.notFinal, deadline).catch(notFinal);
  return async (error: unknown): Promise<never> => {
    // The conflict is the answer, whether or not the record could be written again.
    if (isServiceError(error, 'conflict'))
      await store.patchMetadata(voided, voided, codec.final(live, deletion), deadline).catch(ignoring());
    throw error;
  };
}

/**
 * The whole record again: another deletion of the same revision may have written its own meanwhile. What the snapshot has
 * taken over from a later revision since stays.
 */
function proofOf(live: StoredSecret, deletion: DeletionRequest, codec: HistoryContext['codec']) {
  const { labels, annotations } = codec.deletionRecord(deletion);
  const record = { labels, annotations: new Map([...annotations, ...codec.deletionAccepted]) };
  const proof = { labels, annotations: new Map([...record.annotations, ...codec.takenOver(live)]) };
  const patchOf = (known: SecretMetadata) => (isOvertaken(known, live) ? record : proof);
  return { proof, patchOf, change: 'deleted' } as const;
}

/** Whether a final snapshot has the rules of a later revision, or those that a change of this one has requested. */
function isOvertaken({ managed }: SecretMetadata, { resourceVersion }: StoredSecret): boolean {
  return hasReached(parseRevision(managed.snapshot?.rulesOf), parseRevision(resourceVersion));
}

/** The final snapshot of a Secret that waits for finalizers, if its values are those that are live. */
async function finalOfPending(context: HistoryContext, live: StoredSecret, deadline: Deadline) {
  if (live.deletionTimestamp === undefined) return undefined;
  const found = await findFinal(context, live, deadline);
  const final = found && (await readFound(context, found, deadline));
  if (final === undefined || !archives(final, live) || final.type !== live.type) return undefined;
  return sameData(final.stored.data, live.data) ? final : undefined;
}
