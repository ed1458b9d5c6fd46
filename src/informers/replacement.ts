import { changesBetween, isSame, type Change } from './changes.ts';
import type { ObjectName, ObjectTable } from './object-table.ts';
import type { WatchedObject } from './ports.ts';

/** A list that is being collected. Objects are projected as they arrive, so whole objects are not kept. */
export interface Replacement<Item, Value> {
  put(item: Item): void;
  /** Removes what has the name, whatever its uid. */
  remove(item: WatchedObject): void;
  /** The revision of what it holds under the name. */
  revisionOf(item: WatchedObject): string | undefined;
  /**
   * Makes the list the content of the store, at once. The changes are found object by object as they are iterated over, so
   * that this can be cut into slices; a change of the store meanwhile is among them or not.
   */
  commit(): Iterable<readonly Change<Value>[]>;
}

export interface ReplacementOptions<Item, Value, Table> {
  /** What the store holds. It does not change while the list arrives. */
  readonly serving: Table;
  readonly project: (item: Item) => Value | undefined;
}

/** Puts a list together in a table of its own, which then takes the place of the other. */
export function replaceTable<
  Item extends WatchedObject,
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
>(
  { serving, project }: ReplacementOptions<Item, Value, Table>,
  next: Table,
  swap: (next: Table) => void,
): Replacement<Item, Value> {
  return {
    put: (item) => {
      const value = project(item);
      const known = held(serving, item);
      const kept = isSame(known, value) ? known : value;
      next.set(kept ?? item, kept); // by its own name, so that no other copy of the text is kept
    },
    remove: (item) => {
      next.set(item, undefined);
    },
    revisionOf: (item) => held(next, item)?.resourceVersion,
    commit: () => {
      swap(next);
      return changesOf(serving, next);
    },
  };
}

export function held<Value>(table: ObjectTable<Value>, { namespace, name }: ObjectName): Value | undefined {
  return table.get(namespace, name);
}

/** Also for objects without a change, so that the caller can pause within long stretches of these. */
function* changesOf<Value extends WatchedObject>(
  former: ObjectTable<Value>,
  next: ObjectTable<Value>,
): Generator<readonly Change<Value>[]> {
  for (const value of former.values()) {
    yield held(next, value) === undefined ? changesBetween(value, undefined) : [];
  }
  for (const value of next.values()) yield changesBetween(held(former, value), value);
}
