import type { Deadline } from '../../timing/deadline.ts';
import type { Collected, Collection, Pass } from '../../kube/collect.ts';
import type { DeletionRecord } from '../../kube/managed-metadata.ts';
import { NO_BUDGET } from '../../kube/page-sizes.ts';
import type { SecretMetadata, SecretRef, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { isSnapshot, toIndexed, type IndexedHistory } from './indexed-secret.ts';
import { listSelected, unavailableAt, type HistoryContext, type KnownObjects } from './inventory.ts';
import { newestFirst } from './rank.ts';
import { readSnapshot, type BoundMetadata } from './snapshot.ts';

/** A final snapshot as metadata. */
export interface FinalMetadata<Stored extends SecretMetadata = SecretMetadata> extends BoundMetadata<Stored> {
  readonly deletion: DeletionRecord;
}

/** … with its values. */
export type FinalSnapshot = FinalMetadata<StoredSecret>;

/** Where a final snapshot is. */
export interface FinalRef {
  readonly stored: SecretRef & { readonly uid: string };
}

export type ReduceFinal<Reduced> = (snapshot: FinalMetadata, pass: Pass) => Reduced;

/**
 * The final snapshots of the Secrets of a namespace that no longer exist, each reduced as it arrives. A snapshot counts
 * only if nothing newer of its UID is archived: an update or another deletion came after it.
 *
 * Only metadata is read. What exists, and which snapshot is the newest, is known from the watch of this replica, no
 * earlier than the snapshots were listed; where the watch is behind, from one list of the namespace.
 *
 * @throws {ServiceError} `historyUnavailable`; `listOverBudget` as `reduce` throws it
 */
export async function finalSnapshots<Reduced>(
  { store, codec, index }: HistoryContext,
  namespace: string,
  reduce: ReduceFinal<Reduced>,
  deadline: Deadline,
): Promise<Collection<Reduced>> {
  const selection = { namespace, labelSelector: codec.finalSelector };
  const { items, resourceVersion } = await listAll(store, selection, deadline, (stored, pass) => {
    const final = finalOf(stored);
    return final && { of: final.of, uid: final.uid, storedUid: stored.uid, reduced: reduce(final, pass) };
  });
  const found = items.filter((one) => one !== undefined);
  if (found.length === 0) return { items: [], resourceVersion };
  const known =
    (await index?.at({ namespace, resourceVersion }, deadline)) ??
    (await listObjects(store, namespace, found, deadline));
  const yielder = createEventLoopYielder();
  const newest = new Map<string, string | undefined>();
  const deleted: Reduced[] = [];
  for (const { of, uid, storedUid, reduced } of found) {
    if (yielder.isDue()) await yielder.yieldNow();
    if (!newest.has(uid)) newest.set(uid, newestOf(known.historyOf(uid))?.uid);
    // A live Secret may have labels of history; it exists all the same.
    if (known.uidOf(of) !== uid && newest.get(uid) === storedUid) deleted.push(reduced);
  }
  return { items: deleted, resourceVersion };
}

/** Whatever a newer snapshot lacks otherwise, it was archived later. */
function newestOf(history: readonly IndexedHistory[]): IndexedHistory | undefined {
  return newestFirst(history.filter(isSnapshot), ({ parsed }) => parsed)[0];
}

/** Of all objects of the namespace, what matters to the final snapshots. */
async function listObjects(
  store: Pick<SnapshotStore, 'listMetadata'>,
  namespace: string,
  finals: readonly Pick<FinalMetadata, 'of' | 'uid'>[],
  deadline: Deadline,
): Promise<KnownObjects> {
  const names = new Set(finals.map(({ of }) => of));
  const wanted = new Set(finals.map(({ uid }) => uid));
  const { items } = await listAll(store, { namespace, labelSelector: '' }, deadline, (stored) => {
    const object = toIndexed(stored);
    const isHistory = object.kind === 'history' && wanted.has(object.claimedUid);
    return isHistory || names.has(object.name) ? object : undefined;
  });
  const objects = items.filter((object) => object !== undefined);
  const history = objects.filter((object) => object.kind === 'history');
  const byUid = Map.groupBy(history, ({ claimedUid }) => claimedUid);
  const uids = new Map(objects.map(({ name, uid }) => [name, uid]));
  return { historyOf: (uid) => byUid.get(uid) ?? [], uidOf: (name) => uids.get(name) };
}

/** However many there are, little is kept of each. */
function listAll<Kept>(
  store: Pick<SnapshotStore, 'listMetadata'>,
  selection: { readonly namespace: string; readonly labelSelector: string },
  deadline: Deadline,
  keep: Collected<SecretMetadata, Kept>['keep'],
): Promise<Collection<Kept>> {
  const unbounded = { ...selection, budget: NO_BUDGET };
  return listSelected(store, unbounded, deadline, keep).catch(unavailableAt('historyNotListed'));
}

/**
 * The final snapshot of a UID, if nothing newer of it is archived; undefined when there is none.
 * @throws {ServiceError} `historyUnavailable`
 */
export async function findFinal(
  { store, codec }: HistoryContext,
  { namespace, uid }: { readonly namespace: string; readonly uid: string },
  deadline: Deadline,
): Promise<FinalMetadata | undefined> {
  const labelSelector = codec.uidSelector(uid);
  const { items } = await listAll(store, { namespace, labelSelector }, deadline, (stored) => ({
    object: toIndexed(stored),
    final: finalOf(stored),
  }));
  const history = items.map(({ object }) => object).filter((object) => object.kind === 'history');
  const newest = newestOf(history.filter(({ claimedUid }) => claimedUid === uid));
  return items.find(({ object }) => object === newest)?.final;
}

/**
 * A final snapshot with its values; undefined when it is no longer what was found.
 * @throws {ServiceError} `historyUnavailable`
 */
export async function readFound(
  { store }: HistoryContext,
  { stored: { namespace, name, uid } }: FinalRef,
  deadline: Deadline,
): Promise<FinalSnapshot | undefined> {
  const stored = await store.read({ namespace, name }, deadline).catch(unavailableAt('historyNotRead'));
  if (stored?.uid !== uid) return undefined;
  return finalOf(stored);
}

/** What is being deleted counts as absent, and so does a record without its label. */
function finalOf<Stored extends SecretMetadata>(stored: Stored): FinalMetadata<Stored> | undefined {
  const { deletion, missingLabels } = stored.managed.snapshot ?? {};
  const metadata = readSnapshot(stored);
  if (stored.deletionTimestamp !== undefined || missingLabels?.size !== 0) return undefined;
  return typeof metadata === 'string' || deletion === undefined ? undefined : { ...metadata, deletion };
}
