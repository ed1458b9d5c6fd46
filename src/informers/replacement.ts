import { inconsistent } from '../kube/read-pages.ts';
import { changesBetween, isSame, type Change } from './changes.ts';
import type { ListedValues } from './listed-values.ts';
import { NamedValues } from './named-values.ts';
import type { ObjectName, ObjectTable } from './object-table.ts';
import type { WatchedObject } from './ports.ts';

/** A list that is being collected. Objects are projected as they arrive, so whole objects are not kept. */
export interface Replacement<Item, Value> {
  put(item: Item): void;
  /** Removes what has the name, whatever its uid. */
  remove(item: WatchedObject): void;
  /** The revision of what it holds under the name. */
  revisionOf(item: WatchedObject): string | undefined;
  /**
   * Makes the list the content of the store, at once. The changes are found object by object as they are iterated over, so
   * that this can be cut into slices; a change of the store meanwhile is among them or not.
   */
  commit(): Iterable<readonly Change<Value>[]>;
}

export interface ReplacementOptions<Item, Value, Table> {
  /** What the store holds. It does not change while the list arrives. */
  readonly serving: Table;
  readonly project: (item: Item) => Value | undefined;
}

/** Puts a list together in a table of its own, which then takes the place of the other. */
export function replaceTable<
  Item extends WatchedObject,
  Value extends WatchedObject,
  Table extends ObjectTable<Value>,
>(
  { serving, project }: ReplacementOptions<Item, Value, Table>,
  next: Table,
  swap: (next: Table) => void,
): Replacement<Item, Value> {
  return {
    put: (item) => {
      const value = project(item);
      const known = held(serving, item);
      const kept = isSame(known, value) ? known : value;
      next.set(kept ?? item, kept); // by its own name, so that no other copy of the text is kept
    },
    remove: (item) => {
      next.set(item, undefined);
    },
    revisionOf: (item) => held(next, item)?.resourceVersion,
    commit: () => {
      swap(next);
      return changesOf(serving, next);
    },
  };
}

/** So many changes are made in one turn of the event loop. */
export const MOST_CHANGES = 2_500;

/**
 * Notes what a list has in the same state, and collects the rest: a list after which nearly everything is as before takes
 * no memory that stays, and few changes are made to the table, all in one turn.
 * @param onTooMany called before it fails with `listInconsistent`, because the changes are too many for one turn
 */
export function replaceInPlace<Item extends WatchedObject, Value extends WatchedObject>(
  { serving, project }: ReplacementOptions<Item, Value, ObjectTable<Value>>,
  unchanged: ListedValues<Value>,
  onTooMany: () => void,
): Replacement<Item, Value> {
  const changed = new NamedValues<Value>();
  const drop = ({ namespace, name }: ObjectName, known: Value | undefined): void => {
    if (known !== undefined) unchanged.delete(known);
    changed.set(namespace, name, undefined);
  };
  const requireFew = (count: number): void => {
    if (count <= MOST_CHANGES) return;
    onTooMany();
    throw inconsistent('objects', 'listTooManyChanges');
  };
  return {
    put: (item) => {
      const value = project(item);
      const known = held(serving, item);
      drop(item, known);
      if (known !== undefined && isSame(known, value)) unchanged.add(known);
      else changed.set(item.namespace, item.name, value);
      requireFew(changed.size);
    },
    remove: (item) => {
      drop(item, held(serving, item));
    },
    revisionOf: (item) => {
      const known = held(serving, item);
      const isKept = known !== undefined && unchanged.has(known);
      return (isKept ? known : changed.get(item.namespace, item.name))?.resourceVersion;
    },
    commit: () => {
      const former = Iterator.from(serving.values())
        .filter((value) => !unchanged.has(value))
        .toArray();
      requireFew(former.length + changed.size);
      const gone = former.filter(({ namespace, name }) => changed.get(namespace, name) === undefined);
      return [
        ...gone.map((value) => change(serving, value, undefined)),
        ...[...changed.values()].map((value) => change(serving, value, value)),
      ];
    },
  };
}

function change<Value extends WatchedObject>(
  table: ObjectTable<Value>,
  name: ObjectName,
  value: Value | undefined,
): readonly Change<Value>[] {
  const before = held(table, name);
  table.set(name, value);
  return changesBetween(before, value);
}

export function held<Value>(table: ObjectTable<Value>, { namespace, name }: ObjectName): Value | undefined {
  return table.get(namespace, name);
}

/** Also for objects without a change, so that the caller can pause within long stretches of these. */
function* changesOf<Value extends WatchedObject>(
  former: ObjectTable<Value>,
  next: ObjectTable<Value>,
): Generator<readonly Change<Value>[]> {
  for (const value of former.values()) {
    yield held(next, value) === undefined ? changesBetween(value, undefined) : [];
  }
  for (const value of next.values()) yield changesBetween(held(former, value), value);
}
