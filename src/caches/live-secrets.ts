import { partsOf, type IndexedLive } from '../history/history.ts';
import { PlainTable } from '../informers/object-table.ts';
import { createMemoryUsage, type MemoryBudget } from './memory-budget.ts';

/** Reads the live Secrets of a table. */
export interface LiveSecrets<Live> {
  get(namespace: string, name: string): Live | undefined;
  /** All of a namespace, in no order. */
  of(namespace: string): readonly Live[];
  count(namespace: string): number;
  /** A number that no other state of the namespace has; 0 when it has no Secret. */
  version(namespace: string): number;
  /** Those that have a Secret. */
  namespaces(): Iterable<string>;
  values(): Iterable<Live>;
  readonly size: number;
  /** What they take of the heap, nearly. */
  readonly bytes: number;
  /** Whether of a Secret of the namespace the metadata alone is table. */
  isReduced(namespace: string): boolean;
  /** Whether a namespace is over its budget: an object that is reduced stays so. */
  isOver(namespace: string): boolean;
  /** Namespaces of whose Secrets the metadata alone is table. */
  reduced(): Iterable<string>;
  /** Whether reduced Secrets of the namespace would fit again. If so, they are cached whole once they are listed again. */
  fitsAgain(namespace: string): boolean;
  /** Those that `tracks` selects, kept at hand. */
  tracked(): Iterable<Live>;
}

export interface LiveOptions<Live> {
  /** Undefined where nothing but metadata is cached anyway. */
  readonly memory?: MemoryBudget<Live>;
  readonly tracks?: (live: Live) => boolean;
  /** Gives each state of a namespace a number that no other state has. */
  readonly nextVersion: () => number;
}

const noBudget = <Live>(): MemoryBudget<Live> => ({
  bytesOf: () => 1,
  reducedBytes: 0,
  isReduced: () => false,
  reduce: (live) => live,
  namespaceBytes: Infinity,
  tableBytes: () => Infinity,
  onReduced: () => undefined,
});

/** By UID, and those that are tracked. */
function createIndex<Live extends IndexedLive>(tracks: (live: Live) => boolean) {
  const byUid = new Map<string, Live>();
  const tracked = new Set<Live>();
  return {
    byUid,
    tracked,
    replace: (previous: Live | undefined, next: Live | undefined): void => {
      if (previous !== undefined) {
        tracked.delete(previous);
        if (byUid.get(previous.uid) === previous) byUid.delete(previous.uid);
      }
      if (next === undefined) return;
      if (tracks(next)) tracked.add(next);
      byUid.set(next.uid, next);
    },
  };
}

/** Live Secrets by name and by UID, with the sums and selections that metrics read. */
export function createLiveSecrets<Live extends IndexedLive>({
  memory = noBudget(),
  tracks = () => false,
  nextVersion,
}: LiveOptions<Live>) {
  const table = new PlainTable<Live>();
  const index = createIndex(tracks);
  const versions = new Map<string, number>();
  const usage = createMemoryUsage(memory);
  const put = (namespace: string, name: string, live: Live | undefined): void => {
    const previous = table.set({ namespace, name }, live);
    index.replace(previous, live);
    usage.replace(namespace, previous, live);
    if (table.of(namespace) === undefined) versions.delete(namespace);
    else versions.set(namespace, nextVersion());
  };
  const reduceAll = (namespace: string): void => {
    for (const [name, live] of table.of(namespace) ?? []) put(namespace, name, memory.reduce(live));
    memory.onReduced(namespace);
  };
  return {
    set: (namespace: string, name: string, live: Live | undefined): void => {
      put(namespace, name, live && usage.admit(namespace, live));
      for (let over = usage.nextOver(namespace); over !== undefined; over = usage.nextOver(namespace))
        reduceAll(over);
    },
    /** The live Secret of a history key. */
    byKey: (key: string): Live | undefined => {
      const { namespace, uid } = partsOf(key);
      const live = index.byUid.get(uid);
      return live?.namespace === namespace ? live : undefined;
    },
    get: (namespace: string, name: string) => table.get(namespace, name),
    of: (namespace: string): readonly Live[] => [...(table.of(namespace)?.values() ?? [])],
    count: (namespace: string) => table.of(namespace)?.size ?? 0,
    version: (namespace: string) => versions.get(namespace) ?? 0,
    namespaces: () => versions.keys(),
    values: () => table.values(),
    tracked: () => index.tracked,
    get size() {
      return table.size;
    },
    get bytes() {
      return usage.cached();
    },
    isReduced: (namespace: string) => usage.isReduced(namespace),
    isOver: (namespace: string) => usage.isOver(namespace),
    reduced: () => usage.reduced(),
    fitsAgain: (namespace: string) => usage.fitsAgain(namespace),
  };
}
