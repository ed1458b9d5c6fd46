import type { SnapshotMetadata } from '../../kube/managed-metadata.ts';
import { isLater, parseRevision } from '../../kube/resource-version.ts';

/** What determines the rank of an archived state. */
export type Aged = Pick<SnapshotMetadata, 'version' | 'sourceResourceVersion'>;

/**
 * The order of the snapshots of a UID, for updates, the reconciler and the list of versions: newest first, by the
 * revision that each archives. The version is not enough: someone outside the service may have removed or lowered the
 * live counter, and then the last archived state has the lowest number. Revisions of one resource are decimal numbers
 * that only grow (Kubernetes: API concepts, resource versions); any other revision counts as the oldest. One revision
 * may be archived twice, after a recovery of the counter that failed halfway: then the version decides.
 */
export function newestFirst<Item>(items: readonly Item[], agedOf: (item: Item) => Aged): readonly Item[] {
  return items
    .map((item) => ({
      item,
      aged: agedOf(item),
      revision: parseRevision(agedOf(item).sourceResourceVersion) ?? -1n,
    }))
    .sort((one, other) => {
      if (one.revision !== other.revision) return one.revision < other.revision ? 1 : -1;
      return other.aged.version - one.aged.version;
    })
    .map(({ item }) => item);
}

/**
 * The items beyond the limit, oldest first. A snapshot whose source is still the live revision has no rank, because its
 * replacement has not happened and may never happen. It does not count towards the limit and is not removed.
 *
 * @param items of one live UID, as they were all stored at one point in time
 * @param liveResourceVersion the live revision at that time, or an earlier one
 */
export function beyondLimit<Item>(
  items: readonly Item[],
  agedOf: (item: Item) => Aged,
  liveResourceVersion: string,
  limit: number,
): readonly Item[] {
  const replaced = items.filter((item) =>
    isReplaced(agedOf(item).sourceResourceVersion, liveResourceVersion),
  );
  return newestFirst(replaced, agedOf).slice(limit).reverse();
}

/** Whether a live Secret with this revision has replaced the source revision. */
export function isReplaced(sourceResourceVersion: string, liveResourceVersion: string): boolean {
  const [source, live] = [parseRevision(sourceResourceVersion), parseRevision(liveResourceVersion)];
  if (source === undefined || live === undefined) return sourceResourceVersion !== liveResourceVersion;
  return isLater(live, source);
}
