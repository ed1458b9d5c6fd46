import type { Deadline } from '../timing/deadline.ts';
import { ignoring } from '../errors/service-error.ts';
import { archive, prune, requireGrowingNumber, surplusOf, type ArchivedState } from './snapshot/archive.ts';
import { cleanHistory } from './snapshot/cleanup.ts';
import { confirmArchived, confirmStored } from './snapshot/confirm.ts';
import {
  archiveFinal,
  confirmFollowed,
  finalAnnotations,
  followPending,
  voidBeforeReplacement,
  voidFinal,
} from './snapshot/final.ts';
import { finalSnapshots, findFinal, readFound, type ReduceFinal } from './snapshot/final-inventory.ts';
import {
  findKnownSnapshots,
  unavailableAt,
  type HistoryContext,
  type KnownSnapshot,
} from './snapshot/inventory.ts';
import type { StoredSecret } from '../kube/secret.ts';
import { findFreeVersion } from './snapshot/free-version.ts';
import { archives, readSnapshot, snapshotName, type Snapshot } from './snapshot/snapshot.ts';
import { listVersions } from './snapshot/version-list.ts';

// The module's public entry. What runs in the background enters through reconciler/controller.ts, and the interfaces that
// others implement are in ports.ts.
export { differences, stateOfObject, type ObjectState } from './inspection/compare-backup.ts';
export { inspectHistory, type Inspection } from './inspection/inspect.ts';
export { listReport, showReport, verifyReport } from './inspection/report.ts';
export { snapshotCollision } from './snapshot/archive.ts';
export type { FinalDeletion } from './snapshot/final.ts';
export type { FinalMetadata, FinalRef } from './snapshot/final-inventory.ts';
export type { KeyChanges, ListedSnapshots } from './snapshot/version-list.ts';
export {
  keyOf,
  keyOfHistory,
  partsOf,
  stateOfSnapshot,
  toIndexed,
  type IndexedHistory,
  type IndexedLive,
  type IndexedSecret,
  type SnapshotStatistics,
} from './snapshot/indexed-secret.ts';
export { historyNotReadInTime, historyUnavailable, type HistoryIndex } from './snapshot/inventory.ts';
export {
  claimsToBeHistory,
  dataBytes,
  sameData,
  type BoundMetadata,
  type LiveIdentity,
  type Snapshot,
} from './snapshot/snapshot.ts';

/** What `confirm` needs after the replacement: what was archived, and what is beyond the limit, but kept. */
type ArchiveReceipt = ArchivedState & { readonly kept: readonly KnownSnapshot[] };

/** The history of live Secrets. docs/history.md lists its guarantees and what ensures each of them. */
export type History = ReturnType<typeof createHistory>;

export function createHistory(context: HistoryContext) {
  const { store, limit } = context;
  return {
    /**
     * The steps before a replacement: checks that the number is above all others, stores the state of `live`, and removes
     * snapshots beyond the limit.
     *
     * @param keepVersion is not removed before the replacement, whatever the limit is: a restore's source
     * @returns what `confirm` needs, and the handler of a replacement that fails
     * @throws {ServiceError} `snapshotCollision`, `historyUnavailable` or `conflict`; then nothing may be replaced
     */
    archive: async (
      live: StoredSecret,
      version: number,
      keepVersion: number | undefined,
      deadline: Deadline,
    ) => {
      const known = await findKnownSnapshots(context, live, deadline);
      requireGrowingNumber(live, version, known);
      const archived = await archive(context, live, version, deadline);
      const surplus = surplusOf(live, known, limit);
      const isKept = (snapshot: KnownSnapshot) => snapshot.version === keepVersion;
      await prune(
        store,
        surplus.filter((snapshot) => !isKept(snapshot)),
        deadline,
      );
      const notReplaced = await voidBeforeReplacement(context, live, archived, deadline);
      return { ...archived, kept: surplus.filter(isKept), notReplaced };
    },
    /**
     * The steps after the replacement: confirms that the archived state is stored and stays. A version that was kept
     * until now is removed; if that fails, the reconciler removes it.
     *
     * @param written the live Secret as the replacement has made it
     * @throws {ServiceError} `uncertain`; then the update must not be acknowledged
     */
    confirm: async ({ kept, ...archived }: ArchiveReceipt, written: StoredSecret, deadline: Deadline) => {
      await confirmArchived(context, archived, written, deadline);
      // The write has succeeded, and its response must say so: the reconciler removes them.
      await prune(store, kept, deadline).catch(ignoring('historyUnavailable'));
    },
    /** See {@link listVersions}. @throws {ServiceError} `historyUnavailable` */
    list: (live: StoredSecret, deadline: Deadline) =>
      listVersions(context, live, deadline).catch(unavailableAt('historyNotRead')),
    /**
     * The snapshot of one version of this live object; undefined if none is bound to it, or it is being deleted.
     * @throws {ServiceError} `historyUnavailable`
     */
    read: readBound.bind(undefined, context),
    /** The number under which a reviewed state is archived, see {@link findFreeVersion}. */
    freeVersion: findFreeVersion.bind(undefined, context),
    /** Removes all eligible snapshots, see {@link cleanHistory}. */
    clean: cleanHistory.bind(undefined, context),
    final: finalHistory(context),
  };
}

/** What comes of a Secret that is deleted and archived. */
function finalHistory(context: HistoryContext) {
  return {
    annotations: finalAnnotations.bind(undefined, context),
    archive: archiveFinal.bind(undefined, context),
    confirm: confirmStored.bind(undefined, context),
    follow: followPending.bind(undefined, context),
    confirmFollowed: confirmFollowed.bind(undefined, context),
    void: voidFinal.bind(undefined, context),
    list: <Reduced>(namespace: string, reduce: ReduceFinal<Reduced>, deadline: Deadline) =>
      finalSnapshots(context, namespace, reduce, deadline),
    find: findFinal.bind(undefined, context),
    read: readFound.bind(undefined, context),
  };
}

/** Reads a snapshot by its name. Only a bound snapshot that is not being deleted counts. */
async function readBound(
  { store }: HistoryContext,
  live: StoredSecret,
  version: number,
  deadline: Deadline,
): Promise<Snapshot | undefined> {
  const ref = { namespace: live.namespace, name: snapshotName(live.name, version, live.uid) };
  const stored = await store.read(ref, deadline).catch(unavailableAt('historyNotRead'));
  if (stored === undefined || stored.deletionTimestamp !== undefined) return undefined;
  const snapshot = readSnapshot(stored);
  return typeof snapshot !== 'string' && archives(snapshot, live) ? snapshot : undefined;
}
