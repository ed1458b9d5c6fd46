import type { Deadline } from '../../timing/deadline.ts';
import { collectPages, REDUCED_ON_ARRIVAL, type Collection } from '../../kube/collect.ts';
import type { DeletionRecord } from '../../kube/managed-metadata.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import type { HistoryContext } from './context.ts';
import { historyUnavailable } from './history-unavailable.ts';
import { newestFirst } from './rank.ts';
import { readMetadata, readSnapshot, type BoundMetadata, type Snapshot } from './snapshot.ts';

/** A final snapshot as metadata. */
export interface FinalMetadata extends BoundMetadata {
  readonly deletion: DeletionRecord;
}

/** … with its values. */
export interface FinalSnapshot extends Snapshot {
  readonly deletion: DeletionRecord;
}

/**
 * The final snapshots of a namespace, each reduced as it arrives; whether their live UIDs are gone is not known yet.
 * @throws {ServiceError} `historyUnavailable`
 */
export async function finalSnapshots<Reduced>(
  { store, codec }: HistoryContext<'listPage'>,
  namespace: string,
  reduce: (snapshot: FinalSnapshot) => Reduced,
  deadline: Deadline,
): Promise<Collection<Reduced>> {
  const { items, resourceVersion } = await collectPages({
    subject: 'Secrets',
    budget: REDUCED_ON_ARRIVAL,
    listPage: (page) => store.listPage(namespace, { labelSelector: codec.finalSelector, ...page }, deadline),
    keep: (stored: StoredSecret) => {
      const { name, resourceVersion: revision } = stored;
      const final = readFinal(stored);
      return { name, revision, kept: final && reduce(final) };
    },
  }).catch((error: unknown) => {
    throw historyUnavailable('historyNotRead', error);
  });
  return { items: items.map(({ kept }) => kept).filter((one) => one !== undefined), resourceVersion };
}

/**
 * The newest final snapshot of a UID; undefined when there is none.
 * @throws {ServiceError} `historyUnavailable`
 */
export async function findFinal(
  { store, codec }: HistoryContext<'listMetadata'>,
  { namespace, uid }: { readonly namespace: string; readonly uid: string },
  deadline: Deadline,
): Promise<FinalMetadata | undefined> {
  const labelSelector = codec.finalSelectorOf(uid);
  const { items } = await collectPages({
    subject: 'Secrets',
    listPage: (page) => store.listMetadata(namespace, { labelSelector, ...page }, deadline),
    keep: (stored: SecretMetadata) => stored,
  }).catch((error: unknown) => {
    throw historyUnavailable('historyNotListed', error);
  });
  const found = items.flatMap((stored) => {
    const metadata = readMetadata(stored);
    const deletion = deletionOf(stored);
    if (typeof metadata === 'string' || deletion === undefined || metadata.uid !== uid) return [];
    return [{ ...metadata, deletion, stored }];
  });
  return newestFirst(found, (final) => final)[0];
}

/**
 * A final snapshot with its values; undefined when it is no longer what was found.
 * @throws {ServiceError} `historyUnavailable`
 */
export async function readFound(
  store: Pick<SnapshotStore, 'read'>,
  { stored: { namespace, name, uid } }: FinalMetadata,
  deadline: Deadline,
): Promise<FinalSnapshot | undefined> {
  const stored = await store.read({ namespace, name }, deadline).catch((error: unknown) => {
    throw historyUnavailable('historyNotRead', error);
  });
  return stored?.uid === uid ? readFinal(stored) : undefined;
}

function readFinal(stored: StoredSecret): FinalSnapshot | undefined {
  const snapshot = readSnapshot(stored);
  const deletion = deletionOf(stored);
  return typeof snapshot === 'string' || deletion === undefined ? undefined : { ...snapshot, deletion };
}

/** What is being deleted counts as absent. */
function deletionOf({ deletionTimestamp, managed }: SecretMetadata): DeletionRecord | undefined {
  return deletionTimestamp === undefined ? managed.snapshot?.deletion : undefined;
}
