/** What tells how old an archived state is. */
export interface Aged {
  readonly version: number;
  /** The revision of the live Secret that is archived. */
  readonly sourceResourceVersion: string;
}

/**
 * Newest first, by the revision that each archives, and by version where that does not tell. The version alone would
 * not do: somebody beside the service may have removed or lowered the live counter, and then what was archived last
 * has the lowest number. Revisions of one cluster are decimal numbers that only grow (Kubernetes: API concepts,
 * resource versions); should one of them be something else, versions decide for all.
 */
export function newestFirst<Item>(items: readonly Item[], agedOf: (item: Item) => Aged): readonly Item[] {
  const comparable = items.every((item) => isNumeral(agedOf(item).sourceResourceVersion));
  const revisionOf = (item: Item) => (comparable ? BigInt(agedOf(item).sourceResourceVersion) : 0n);
  return [...items].sort((one, other) => {
    const [first, second] = [revisionOf(one), revisionOf(other)];
    if (first !== second) return first < second ? 1 : -1;
    return agedOf(other).version - agedOf(one).version;
  });
}

/** Whether `sourceResourceVersion` is known to come after `other`. */
export function isLaterThan(sourceResourceVersion: string, other: string): boolean {
  return (
    isNumeral(sourceResourceVersion) && isNumeral(other) && BigInt(sourceResourceVersion) > BigInt(other)
  );
}

function isNumeral(revision: string): boolean {
  return /^[0-9]{1,40}$/.test(revision);
}
