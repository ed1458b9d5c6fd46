import { type ApiObject } from '../api/object.ts';

/** The objects of one resource by key (`namespace/name`, or the name alone), in the order of their keys. */
export class Table {
  readonly #objects = new Map<string, ApiObject>();
  /** Sorted; keys are ASCII, so comparing strings compares their bytes as etcd does. */
  readonly #keys: string[] = [];

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key);
  }

  put(key: string, object: ApiObject): void {
    if (!this.#objects.has(key)) this.#keys.splice(this.#position(key), 0, key);
    this.#objects.set(key, object);
  }

  remove(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(this.#position(key), 1);
  }

  /** Entries whose key starts with `prefix`, from the key `first` on. */
  *entries(prefix: string, first = prefix): Generator<readonly [string, ApiObject]> {
    for (let index = this.#position(first); index < this.#keys.length; index++) {
      const key = this.#keys[index] ?? '';
      if (!key.startsWith(prefix)) return;
      const object = this.#objects.get(key);
      if (object !== undefined) yield [key, object];
    }
  }

  /** Where `key` stands, or would be put in. */
  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
