/** A value with the number of a list in itself: for stores of a hundred thousand, where a set of values takes megabytes. */
export abstract class Listed {
  /** Of the last list that had it. */
  lastList = 0;
}

/** The values of a store that a list has in the same state. */
export interface ListedValues<Value> {
  add(value: Value): void;
  delete(value: Value): void;
  has(value: Value): boolean;
}

/**
 * Makes those of one list after the other, for one store. Only the last list counts: an earlier one that was abandoned may
 * still be processed, and changes nothing.
 */
export function createListedValuesOfStore<Value>(): () => ListedValues<Value> {
  let last = 0;
  return () => {
    const own = ++last;
    const others = new Set<Value>();
    return {
      add: (value) => {
        if (own !== last) return;
        if (value instanceof Listed) value.lastList = own;
        else others.add(value);
      },
      delete: (value) => {
        if (own !== last) return;
        if (value instanceof Listed) value.lastList = 0;
        else others.delete(value);
      },
      has: (value) => (value instanceof Listed ? value.lastList === own : others.has(value)),
    };
  };
}
