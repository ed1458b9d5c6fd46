import { type ApiObject, withMeta } from '../api/object.ts';
import { resourceOf, type Kind } from '../kinds/kind.ts';
import { History, type Change } from './history.ts';
import { Table } from './table.ts';

export type ChangeListener = (change: Change) => void;

export interface StoreOptions {
  /** The newest revision of an earlier run. */
  readonly revision?: number;
  /** Up to where the history of an earlier run is gone; all of it by default. */
  readonly compacted?: number;
  /** How many changes are kept at least, for watches and pages to go back to. */
  readonly historyLimit?: number;
}

/**
 * Where a new cluster begins: as one that has lived for a while. A revision of one digit would be found by chance
 * in names, times and uids, wherever a test or a tool looks for it in text.
 */
const FIRST_REVISION = 1_000_000;

/** How many changes are remembered by default. */
const HISTORY_LIMIT = 10_000;

/**
 * All objects of the cluster, with one revision that counts up over all of them. Everything here happens at
 * once (no awaits), which is what makes a read, its checks and the write that follows one transaction.
 */
export class Store {
  readonly #tables = new Map<string, Table>();
  readonly #listeners = new Set<ChangeListener>();
  readonly #history: History;
  #revision: number;

  constructor({
    revision = FIRST_REVISION,
    compacted = revision,
    historyLimit = HISTORY_LIMIT,
  }: StoreOptions = {}) {
    this.#revision = revision;
    this.#history = new History(historyLimit, compacted);
  }

  get revision(): number {
    return this.#revision;
  }

  get compacted(): number {
    return this.#history.compacted;
  }

  get(kind: Kind, namespace: string, name: string): ApiObject | undefined {
    return this.#table(resourceOf(kind)).get(keyOf(kind, namespace, name));
  }

  /** The entries of a resource in key order; of one namespace when one is given; as they were at `revision`. */
  entries(
    kind: Kind,
    namespace: string,
    revision = this.#revision,
  ): readonly (readonly [string, ApiObject])[] {
    return [...this.entriesFrom(kind, namespace, '', revision)];
  }

  /** The same from `start` on, which is a key without its namespace when one is given. What is not read costs nothing. */
  entriesFrom(
    kind: Kind,
    namespace: string,
    start: string,
    revision: number,
  ): Iterable<readonly [string, ApiObject]> {
    const prefix = namespace === '' || !kind.namespaced ? '' : `${namespace}/`;
    const resource = resourceOf(kind);
    const isListed = ({ resource: of, key }: Change): boolean => of === resource && key.startsWith(prefix);
    const changes = this.#history.since(revision).filter(isListed);
    const first = `${prefix}${start}`;
    const now = this.#table(resource).entries(prefix, first);
    if (changes.length === 0) return now;
    const then = new Map(now);
    for (const { key, previous } of changes.toReversed()) {
      if (previous === undefined) then.delete(key);
      else if (key >= first) then.set(key, previous);
    }
    return [...then].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Stores a new state of an object under the next revision. */
  put(kind: Kind, object: ApiObject): ApiObject {
    const key = keyOfObject(kind, object);
    const table = this.#table(resourceOf(kind));
    const previous = table.get(key);
    const stored = withMeta(object, { resourceVersion: this.#next() });
    table.put(key, stored);
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    this.#publish(kind, { type, key, object: stored, previous });
    return stored;
  }

  /** Removes an object; the change carries its last state under the deletion's revision. */
  remove(kind: Kind, object: ApiObject): void {
    const key = keyOfObject(kind, object);
    const table = this.#table(resourceOf(kind));
    const previous = table.get(key);
    if (previous === undefined) return;
    table.remove(key);
    const last = withMeta(previous, { resourceVersion: this.#next() });
    this.#publish(kind, { type: 'DELETED', key, object: last, previous });
  }

  /** Puts back an object of an earlier run as it was, unannounced. */
  restore(resource: string, key: string, object: ApiObject): void {
    this.#table(resource).put(key, object);
  }

  /** Puts back a change of an earlier run; they come oldest first. */
  restoreChange(change: Change): void {
    this.#history.add(change);
  }

  *everything(): Generator<readonly [string, string, ApiObject]> {
    for (const [resource, table] of this.#tables) {
      for (const [key, object] of table.entries('')) yield [resource, key, object];
    }
  }

  changesSince(revision: number): readonly Change[] {
    return this.#history.since(revision);
  }

  /**
   * Forgets the history. Every revision handed out so far is too old from now on: the revision is moved on
   * first, as it would be by any other writer of a busy cluster.
   */
  compact(): void {
    this.#history.compactTo(++this.#revision);
  }

  /** Calls `listener` with every change, in order; returns how to stop that. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #table(resource: string): Table {
    let table = this.#tables.get(resource);
    if (table === undefined) this.#tables.set(resource, (table = new Table()));
    return table;
  }

  #next(): string {
    return String(++this.#revision);
  }

  #publish(kind: Kind, what: Omit<Change, 'revision' | 'resource'>): void {
    const change = { ...what, revision: this.#revision, resource: resourceOf(kind) };
    this.#history.add(change);
    for (const listener of this.#listeners) listener(change);
  }
}

export function keyOf(kind: Kind, namespace: string, name: string): string {
  return kind.namespaced ? `${namespace}/${name}` : name;
}

function keyOfObject(kind: Kind, { metadata }: ApiObject): string {
  return keyOf(kind, metadata.namespace ?? '', metadata.name);
}
