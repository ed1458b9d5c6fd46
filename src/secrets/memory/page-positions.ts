import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { sortInSlices } from '../../timing/sort-in-slices.ts';
import type { ListItem } from '../list-item.ts';
import type { NamespaceState } from './namespace-states.ts';
import { hasWords } from './words.ts';

export const SORTS = ['name', 'changed'] as const;

export interface PageQuery {
  /** In lower case; each must occur in the name, a key name or the description. */
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
  isVisible: (item: ListItem) => boolean,
): Promise<Uint32Array> {
  const yielder = createEventLoopYielder();
  const facts = words.length > 0 || sort === 'changed' ? await state.facts() : undefined;
  const positions: number[] = [];
  for (const [index, item] of state.items.entries()) {
    if (index % STEPS === 0) await yielder.yieldIfDue();
    if (isVisible(item) && hasWords(facts?.texts[index] ?? '', words)) positions.push(index);
  }
  if (sort === 'name' || facts === undefined) return Uint32Array.from(positions);
  const { changed } = facts;
  const latestFirst = (one: number, other: number): number =>
    (changed[other] ?? 0) - (changed[one] ?? 0) || one - other;
  return Uint32Array.from(await sortInSlices(positions, latestFirst));
}
