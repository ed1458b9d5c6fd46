import {
  keyOf,
  stateOfSnapshot,
  type IndexedHistory,
  type IndexedLive,
  type SnapshotStatistics,
} from '../history/reconciler/reconcile.ts';

/** What is read of history objects. Keys are those of `keyOfHistory`. */
export interface HistoryOfSecrets {
  /** The history objects that claim to belong to a live Secret. */
  of(key: string): readonly IndexedHistory[];
  /** The same with the live Secret, if it exists. */
  group(key: string): readonly (IndexedLive | IndexedHistory)[];
  /** Keys with history. */
  keys(): Iterable<string>;
  /** Kept as objects change: reading it costs nothing. */
  statistics(): SnapshotStatistics;
}

/** History objects by the live Secret that they claim to belong to, counted by their state. */
export interface HistoryGroups extends HistoryOfSecrets {
  /** Removes one and adds another. */
  replace(previous: IndexedHistory | undefined, next: IndexedHistory | undefined): void;
  /** Takes the history of a live Secret out of the statistics (-1) while that Secret changes, and back in (1). */
  count(key: string, sign: 1 | -1): void;
}

export function createHistoryGroups(liveOf: (key: string) => IndexedLive | undefined): HistoryGroups {
  const groups = new Map<string, IndexedHistory[]>();
  const statistics = { bound: 0, orphaned: 0, inconsistent: 0 };
  const add = (one: IndexedHistory, live: IndexedLive | undefined, sign: 1 | -1): void => {
    statistics[stateOfSnapshot(one, live)] += sign;
  };
  const of = (key: string): readonly IndexedHistory[] => groups.get(key) ?? [];
  const remove = (one: IndexedHistory): void => {
    const key = keyOf(one);
    const group = groups.get(key);
    const at = group?.indexOf(one) ?? -1;
    if (group === undefined || at === -1) return;
    add(one, liveOf(key), -1);
    group.splice(at, 1);
    if (group.length === 0) groups.delete(key);
  };
  const put = (one: IndexedHistory): void => {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
    add(one, liveOf(key), 1);
  };
  return {
    of,
    group: (key) => {
      const live = liveOf(key);
      return live === undefined ? of(key) : [live, ...of(key)];
    },
    keys: () => groups.keys(),
    statistics: () => ({ ...statistics }),
    replace: (previous, next) => {
      if (previous !== undefined) remove(previous);
      if (next !== undefined) put(next);
    },
    count: (key, sign) => {
      const group = groups.get(key);
      if (group === undefined) return; // Nearly all Secrets of a first list: their own look-up can be spared.
      const live = liveOf(key);
      for (const one of group) add(one, live, sign);
    },
  };
}
