import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { newestItem, type ListItem } from '../list-item.ts';

/** What one state of a namespace has and another one does not. */
export interface StateChanges<Item> {
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

/** Steps between two looks at the clock. */
const STEPS = 1_024;

/**
 * Compares two lists that are ordered by name, in slices. A Secret that was replaced is removed and added: unchanged ones
 * are the same objects.
 */
export async function changesBetween<Item extends Pick<ListItem, 'name'>>(
  former: readonly Item[],
  items: readonly Item[],
): Promise<StateChanges<Item>> {
  const yielder = createEventLoopYielder();
  const [removed, added]: [Item[], Item[]] = [[], []];
  let [ofFormer, ofItems] = [0, 0];
  for (let step = 1; ; step++) {
    const [one, other] = [former[ofFormer], items[ofItems]];
    if (one === undefined && other === undefined) return { removed, added };
    const isEarlier = other === undefined || (one !== undefined && one.name <= other.name);
    const isLater = one === undefined || (other !== undefined && other.name <= one.name);
    if (isEarlier) ofFormer++;
    if (isLater) ofItems++;
    if (one !== other) {
      if (isEarlier && one !== undefined) removed.push(one);
      if (isLater && other !== undefined) added.push(other);
    }
    if (step % STEPS === 0) await yielder.yieldIfDue();
  }
}

/**
 * The item with the newest revision of a state, from that of the state before. All items are compared only where that
 * one is gone and nothing newer was added.
 */
export function newestAfter<Item extends Pick<ListItem, 'resourceVersion'>>(
  items: readonly Item[],
  former: Item | undefined,
  { removed, added }: StateChanges<Item>,
): Item | undefined {
  const newest = newestItem(former === undefined ? added : [former, ...newestOf(added)]);
  return newest === former && newest !== undefined && removed.includes(newest) ? newestItem(items) : newest;
}

function newestOf<Item extends Pick<ListItem, 'resourceVersion'>>(items: readonly Item[]): readonly Item[] {
  const newest = newestItem(items);
  return newest === undefined ? [] : [newest];
}
