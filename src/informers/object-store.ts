import { ObjectTable, type Counts, type Entry, type TableOptions } from './object-table.ts';
import type { WatchedObject } from './ports.ts';

/** The change of one object. `value` is what the projection returned for it. */
export type Change<Value> =
  | { readonly kind: 'added' | 'modified'; readonly value: Value; readonly previous: Value | undefined }
  | { readonly kind: 'deleted'; readonly previous: Value };

/** Reads what a reflector has stored. */
export interface StoredObjects<Value> {
  get(namespace: string, name: string): Value | undefined;
  /** All values with this index key. */
  byIndex(key: string): readonly Value[];
  /** How many there are under this key. */
  sizeOfIndex(key: string): number;
  /** A number that no other state of the values under this key has; 0 when there are none. */
  versionOfIndex(key: string): number;
  /** All index keys. */
  indexKeys(): Iterable<string>;
  values(): Iterable<Value>;
  /** The values that the store was made to keep at hand. */
  tracked(): Iterable<Value>;
  readonly size: number;
  /** What the values add up to, by `sizeOf`. */
  readonly bytes: number;
  /** What the groups add up to, by `count`. */
  counts(): Counts;
}

/** The projected objects of one reflector. */
export interface ObjectStore<Item extends WatchedObject, Value> extends StoredObjects<Value> {
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

export interface StoreOptions<Item, Value> extends TableOptions<Value> {
  /** What is kept of an object; undefined if nothing. */
  readonly project: (item: Item) => Value | undefined;
}

/** A store keyed by (namespace, name), empty to begin with. */
export function createObjectStore<Item extends WatchedObject, Value>(
  options: StoreOptions<Item, Value>,
): ObjectStore<Item, Value> {
  return new Store(options);
}

class Store<Item extends WatchedObject, Value> implements ObjectStore<Item, Value> {
  readonly #options: StoreOptions<Item, Value>;
  #table: ObjectTable<Value>;
  /** Of all tables of this store: a group never has the version of an earlier table. */
  #version = 0;

  constructor(options: StoreOptions<Item, Value>) {
    this.#options = options;
    this.#table = this.#createTable();
  }

  get size(): number {
    return this.#table.entries.size;
  }

  get bytes(): number {
    return this.#table.bytes;
  }

  get(namespace: string, name: string): Value | undefined {
    return this.#table.entries.get(keyOf({ namespace, name }))?.value;
  }

  byIndex(key: string): readonly Value[] {
    return [...(this.#table.groups.get(key)?.values() ?? [])];
  }

  sizeOfIndex(key: string): number {
    return this.#table.groups.get(key)?.size ?? 0;
  }

  versionOfIndex(key: string): number {
    return this.#table.groups.get(key)?.version ?? 0;
  }

  indexKeys(): Iterable<string> {
    return this.#table.groups.keys();
  }

  *values(): Iterable<Value> {
    for (const { value } of this.#table.entries.values()) yield value;
  }

  tracked(): Iterable<Value> {
    return this.#table.tracked.values();
  }

  counts(): Counts {
    return this.#table.counts();
  }

  put(item: Item): readonly Change<Value>[] {
    return this.#set(keyOf(item), this.#entryOf(item));
  }

  remove(item: WatchedObject): readonly Change<Value>[] {
    const key = keyOf(item);
    // The name may belong to another object by now.
    return this.#table.entries.get(key)?.uid === item.uid ? this.#set(key, undefined) : [];
  }

  clear(): void {
    this.#table = this.#createTable();
  }

  replacement(): Replacement<Item, Value> {
    const next = this.#createTable();
    return {
      put: (item) => {
        const key = keyOf(item);
        const entry = this.#entryOf(item);
        const held = this.#table.entries.get(key);
        next.set(key, isSame(held, entry) ? held : entry);
      },
      remove: (item) => {
        next.set(keyOf(item), undefined);
      },
      revisionOf: (item) => next.entries.get(keyOf(item))?.resourceVersion,
      commit: () => {
        const former = this.#table;
        this.#table = next;
        return changesOf(former, next);
      },
    };
  }

  #createTable(): ObjectTable<Value> {
    return new ObjectTable(this.#options, () => ++this.#version);
  }

  #entryOf(item: Item): Entry<Value> | undefined {
    const { project } = this.#options;
    const value = project(item);
    return value === undefined ? undefined : { uid: item.uid, resourceVersion: item.resourceVersion, value };
  }

  #set(key: string, entry: Entry<Value> | undefined): readonly Change<Value>[] {
    const before = this.#table.entries.get(key);
    if (isSame(before, entry)) return []; // Unchanged: the value is the same object, too.
    this.#table.set(key, entry);
    return changesBetween(before, entry);
  }
}

/** Also for objects without a change, so that the caller can pause within long stretches of these. */
function* changesOf<Value>(
  former: ObjectTable<Value>,
  next: ObjectTable<Value>,
): Generator<readonly Change<Value>[]> {
  for (const [key, entry] of former.entries) {
    yield next.entries.has(key) ? [] : changesBetween(entry, undefined);
  }
  for (const [key, entry] of next.entries) yield changesBetween(former.entries.get(key), entry);
}

function isSame<Value>(one: Entry<Value> | undefined, other: Entry<Value> | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.uid === other.uid && one.resourceVersion === other.resourceVersion;
}

/** The same name with another uid is a deletion and a creation. */
function changesBetween<Value>(
  before: Entry<Value> | undefined,
  after: Entry<Value> | undefined,
): readonly Change<Value>[] {
  if (isSame(before, after)) return [];
  if (before === undefined) {
    return after === undefined ? [] : [{ kind: 'added', value: after.value, previous: undefined }];
  }
  const gone = { kind: 'deleted', previous: before.value } as const;
  if (after === undefined) return [gone];
  if (before.uid !== after.uid) return [gone, { kind: 'added', value: after.value, previous: undefined }];
  return [{ kind: 'modified', value: after.value, previous: before.value }];
}

/** A namespace contains no slash, so the key is unique. */
function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
