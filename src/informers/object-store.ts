import { changesBetween, isSame, type Change } from './changes.ts';
import type { ObjectName, ObjectTable } from './object-table.ts';
import type { WatchedObject } from './ports.ts';
import { held, replaceTable, type Replacement } from './replacement.ts';

/** The projected objects of one reflector. */
export interface ObjectStore<Item extends WatchedObject, Value, Table> {
  /** What it holds now. A list may replace the table, so it must be read again each time. */
  readonly table: Table;
  /** Stores an object in its current state. Returns no change, one, or two if the uid is another. */
  put(item: Item): readonly Change<Value>[];
  remove(item: WatchedObject): readonly Change<Value>[];
  /** Begins to collect a whole list. The store changes only on commit. */
  replacement(): Replacement<Item, Value>;
  /** Drops everything without a change event. */
  clear(): void;
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
    return replaceTable({ serving: this.#table, project }, createTable(), (next) => {
      this.#table = next;
    });
  }

  #set(name: ObjectName, value: Value | undefined): readonly Change<Value>[] {
    const before = held(this.#table, name);
    if (isSame(before, value)) return []; // Unchanged: the value stays the same object, too.
    this.#table.set(name, value);
    return changesBetween(before, value);
  }
}
