import type { ObjectName, ObjectTable } from './object-table.ts';
import type { WatchedObject } from './ports.ts';

/** The change of one object. `value` is what the projection returned for it. */
export type Change<Value> =
  | { readonly kind: 'added' | 'modified'; readonly value: Value; readonly previous: Value | undefined }
  | { readonly kind: 'deleted'; readonly previous: Value };

export interface StoreOptions<Item, Value, Table> {
  /** What is kept of an object, with its identity; undefined if nothing. */
  readonly project: (item: Item) => Value | undefined;
  /** An empty table. */
  readonly createTable: () => Table;
}

/** The projected objects of one reflector. */
export type ObjectStore<
  Item extends WatchedObject,
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
> = ReturnType<typeof createObjectStore<Item, Value, Table>>;

/** A list that is being collected. Objects are projected as they arrive, so whole objects are not kept. */
export type Replacement<Item extends WatchedObject, Value extends WatchedObject> = ReturnType<
  ObjectStore<Item, Value, ObjectTable<Value>>['replacement']
>;

/** A store keyed by (namespace, name), empty to begin with. */
export function createObjectStore<
  Item extends WatchedObject,
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
>({ project, createTable }: StoreOptions<Item, Value, Table>) {
  let table = createTable();
  const set = (name: ObjectName, value: Value | undefined): readonly Change<Value>[] => {
    const before = valueOf(table, name);
    if (isSame(before, value)) return []; // Unchanged: the value stays the same object, too.
    table.set(name, value);
    return changesOf(before, value);
  };
  return {
    /** What it holds now. A list may replace the table, so it must be read again each time. */
    get table() {
      return table;
    },
    /** Stores an object in its current state. Returns no change, one, or two if the uid is another. */
    put: (item: Item) => set(item, project(item)),
    /** The name may belong to another object by now. */
    remove: (item: WatchedObject) => (valueOf(table, item)?.uid === item.uid ? set(item, undefined) : []),
    /** Drops everything without a change event. */
    clear: (): void => {
      table = createTable();
    },
    /** Begins to collect a whole list. The store changes only on commit. */
    replacement: () => {
      const [former, next] = [table, createTable()];
      return {
        put: (item: Item): void => {
          const [known, value] = [valueOf(former, item), project(item)];
          const same = isSame(known, value) ? known : value;
          next.set(same ?? item, same); // by its own name, so that no other copy of the text is kept
        },
        /** Removes what has the name, whatever its uid. */
        remove: (item: WatchedObject): void => {
          next.set(item, undefined);
        },
        /** The revision of what it holds under the name. */
        revisionOf: (item: WatchedObject) => valueOf(next, item)?.resourceVersion,
        /**
         * Makes the list the content of the store, at once. The changes are found object by object as they are iterated
         * over, so that this can be cut into slices; a change of the store meanwhile is among them or not.
         */
        commit: (): Iterable<readonly Change<Value>[]> => {
          table = next;
          return differences(former, next);
        },
      };
    },
  };
}

function valueOf<Value>(table: ObjectTable<Value>, { namespace, name }: ObjectName): Value | undefined {
  return table.get(namespace, name);
}

function isSame(one: WatchedObject | undefined, other: WatchedObject | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return one === other;
  if (one.isReduced !== other.isReduced) return false;
  return one.uid === other.uid && one.resourceVersion === other.resourceVersion;
}

/** The same name with another uid is a deletion and a creation. */
export function changesOf<Value extends WatchedObject>(
  before: Value | undefined,
  after: Value | undefined,
): readonly Change<Value>[] {
  if (isSame(before, after)) return [];
  if (before === undefined) {
    return after === undefined ? [] : [{ kind: 'added', value: after, previous: undefined }];
  }
  const deleted = { kind: 'deleted', previous: before } as const;
  if (after === undefined) return [deleted];
  if (before.uid !== after.uid) return [deleted, { kind: 'added', value: after, previous: undefined }];
  return [{ kind: 'modified', value: after, previous: before }];
}

/** Also for objects without a change, so that the caller can pause within long stretches of these. */
function* differences<Value extends WatchedObject>(
  former: ObjectTable<Value>,
  next: ObjectTable<Value>,
): Generator<readonly Change<Value>[]> {
  for (const value of former.values()) {
    yield valueOf(next, value) === undefined ? changesOf(value, undefined) : [];
  }
  for (const value of next.values()) yield changesOf(valueOf(former, value), value);
}
