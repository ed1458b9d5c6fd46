import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { sortInSlices } from '../../timing/sort-in-slices.ts';
import type { SearchableItem } from '../list-item.ts';
import type { NamespaceState } from './namespace-states.ts';
import { hasWords } from './words.ts';

export const SORTS = ['name', 'changed'] as const;

export interface PageQuery {
  /** As `searchText`; each must occur in the name, a key name or the description. */
  readonly words: readonly string[];
  /** By name, or the last changed first. */
  readonly sort: (typeof SORTS)[number];
}

/** Steps between two looks at the clock. */
const STEPS = 64;

/** The positions of the items that are visible and have the words, in the order of the query. Works in slices. */
export async function selectPositions(
  state: NamespaceState,
  { words, sort }: PageQuery,
  isVisible: (item: SearchableItem) => boolean,
): Promise<Uint32Array> {
  const yielder = createEventLoopYielder();
  const positions: number[] = [];
  const changed = new Float64Array(sort === 'changed' ? state.items.length : 0);
  let next = 0;
  for (const item of state.items) {
    const index = next++;
    if (index % STEPS === 0 && yielder.isDue()) await yielder.yieldNow();
    if (!isVisible(item) || !hasWords(item, words)) continue;
    positions.push(index);
    if (sort === 'changed') changed[index] = item.changedMs();
  }
  if (sort === 'name') return Uint32Array.from(positions);
  const latestFirst = (one: number, other: number): number =>
    (changed[other] ?? 0) - (changed[one] ?? 0) || one - other;
  return Uint32Array.from(await sortInSlices(positions, latestFirst));
}
