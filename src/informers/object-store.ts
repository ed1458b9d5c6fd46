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
  /** All index keys. */
  indexKeys(): Iterable<string>;
  values(): Iterable<Value>;
  readonly size: number;
}

/** The projected objects of one reflector. */
export interface ObjectStore<Item extends WatchedObject, Value> extends StoredObjects<Value> {
  /** Stores an object in its current state. Returns no change, one, or two if the uid is another. */
  put(item: Item): readonly Change<Value>[];
  remove(item: WatchedObject): readonly Change<Value>[];
  /** Begins to collect a whole list. The store changes only on commit. */
  replacement(): Replacement<Item, Value>;
}

/** A list that is being collected. Pages are projected as they arrive, so whole objects are not kept. */
export interface Replacement<Item, Value> {
  add(item: Item): void;
  /** Replaces the content of the store with the list. */
  commit(): readonly Change<Value>[];
}

export interface StoreOptions<Item, Value> {
  /** What is kept of an object; undefined if nothing. */
  readonly project: (item: Item) => Value | undefined;
  /** The index key of a value; undefined leaves it out of the index. */
  readonly index?: (value: Value) => string | undefined;
}

interface Entry<Value> {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly value: Value;
}

/** An empty store keyed by (namespace, name). */
export function createObjectStore<Item extends WatchedObject, Value>({
  project,
  index = () => undefined,
}: StoreOptions<Item, Value>): ObjectStore<Item, Value> {
  const entries = new Map<string, Entry<Value>>();
  const groups = new Map<string, Map<string, Value>>();

  const regroup = (key: string, previous: Value | undefined, value: Value | undefined): void => {
    const before = previous === undefined ? undefined : index(previous);
    const after = value === undefined ? undefined : index(value);
    if (before !== undefined && before !== after) {
      const group = groups.get(before);
      group?.delete(key);
      if (group?.size === 0) groups.delete(before);
    }
    if (after === undefined || value === undefined) return;
    const group = groups.get(after) ?? new Map<string, Value>();
    groups.set(after, group.set(key, value));
  };
  const entryOf = (item: Item): Entry<Value> | undefined => {
    const value = project(item);
    return value === undefined ? undefined : { uid: item.uid, resourceVersion: item.resourceVersion, value };
  };
  const set = (key: string, entry: Entry<Value> | undefined): readonly Change<Value>[] => {
    const before = entries.get(key);
    if (before !== undefined && before.uid === entry?.uid && before.resourceVersion === entry.resourceVersion)
      return []; // Unchanged: the value is the same object, too.
    if (entry === undefined) entries.delete(key);
    else entries.set(key, entry);
    regroup(key, before?.value, entry?.value);
    return changesBetween(before, entry);
  };

  return {
    get: (namespace, name) => entries.get(keyOf({ namespace, name }))?.value,
    byIndex: (key) => [...(groups.get(key)?.values() ?? [])],
    indexKeys: () => groups.keys(),
    *values() {
      for (const { value } of entries.values()) yield value;
    },
    get size() {
      return entries.size;
    },
    put: (item) => set(keyOf(item), entryOf(item)),
    // The name may belong to another object by now.
    remove: (item) => (entries.get(keyOf(item))?.uid === item.uid ? set(keyOf(item), undefined) : []),
    replacement: () => {
      const next = new Map<string, Entry<Value>>();
      return {
        add: (item) => {
          const entry = entryOf(item);
          if (entry !== undefined) next.set(keyOf(item), entry);
        },
        commit: () => {
          const gone = [...entries.keys()].filter((key) => !next.has(key));
          return [
            ...gone.flatMap((key) => set(key, undefined)),
            ...[...next].flatMap(([key, entry]) => set(key, entry)),
          ];
        },
      };
    },
  };
}

/** The same name with another uid is a deletion and a creation. */
function changesBetween<Value>(
  before: Entry<Value> | undefined,
  after: Entry<Value> | undefined,
): readonly Change<Value>[] {
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
