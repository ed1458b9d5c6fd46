import type { ListItem } from './list-item.ts';

type Named = Pick<ListItem, 'namespace' | 'name'>;

/**
 * Collects any number of Secrets, and keeps the first ones: by their rank, then by name, then by namespace. A rank is
 * determined once.
 */
export function createFirstOf<Item extends Named>(rankOf: (item: Item) => number, limit: number) {
  let kept: { readonly item: Item; readonly rank: number }[] = [];
  let count = 0;
  const shorten = (): void => {
    kept = kept
      .sort((one, other) => one.rank - other.rank || byNameAndNamespace(one.item, other.item))
      .slice(0, limit);
  };
  return {
    add: (item: Item): void => {
      count++;
      kept.push({ item, rank: rankOf(item) });
      if (kept.length >= 2 * limit) shorten();
    },
    /** In their order. */
    first(): readonly Item[] {
      shorten();
      return kept.map(({ item }) => item);
    },
    /** How many were collected. */
    count: () => count,
  };
}

function byNameAndNamespace(one: Named, other: Named): number {
  return compare(one.name, other.name) || compare(one.namespace, other.namespace);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
