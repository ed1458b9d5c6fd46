import type { ObjectName, ObjectTable } from './object-table.ts';
import type { WatchedObject } from './ports.ts';

/** The change of one object. `value` is what the projection returned for it. */
export type Change<Value> =
  | { readonly kind: 'added' | 'modified'; readonly value: Value; readonly previous: Value | undefined }
  | { readonly kind: 'deleted'; readonly previous: Value };

/** The projected objects of one reflector. */
export interface ObjectStore<Item extends WatchedObject, Value, Table> {
  /** What it holds now. A list replaces the table, so it must be read again each time. */
  readonly table: Table;
  /** Stores an object in its current state. Returns no change, one, or two if the uid is another. */
  put(item: Item): readonly Change<Value>[];
  remove(item: WatchedObject): readonly Change<Value>[];
  /** Begins to collect a whole list. The store changes only on commit. */
  replacement(): Replacement<Item, Value>;
  /** Drops everything without a change event. */
  clear(): void;
}

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

export interface StoreOptions<Item, Value, Table> {
  /** What is kept of an object, with its identity; undefined if nothing. */
  readonly project: (item: Item) => Value | undefined;
  /** An empty table. */
  readonly createTable: () => Table;
}

/** A store keyed by (namespace, name), empty to begin with. */
export function createObjectStore<
  Item extends WatchedObject,
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
>(options: StoreOptions<Item, Value, Table>): ObjectStore<Item, Value, Table> {
  return new Store(options);
}

class Store<
  Item extends WatchedObject,
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
> implements ObjectStore<Item, Value, Table> {
  readonly #options: StoreOptions<Item, Value, Table>;
  #table: Table;

  constructor(options: StoreOptions<Item, Value, Table>) {
    this.#options = options;
    this.#table = options.createTable();
  }

  get table(): Table {
    return this.#table;
  }

  put(item: Item): readonly Change<Value>[] {
    return this.#set(item, this.#options.project(item));
  }

  remove(item: WatchedObject): readonly Change<Value>[] {
    // The name may belong to another object by now.
    return held(this.#table, item)?.uid === item.uid ? this.#set(item, undefined) : [];
  }

  clear(): void {
    this.#table = this.#options.createTable();
  }

  replacement(): Replacement<Item, Value> {
    const { project, createTable } = this.#options;
    const next = createTable();
    return {
      put: (item) => {
        const value = project(item);
        const known = held(this.#table, item);
        next.set(item, isSame(known, value) ? known : value);
      },
      remove: (item) => {
        next.set(item, undefined);
      },
      revisionOf: (item) => held(next, item)?.resourceVersion,
      commit: () => {
        const former = this.#table;
        this.#table = next;
        return changesOf(former, next);
      },
    };
  }

  #set(name: ObjectName, value: Value | undefined): readonly Change<Value>[] {
    const before = held(this.#table, name);
    if (isSame(before, value)) return []; // Unchanged: the value stays the same object, too.
    this.#table.set(name, value);
    return changesBetween(before, value);
  }
}

function held<Value>(table: ObjectTable<Value>, { namespace, name }: ObjectName): Value | undefined {
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

function isSame(one: WatchedObject | undefined, other: WatchedObject | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.uid === other.uid && one.resourceVersion === other.resourceVersion;
}

/** The same name with another uid is a deletion and a creation. */
function changesBetween<Value extends WatchedObject>(
  before: Value | undefined,
  after: Value | undefined,
): readonly Change<Value>[] {
  if (isSame(before, after)) return [];
  if (before === undefined) {
    return after === undefined ? [] : [{ kind: 'added', value: after, previous: undefined }];
  }
  const gone = { kind: 'deleted', previous: before } as const;
  if (after === undefined) return [gone];
  if (before.uid !== after.uid) return [gone, { kind: 'added', value: after, previous: undefined }];
  return [{ kind: 'modified', value: after, previous: before }];
}
