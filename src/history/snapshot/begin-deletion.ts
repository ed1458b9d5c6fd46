import type { Deadline } from '../../timing/deadline.ts';
import type { SecretMetadata } from '../../kube/secret.ts';
import type { HistoryContext } from './context.ts';
import { hasMetadata } from './snapshot.ts';

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
  { store, codec }: HistoryContext<'patchMetadata'>,
  stored: Stored,
  deadline: Deadline,
): Promise<Stored> {
  const change = { annotations: codec.deletionBegun };
  if (hasMetadata(stored, { labels: new Map(), ...change })) return stored;
  return { ...stored, ...(await store.patchMetadata(stored, stored, change, deadline)) };
}
