import { keyOf, type IndexedHistory, type IndexedLive } from '../history/reconciler/reconcile.ts';
import { PlainTable, type ObjectName, type ObjectTable } from '../informers/object-table.ts';
import { createHistoryGroups, type HistoryGroups, type HistoryOfSecrets } from './history-groups.ts';
import { createLiveSecrets, type LiveOptions, type LiveSecrets } from './live-secrets.ts';

/** What is kept of a Secret object: a live Secret for lists and for its history, or a history object. */
export type SecretRecord<Live extends IndexedLive> = Live | IndexedHistory;

/** All Secrets of one watch: live ones as lists need them, history objects as the reconciler and updates do. */
export interface SecretTable<Live extends IndexedLive> extends ObjectTable<SecretRecord<Live>> {
  readonly live: LiveSecrets<Live>;
  readonly history: HistoryOfSecrets;
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
