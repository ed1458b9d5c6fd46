import { NamedValues } from './named-values.ts';
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

/** A table without an index. */
export interface PlainTable<Value> extends ObjectTable<Value> {
  readonly size: number;
  /** What the values add up to, by `sizeOf`. */
  readonly bytes: number;
}

export function createPlainTable<Value>(sizeOf: (value: Value) => number = () => 0): PlainTable<Value> {
  const held = new NamedValues<Value>();
  let bytes = 0;
  return {
    get: (namespace, name) => held.get(namespace, name),
    set: ({ namespace, name }, value) => {
      const previous = held.set(namespace, name, value);
      bytes += (value === undefined ? 0 : sizeOf(value)) - (previous === undefined ? 0 : sizeOf(previous));
    },
    values: () => held.values(),
    get size() {
      return held.size;
    },
    get bytes() {
      return bytes;
    },
  };
}
