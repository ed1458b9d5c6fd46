/** Values by namespace and name. Reading all values of one namespace costs nothing. */
export class NamedValues<Value> {
  readonly #namespaces = new Map<string, Map<string, Value>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): Value | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Puts a value, or (undefined) removes what is there. Returns what was there. */
  set(namespace: string, name: string, value: Value | undefined): Value | undefined {
    const values = this.#namespaces.get(namespace);
    const previous = values?.get(name);
    this.#size += (value === undefined ? 0 : 1) - (previous === undefined ? 0 : 1);
    if (value !== undefined) {
      if (values === undefined) this.#namespaces.set(namespace, new Map([[name, value]]));
      else values.set(name, value);
    } else if (values?.delete(name) === true && values.size === 0) this.#namespaces.delete(namespace);
    return previous;
  }

  /** Undefined for a namespace without values. */
  of(namespace: string): ReadonlyMap<string, Value> | undefined {
    return this.#namespaces.get(namespace);
  }

  *values(): Generator<Value> {
    for (const values of this.#namespaces.values()) yield* values.values();
  }
}
