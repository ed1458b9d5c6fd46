import type { WatchedObject } from './ports.ts';

/** What became of one object. `value` is what the projection made of it. */
export type Change<Value> =
  | { readonly kind: 'added' | 'modified'; readonly value: Value; readonly previous: Value | undefined }
  | { readonly kind: 'deleted'; readonly previous: Value };

/** Reads what a reflector has stored. */
export interface StoredObjects<Value> {
  get(namespace: string, name: string): Value | undefined;
  /** All values that the index function gave this key. */
  byIndex(key: string): readonly Value[];
  /** The keys that the index function has given out. */
  indexKeys(): Iterable<string>;
  values(): Iterable<Value>;
  readonly size: number;
}

/** The objects of one reflector, each as its projection alone. */
export interface ObjectStore<Item extends WatchedObject, Value> extends StoredObjects<Value> {
  /** Takes an object in its current state; the changes are none, one, or (for another uid) two. */
  put(item: Item): readonly Change<Value>[];
  remove(item: WatchedObject): readonly Change<Value>[];
  /** Begins to take a whole list; nothing changes until it is committed. */
  replacement(): Replacement<Item, Value>;
}

/** A list on its way in: pages are projected as they arrive, so that whole objects are never kept. */
export interface Replacement<Item, Value> {
  add(item: Item): void;
  /** Makes the list the content of the store. */
  commit(): readonly Change<Value>[];
}

export interface StoreOptions<Item, Value> {
  /** What is kept of an object; undefined for objects that are none of the consumer's business. */
  readonly project: (item: Item) => Value | undefined;
  /** Groups values under a key of their own; undefined leaves a value out of the index. */
  readonly index?: (value: Value) => string | undefined;
}

interface Entry<Value> {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly value: Value;
}

/** A store keyed by (namespace, name), empty to begin with. */
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
      return []; // the value stays the very same, too
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
    // What is stored under the name may be another object by now.
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

/** The same name with another uid is another object: one is gone, one is new. */
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

/** A namespace holds no slash, so the key is one to one. */
function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
