import {
  keyOf,
  stateOfSnapshot,
  toIndexed,
  type IndexedHistory,
  type IndexedLive,
  type SnapshotStatistics,
} from '../history/history.ts';
import { PlainTable, type ObjectName, type ObjectTable } from '../informers/object-store.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import { reducedSecretOf, type CachedSecret } from './cached-secret.ts';
import { LiveSecretTable, type LiveSecrets, type MemoryBudget } from './live-secrets.ts';

/** What is kept of a Secret object: a live Secret for lists and for its history, or a history object. */
export type SecretRecord = CachedSecret | IndexedHistory;

/** What is kept where only metadata is watched. */
export function metadataRecordOf(metadata: SecretMetadata): SecretRecord {
  const indexed = toIndexed(metadata);
  return indexed.kind === 'live' ? reducedSecretOf(indexed) : indexed;
}

/** All Secrets of one watch: live ones as lists need them, history objects as the reconciler and updates do. */
export interface SecretTable extends ObjectTable<SecretRecord> {
  readonly live: LiveSecrets;
  readonly history: HistoryOfSecrets;
}

/** An empty table. A budget is not needed where metadata alone is cached. */
export function createSecretTable(memory?: MemoryBudget): SecretTable {
  const live = new LiveSecretTable(memory);
  const snapshots = new PlainTable<IndexedHistory>();
  const history = createHistoryGroups((key) => live.byKey(key));
  const setLive = (namespace: string, name: string, next: CachedSecret | undefined): void => {
    const previous = live.get(namespace, name);
    if (previous === undefined && next === undefined) return;
    const keys = new Set([previous, next].filter((one) => one !== undefined).map(keyOf));
    for (const key of keys) history.count(key, -1);
    live.set(namespace, name, next);
    for (const key of keys) history.count(key, 1);
  };
  return {
    live,
    history,
    get: (namespace, name) => live.get(namespace, name) ?? snapshots.get(namespace, name),
    /** An object may become history, or live again, when its labels change. */
    set({ namespace, name }: ObjectName, value) {
      const isHistory = value?.kind === 'history';
      const snapshot = isHistory ? value : undefined;
      history.replace(snapshots.set({ namespace, name }, snapshot), snapshot);
      setLive(namespace, name, isHistory ? undefined : value);
    },
    *values() {
      for (const { byName } of live.namespaces.values()) yield* byName.values();
      yield* snapshots.values();
    },
  };
}

/** What is read of history objects. Keys are those of `keyOfHistory`. */
export type HistoryOfSecrets = Omit<ReturnType<typeof createHistoryGroups>, 'replace' | 'count'>;

/** History objects by the live Secret that they claim to belong to, counted by their state. */
function createHistoryGroups(liveOf: (key: string) => IndexedLive | undefined) {
  const groups = new Map<string, IndexedHistory[]>();
  const statistics = { bound: 0, orphaned: 0, inconsistent: 0 };
  const of = (key: string): readonly IndexedHistory[] => groups.get(key) ?? [];
  const count = (key: string, sign: 1 | -1, counted = of(key)): void => {
    for (const one of counted) statistics[stateOfSnapshot(one, liveOf(key))] += sign;
  };
  const remove = (one: IndexedHistory): void => {
    const key = keyOf(one);
    const group = groups.get(key) ?? [];
    count(key, -1, group.splice(group.indexOf(one), 1));
    if (group.length === 0) groups.delete(key);
  };
  const put = (one: IndexedHistory): void => {
    const key = keyOf(one);
    const group = groups.get(key) ?? [];
    group.push(one);
    groups.set(key, group);
    count(key, 1, [one]);
  };
  return {
    /** The history objects that claim to belong to a live Secret. */
    of,
    /** The same with the live Secret, if it exists. */
    group: (key: string): readonly (IndexedLive | IndexedHistory)[] => {
      const live = liveOf(key);
      return live === undefined ? of(key) : [live, ...of(key)];
    },
    /** Keys with history. */
    keys: (): Iterable<string> => groups.keys(),
    /** Kept as objects change: reading it costs nothing. */
    statistics: (): SnapshotStatistics => ({ ...statistics }),
    /** Removes one and adds another. */
    replace: (previous: IndexedHistory | undefined, next: IndexedHistory | undefined): void => {
      if (previous !== undefined) remove(previous);
      if (next !== undefined) put(next);
    },
    /** Takes the history of a live Secret out of the statistics (-1) while that Secret changes, and back in (1). */
    count,
  };
}
