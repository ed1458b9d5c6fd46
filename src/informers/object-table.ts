import { ObjectGroup } from './object-group.ts';

/** Sums over the groups of a table, by what is counted. */
export type Counts = Readonly<Record<string, number>>;

/** What is kept of one object. */
export interface Entry<Value> {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly value: Value;
}

/** How a table groups and counts what it holds. */
export interface TableOptions<Value> {
  /** Groups values under a key of their own; undefined leaves a value out of the index. */
  readonly index?: (value: Value) => string | undefined;
  /** What a value adds to the bytes of the table. */
  readonly sizeOf?: (value: Value) => number;
  /** Values that are kept at hand apart from all others. */
  readonly tracks?: (value: Value) => boolean;
  /** Counts one group. The sums over all groups are kept with each change, so that reading them costs nothing. */
  readonly count?: (group: Iterable<Value>) => Counts;
}

/** Objects by key, with an index and sums that follow each change. */
export class ObjectTable<Value> {
  readonly entries = new Map<string, Entry<Value>>();
  readonly groups = new Map<string, ObjectGroup<Value>>();
  /** By key: the values that are tracked. */
  readonly tracked = new Map<string, Value>();
  readonly #options: TableOptions<Value>;
  readonly #nextVersion: () => number;
  readonly #counts = new Map<string, number>();
  #bytes = 0;

  /** @param nextVersion gives each state of a group a number that no other state has */
  constructor(options: TableOptions<Value>, nextVersion: () => number) {
    this.#options = options;
    this.#nextVersion = nextVersion;
  }

  get bytes(): number {
    return this.#bytes;
  }

  counts(): Counts {
    return Object.fromEntries(this.#counts);
  }

  /** Puts an entry, or (undefined) removes what is there. */
  set(key: string, entry: Entry<Value> | undefined): void {
    const { index = () => undefined, sizeOf = () => 0, tracks = () => false } = this.#options;
    const previous = this.entries.get(key);
    if (entry === undefined) this.entries.delete(key);
    else this.entries.set(key, entry);
    this.#bytes +=
      (entry === undefined ? 0 : sizeOf(entry.value)) - (previous === undefined ? 0 : sizeOf(previous.value));
    if (entry !== undefined && tracks(entry.value)) this.tracked.set(key, entry.value);
    else this.tracked.delete(key);
    const before = previous === undefined ? undefined : index(previous.value);
    const after = entry === undefined ? undefined : index(entry.value);
    if (before !== undefined && before !== after) this.#regroup(before, key, undefined);
    if (after !== undefined) this.#regroup(after, key, entry);
  }

  #regroup(name: string, key: string, entry: Entry<Value> | undefined): void {
    const group = this.groups.get(name) ?? new ObjectGroup<Value>();
    this.#addCounts(group, -1);
    if (entry === undefined) group.delete(key);
    else group.set(key, entry.value);
    group.version = this.#nextVersion();
    this.#addCounts(group, 1);
    if (group.size === 0) this.groups.delete(name);
    else this.groups.set(name, group);
  }

  #addCounts(group: ObjectGroup<Value>, sign: 1 | -1): void {
    const { count } = this.#options;
    if (count === undefined || group.size === 0) return;
    for (const [of, number] of Object.entries(count(group.values()))) {
      if (number !== 0) this.#counts.set(of, (this.#counts.get(of) ?? 0) + sign * number);
    }
  }
}
