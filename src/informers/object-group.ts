/** The values under one index key. Most groups of some indexes have one member, which needs no map of its own. */
export class ObjectGroup<Value> {
  version = 0;
  #key: string | undefined;
  #value: Value | undefined;
  #more: Map<string, Value> | undefined;

  get size(): number {
    return this.#more?.size ?? (this.#key === undefined ? 0 : 1);
  }

  values(): Iterable<Value> {
    if (this.#more !== undefined) return this.#more.values();
    return this.#value === undefined ? [] : [this.#value];
  }

  set(key: string, value: Value): void {
    if (this.#more !== undefined) this.#more.set(key, value);
    else if (this.#key === undefined || this.#key === key || this.#value === undefined) {
      this.#key = key;
      this.#value = value;
    } else {
      this.#more = new Map([
        [this.#key, this.#value],
        [key, value],
      ]);
      this.#key = undefined;
      this.#value = undefined;
    }
  }

  delete(key: string): void {
    if (this.#more !== undefined) this.#more.delete(key);
    else if (this.#key === key) {
      this.#key = undefined;
      this.#value = undefined;
    }
  }
}
