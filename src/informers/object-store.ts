import type { WatchedObject } from './ports.ts';

/** The name of an object in a table. */
export type ObjectName = Pick<WatchedObject, 'namespace' | 'name'>;

/** What a store keeps its values in. A whole list is put together in a table of its own. */
export interface ObjectTable<Value> {
  get(namespace: string, name: string): Value | undefined;
  /** Puts a value, or (undefined) removes what has the name. */
  set(of: ObjectName, value: Value | undefined): void;
  values(): Iterable<Value>;
}

/** A namespace and a name as one text. Neither has a slash. */
export function textOfName({ namespace, name }: ObjectName): string {
  return `${namespace}/${name}`;
}

/** Values by namespace and name. */
export class PlainTable<Value> implements ObjectTable<Value> {
  readonly #namespaces = new Map<string, Map<string, Value>>();
  readonly #sizeOf: (value: Value) => number;
  #size = 0;
  #bytes = 0;

  constructor(sizeOf: (value: Value) => number = () => 0) {
    this.#sizeOf = sizeOf;
  }

  get size(): number {
    return this.#size;
  }

  /** What the values add up to, by `sizeOf`. */
  get bytes(): number {
    return this.#bytes;
  }

  get(namespace: string, name: string): Value | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Returns what was there. */
  set({ namespace, name }: ObjectName, value: Value | undefined): Value | undefined {
    const values = this.#namespaces.get(namespace);
    const previous = values?.get(name);
    if (previous !== undefined) this.#count(previous, -1);
    if (value !== undefined) {
      this.#count(value, 1);
      if (values === undefined) this.#namespaces.set(namespace, new Map([[name, value]]));
      else values.set(name, value);
    } else if (values?.delete(name) === true && values.size === 0) this.#namespaces.delete(namespace);
    return previous;
  }

  *values(): Generator<Value> {
    for (const values of this.#namespaces.values()) yield* values.values();
  }

  #count(value: Value, sign: 1 | -1): void {
    this.#size += sign;
    this.#bytes += sign * this.#sizeOf(value);
  }
}

/** A change under a name: of one object, or from one object to another. */
export interface Change<Value> {
  /** Undefined after a deletion. */
  readonly value: Value | undefined;
  readonly previous: Value | undefined;
}

/** The objects of one reflector, or of a list that is being collected; empty to begin with. */
export class ObjectStore<Value extends WatchedObject, Table extends ObjectTable<Value>> {
  readonly #createTable: () => Table;
  readonly #former: Table | undefined;
  #table: Table;

  /** @param former the table that a list will replace: values of the same state are taken from it */
  constructor(createTable: () => Table, former?: Table) {
    this.#createTable = createTable;
    this.#former = former;
    this.#table = createTable();
  }

  /** What it holds now. A list may replace the table, so it must be read again each time. */
  get table(): Table {
    return this.#table;
  }

  /** Stores the current state of an object. Unchanged, the value stays the same object, too. */
  put(value: Value): Change<Value> | undefined {
    const previous = valueOf(this.#table, value);
    if (isSame(previous, value)) return undefined;
    const known = this.#former && valueOf(this.#former, value);
    const kept = known !== undefined && isSame(known, value) ? known : value;
    this.#table.set(kept, kept); // by its own name, so that no other copy of the text is kept
    return { value: kept, previous };
  }

  /** The name may belong to another object by now. */
  remove(object: WatchedObject): Change<Value> | undefined {
    const previous = valueOf(this.#table, object);
    if (previous?.uid !== object.uid) return undefined;
    this.#table.set(previous, undefined);
    return { value: undefined, previous };
  }

  /** Drops everything without a change event. */
  clear(): void {
    this.#table = this.#createTable();
  }

  /** Begins to collect a whole list. */
  replacement(): ObjectStore<Value, Table> {
    return new ObjectStore(this.#createTable, this.#table);
  }

  /**
   * Makes a list its content, at once. The changes are found object by object as they are iterated over, so that this can be cut
   * into slices; a change of the store meanwhile is among them or not.
   */
  replaceBy({ table }: ObjectStore<Value, Table>): Iterable<Change<Value> | undefined> {
    const former = this.#table;
    this.#table = table;
    return differences(former, table);
  }
}

function valueOf<Value>(table: ObjectTable<Value>, { namespace, name }: ObjectName): Value | undefined {
  return table.get(namespace, name);
}

function isSame(one: WatchedObject | undefined, other: WatchedObject): boolean {
  if (one === undefined || one.isReduced !== other.isReduced) return false;
  return one.uid === other.uid && one.resourceVersion === other.resourceVersion;
}

/** Also for objects without a change, so that the caller can pause within long stretches of these. */
function* differences<Value extends WatchedObject>(
  former: ObjectTable<Value>,
  next: ObjectTable<Value>,
): Generator<Change<Value> | undefined> {
  for (const previous of former.values()) {
    yield valueOf(next, previous) === undefined ? { value: undefined, previous } : undefined;
  }
  for (const value of next.values()) {
    const previous = valueOf(former, value);
    yield isSame(previous, value) ? undefined : { value, previous };
  }
}
