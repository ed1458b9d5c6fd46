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
