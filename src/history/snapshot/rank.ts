import { isLater, parseRevision } from '../../kube/resource-version.ts';

/** What the rank of an archived state is decided by. */
export interface Aged {
  readonly version: number;
  /** The revision of the live Secret that is archived. */
  readonly sourceResourceVersion: string;
}

/**
 * The one order of the snapshots of a UID, in updates, the reconciler and the list of versions: newest first, by the
 * revision that each archives. The version alone would not do: someone outside the service may have removed or lowered
 * the live counter, and then what was archived last has the lowest number. Revisions of one resource are decimal numbers
 * that only grow (Kubernetes: API concepts, resource versions); one that is none is taken for older than all others.
 * One revision may be archived twice, after a recovery of the counter that failed halfway: then the version decides.
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
 * What is beyond the limit, oldest first. A snapshot whose source is still the live revision has no rank: its
 * replacement has not happened, and may never happen. It neither pushes out another one nor is it removed.
 *
 * @param items of one live UID, as they were all stored at one moment
 * @param liveResourceVersion the live revision at that moment, or an earlier one
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

/** Whether a live Secret that has this revision now has left the source revision behind. */
export function isReplaced(sourceResourceVersion: string, liveResourceVersion: string): boolean {
  const [source, live] = [parseRevision(sourceResourceVersion), parseRevision(liveResourceVersion)];
  if (source === undefined || live === undefined) return sourceResourceVersion !== liveResourceVersion;
  return isLater(live, source);
}
