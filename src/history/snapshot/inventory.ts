import type { Deadline } from '../../timing/deadline.ts';
import { collectPages, REDUCED_ON_ARRIVAL } from '../../kube/collect.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import type { HistoryContext } from './context.ts';
import { newestFirst, type Aged } from './rank.ts';
import {
  archives,
  readMetadata,
  readSnapshot,
  type BoundMetadata,
  type LiveIdentity,
  type Snapshot,
} from './snapshot.ts';

/**
 * The eligible snapshots of one live Secret, newest first: history objects with consistent metadata that are bound to
 * its UID. Objects with incomplete metadata are left out, so they are never listed, restored or deleted. `reduce` is
 * applied to each as it arrives, because all values together may not fit into memory.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function boundSnapshots<Reduced extends Aged>(
  { store, codec }: HistoryContext<'listPage'>,
  live: StoredSecret,
  reduce: (snapshot: Snapshot) => Reduced,
  deadline: Deadline,
): Promise<readonly Reduced[]> {
  const labelSelector = codec.snapshotSelector(live.uid);
  const { items } = await collectPages({
    subject: 'Secrets',
    budget: REDUCED_ON_ARRIVAL,
    listPage: (query) => store.listPage(live.namespace, { labelSelector, ...query }, deadline),
    keep: (stored: StoredSecret) => {
      const { name, resourceVersion } = stored;
      const snapshot = readSnapshot(stored);
      // A terminating snapshot counts as absent.
      const isThere = stored.deletionTimestamp === undefined;
      const isBound = isThere && typeof snapshot !== 'string' && archives(snapshot, live);
      return { name, resourceVersion, kept: isBound ? reduce(snapshot) : undefined };
    },
  });
  const kept = items.map((item) => item.kept).filter((one) => one !== undefined);
  return newestFirst(kept, (one) => one);
}

/**
 * The same snapshots as metadata alone.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function boundMetadata(
  { store, codec }: HistoryContext<'listMetadata'>,
  live: LiveIdentity,
  deadline: Deadline,
): Promise<readonly BoundMetadata[]> {
  const labelSelector = codec.snapshotSelector(live.uid);
  const { items } = await collectPages({
    subject: 'Secrets',
    listPage: (query) => store.listMetadata(live.namespace, { labelSelector, ...query }, deadline),
    keep: (stored: SecretMetadata) => stored,
  });
  const bound = items
    .map((stored) => {
      const metadata = readMetadata(stored);
      return typeof metadata === 'string' ? metadata : { ...metadata, stored };
    })
    .filter((metadata) => typeof metadata !== 'string')
    .filter((metadata) => archives(metadata, live));
  return newestFirst(bound, (metadata) => metadata);
}
