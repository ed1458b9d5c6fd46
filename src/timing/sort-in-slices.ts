import { createEventLoopYielder, type EventLoopYielder } from './event-loop-yielder.ts';

export type Compare<Item> = (one: Item, other: Item) => number;

/** Items sorted in one go, a few milliseconds at most. */
const CHUNK = 2_048;
/** Steps between two looks at the clock. */
const STEPS = 256;

/**
 * A sorted copy, made in slices of the event loop. Items that are sorted already, or nearly so, cost little more than
 * one comparison each.
 */
export async function sortInSlices<Item extends object | number>(
  items: readonly Item[],
  compare: Compare<Item>,
): Promise<readonly Item[]> {
  const yielder = createEventLoopYielder();
  let runs: (readonly Item[])[] = [];
  for (let begin = 0; begin < items.length; begin += CHUNK) {
    runs.push(items.slice(begin, begin + CHUNK).sort(compare));
    await yielder.yieldIfDue();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, yielder));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item extends object | number>(
  left: readonly Item[],
  right: readonly Item[],
  compare: Compare<Item>,
  yielder: EventLoopYielder,
): Promise<readonly Item[]> {
  const last = left.at(-1);
  const first = right[0];
  if (last === undefined || first === undefined || compare(last, first) <= 0) return left.concat(right);
  const merged: Item[] = [];
  let [ofLeft, ofRight] = [0, 0];
  for (;;) {
    const one = left[ofLeft];
    const other = right[ofRight];
    if (one === undefined || other === undefined) break;
    if (compare(one, other) <= 0) {
      merged.push(one);
      ofLeft++;
    } else {
      merged.push(other);
      ofRight++;
    }
    if (merged.length % STEPS === 0) await yielder.yieldIfDue();
  }
  return merged.concat(left.slice(ofLeft), right.slice(ofRight));
}
