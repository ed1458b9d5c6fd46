import { partsOf } from '../history/history.ts';
import { PlainTable } from '../informers/object-table.ts';
import { reducedSecretOf, type CachedSecret } from './cached-secret.ts';
import { createMemoryUsage, type MemoryBudget, type MemoryUsage } from './memory-budget.ts';

/** Reads the live Secrets of a table. */
export type LiveSecrets = Omit<ReturnType<typeof createLiveSecrets>, 'set' | 'byKey'>;

const NO_BUDGET: MemoryBudget = {
  namespaceBytes: Infinity,
  tableBytes: () => Infinity,
  onReduced: () => undefined,
};

/** Live Secrets by name and by UID, with the sums and selections that metrics read. */
export function createLiveSecrets(memory: MemoryBudget = NO_BUDGET) {
  const table = new PlainTable<CachedSecret>();
  const byUid = new Map<string, CachedSecret>();
  const withExpiry = new Set<CachedSecret>();
  const versions = new Map<string, symbol>();
  const usage = createMemoryUsage(memory);
  const index = (previous: CachedSecret | undefined, next: CachedSecret | undefined): void => {
    if (previous !== undefined) {
      withExpiry.delete(previous);
      if (byUid.get(previous.uid) === previous) byUid.delete(previous.uid);
    }
    if (next === undefined) return;
    if (next.expiries !== undefined) withExpiry.add(next);
    byUid.set(next.uid, next);
  };
  const put = (namespace: string, name: string, live: CachedSecret | undefined): void => {
    const previous = table.set({ namespace, name }, live);
    index(previous, live);
    usage.replace(namespace, previous, live);
    if (table.of(namespace) === undefined) versions.delete(namespace);
    else versions.set(namespace, Symbol());
  };
  const reduceAll = (namespace: string): void => {
    for (const [name, live] of table.of(namespace) ?? []) put(namespace, name, reducedSecretOf(live));
    memory.onReduced(namespace);
  };
  return {
    set: (namespace: string, name: string, live: CachedSecret | undefined): void => {
      put(namespace, name, live && usage.admit(namespace, live));
      for (let over = usage.nextOver(namespace); over !== undefined; over = usage.nextOver(namespace))
        reduceAll(over);
    },
    /** The live Secret of a history key. */
    byKey: (key: string): CachedSecret | undefined => {
      const { namespace, uid } = partsOf(key);
      const live = byUid.get(uid);
      return live?.namespace === namespace ? live : undefined;
    },
    get: (namespace: string, name: string) => table.get(namespace, name),
    /** All of a namespace, in no order. */
    of: (namespace: string): readonly CachedSecret[] => [...(table.of(namespace)?.values() ?? [])],
    count: (namespace: string) => table.of(namespace)?.size ?? 0,
    /** Of this state of the namespace alone, in whatever table; 0 when it has no Secret. */
    version: (namespace: string) => versions.get(namespace) ?? 0,
    /** Those that have a Secret. */
    namespaces: (): Iterable<string> => versions.keys(),
    values: () => table.values(),
    /** Those that expire, kept at hand so that a scrape need not go through all. */
    withExpiry: (): Iterable<CachedSecret> => withExpiry,
    get size() {
      return table.size;
    },
    /** What they take of the heap, nearly. */
    get bytes() {
      return usage.cached();
    },
    memory: usage as Pick<MemoryUsage, 'isReduced' | 'isOver' | 'reduced' | 'fitsAgain'>,
  };
}
