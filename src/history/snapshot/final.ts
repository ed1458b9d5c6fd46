import type { Deadline } from '../../timing/deadline.ts';
import type { DeletionRequest } from '../../kube/managed-metadata.ts';
import type { MetadataChange, StoredSecret } from '../../kube/secret.ts';
import { archive, type ArchivedState } from './archive.ts';
import { confirmStored } from './confirm.ts';
import { beginDeletion } from './begin-deletion.ts';
import type { HistoryContext } from './context.ts';
import { historyUnavailable } from './history-unavailable.ts';
import { findKnownSnapshots, type HistoryIndex } from './known-snapshots.ts';
import { requireGrowingNumber } from './retention.ts';
import { sameData } from './secret-data.ts';
import { archives, readSnapshot, snapshotDraft, withMetadata } from './snapshot.ts';
import { snapshotName } from './snapshot-name.ts';

type FinalContext = HistoryContext<'create' | 'read' | 'delete' | 'listMetadata' | 'patchMetadata'>;

/** A deletion that archives the live state first. */
export interface FinalDeletion {
  readonly record: DeletionRequest;
  /** Throws `conflict` when the live object is no longer the authorized revision. */
  readonly requireUnchanged: () => Promise<void>;
}

/** The state of a live Secret that is about to be deleted. */
export interface FinalArchive extends Pick<ArchivedState, 'draft' | 'stored'> {
  /** What proves that it stays; see {@link confirmFinal}. */
  readonly proof: MetadataChange;
}

/** The annotations of the final snapshot, to be checked before it is stored. */
export function finalAnnotations(
  live: StoredSecret,
  deletion: DeletionRequest,
  codec: FinalContext['codec'],
): ReadonlyMap<string, string> {
  const draft = snapshotDraft(live, live.managed.version, codec);
  return withMetadata(draft, proofOf(live, deletion, codec)).annotations;
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
  context: FinalContext & { readonly index: HistoryIndex | undefined },
  live: StoredSecret,
  { record, requireUnchanged }: FinalDeletion,
  deadline: Deadline,
): Promise<FinalArchive> {
  const { codec } = context;
  const earlier = await finalOfPending(context, live, deadline);
  if (earlier !== undefined) {
    return { draft: earlier, stored: earlier, proof: { annotations: codec.deletionAccepted } };
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
  return { draft, stored: { ...current, ...recorded }, proof: proofOf(live, record, codec) };
}

function notFinal(error: unknown): never {
  throw historyUnavailable('snapshotNotFinal', error);
}

/**
 * Proves, after the live deletion was accepted, that the final snapshot is stored and stays, whatever cleaning deletion
 * of the same revision runs at the same time; see {@link confirmStored}.
 *
 * @throws {ServiceError} `uncertain`
 */
export function confirmFinal(
  context: FinalContext,
  archived: FinalArchive,
  deadline: Deadline,
): Promise<void> {
  return confirmStored(context, archived, { proof: archived.proof, change: 'deleted' }, deadline);
}

/** The whole record again: another deletion of the same revision may have written its own meanwhile. */
function proofOf(
  live: StoredSecret,
  deletion: DeletionRequest,
  codec: FinalContext['codec'],
): MetadataChange {
  const { labels, annotations } = codec.final(live, deletion);
  return { labels, annotations: new Map([...annotations, ...codec.deletionAccepted]) };
}

async function finalOfPending(
  { store }: FinalContext,
  live: StoredSecret,
  deadline: Deadline,
): Promise<StoredSecret | undefined> {
  if (live.deletionTimestamp === undefined) return undefined;
  const ref = { namespace: live.namespace, name: snapshotName(live.name, live.managed.version, live.uid) };
  const stored = await store.read(ref, deadline).catch((error: unknown) => {
    throw historyUnavailable('snapshotNotRead', error);
  });
  if (stored === undefined || stored.deletionTimestamp !== undefined) return undefined;
  const snapshot = readSnapshot(stored);
  const isFinal =
    typeof snapshot !== 'string' &&
    archives(snapshot, live) &&
    snapshot.type === live.type &&
    stored.managed.snapshot?.deletion !== undefined &&
    sameData(snapshot.data, live.data);
  return isFinal ? stored : undefined;
}
