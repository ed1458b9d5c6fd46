import {
  keyOf,
  stateOfSnapshot,
  type IndexedHistory,
  type IndexedLive,
  type SnapshotStatistics,
} from '../history/history.ts';
import { PlainTable, type ObjectName, type ObjectTable } from '../informers/object-table.ts';
import { createLiveSecrets, type LiveOptions, type LiveSecrets } from './live-secrets.ts';

/** What is kept of a Secret object: a live Secret for lists and for its history, or a history object. */
export type SecretRecord<Live extends IndexedLive> = Live | IndexedHistory;

/** All Secrets of one watch: live ones as lists need them, history objects as the reconciler and updates do. */
export interface SecretTable<Live extends IndexedLive> extends ObjectTable<SecretRecord<Live>> {
  readonly live: LiveSecrets<Live>;
  readonly history: HistoryOfSecrets;
}

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

/** Makes the tables of one store: a namespace never has the version that it had in an earlier table. */
export function createSecretTables<Live extends IndexedLive>(): (
  options: Omit<LiveOptions<Live>, 'nextVersion'>,
) => SecretTable<Live> {
  let version = 0;
  return (options) => new Table({ ...options, nextVersion: () => ++version });
}

class Table<Live extends IndexedLive> implements SecretTable<Live> {
  readonly #live: ReturnType<typeof createLiveSecrets<Live>>;
  readonly #history = new PlainTable<IndexedHistory>();
  readonly #groups: HistoryGroups;

  constructor(options: LiveOptions<Live>) {
    this.#live = createLiveSecrets(options);
    this.#groups = createHistoryGroups((key) => this.#live.byKey(key));
  }

  get live(): LiveSecrets<Live> {
    return this.#live;
  }

  get history(): HistoryOfSecrets {
    return this.#groups;
  }

  get(namespace: string, name: string): SecretRecord<Live> | undefined {
    return this.#live.get(namespace, name) ?? this.#history.get(namespace, name);
  }

  /** An object may become history, or live again, when its labels change. */
  set({ namespace, name }: ObjectName, value: SecretRecord<Live> | undefined): void {
    const history = value?.kind === 'history' ? value : undefined;
    const live = value?.kind === 'history' ? undefined : value;
    this.#groups.replace(this.#history.set({ namespace, name }, history), history);
    this.#setLive(namespace, name, live);
  }

  *values(): Generator<SecretRecord<Live>> {
    yield* this.#live.values();
    yield* this.#history.values();
  }

  #setLive(namespace: string, name: string, live: Live | undefined): void {
    const previous = this.#live.get(namespace, name);
    if (previous === undefined && live === undefined) return;
    // A new revision of the same Secret says nothing else of its history.
    const isSame = previous !== undefined && previous.uid === live?.uid;
    const changed = isSame ? [] : [previous, live].filter((one) => one !== undefined);
    const keys = new Set(changed.map(keyOf));
    for (const key of keys) this.#groups.count(key, -1);
    this.#live.set(namespace, name, live);
    for (const key of keys) this.#groups.count(key, 1);
  }
}

/** History objects by the live Secret that they claim to belong to, counted by their state. */
interface HistoryGroups extends HistoryOfSecrets {
  /** Removes one and adds another. */
  replace(previous: IndexedHistory | undefined, next: IndexedHistory | undefined): void;
  /** Takes the history of a live Secret out of the statistics (-1) while that Secret changes, and back in (1). */
  count(key: string, sign: 1 | -1): void;
}

function createHistoryGroups(liveOf: (key: string) => IndexedLive | undefined): HistoryGroups {
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
