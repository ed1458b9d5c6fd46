import { ObjectStore } from '../../../src/informers/object-store.ts';
import { createSecretTable, type SecretRecord, type SecretTable } from '../../../src/caches/secret-table.ts';
import type { ReflectorStatus } from '../../../src/informers/reflector.ts';
import type { CachedSecret, WholeSecret } from '../../../src/caches/cached-secret.ts';
import type { MemoryBudget } from '../../../src/caches/live-secrets.ts';
import { SecretListCache, type SecretListCacheOptions } from '../../../src/caches/secret-list-cache.ts';
import { createVirtualClock, type VirtualClock } from '../../fakes/virtual-clock.ts';
import { itemOf } from '../lists/items.ts';

/** A list cache over a store that a test changes by hand, on a clock that stands still. */
export interface CacheFixture {
  readonly clock: VirtualClock;
  readonly store: ObjectStore<SecretRecord, SecretTable>;
  readonly cache: SecretListCache;
  readonly status: { -readonly [Key in keyof ReflectorStatus]: ReflectorStatus[Key] };
  /** The namespace changes, and what was replaced took so many bytes. */
  readonly changed: (namespace: string, removedBytes: number) => void;
  /** An object arrives by the watch. */
  arrive(item: CachedSecret): void;
  /** An object is gone by the watch, at this revision. */
  leave(item: CachedSecret, revision: number): void;
}

export function cachedSecret(name: string, revision: number, more: Partial<WholeSecret> = {}): WholeSecret {
  const item = itemOf(name, { resourceVersion: String(revision) });
  return { ...item, kind: 'live', terminating: false, bytes: 100, heapBytes: 1_000, ...more };
}

/** By default, more than any test holds. */
export function budgetOf(given: Partial<MemoryBudget> = {}): MemoryBudget {
  return {
    namespaceBytes: Infinity,
    tableBytes: () => Infinity,
    onReduced: () => undefined,
    ...given,
  };
}

/** @param others reflectors beside the one of the fixture, each of a namespace */
export function cacheFixture(
  memory = budgetOf(),
  others: SecretListCacheOptions['byScope'] = [],
): CacheFixture {
  const clock = createVirtualClock();
  const store: CacheFixture['store'] = new ObjectStore(() => createSecretTable(memory));
  const status: CacheFixture['status'] = {
    synced: true,
    revision: '10',
    silenceMs: 1_500,
    isForbidden: false,
  };
  const reflector = {
    get objects() {
      return store.table;
    },
    status: () => status,
  };
  const listeners: Parameters<SecretListCache['onChange']>[0][] = [];
  const changed: CacheFixture['changed'] = (...change) => {
    for (const listener of listeners) listener(...change);
  };
  const cache = new SecretListCache({
    reflectorOf: (namespace) => (namespace === 'outside' ? undefined : reflector),
    byScope: [{ scope: { without: [] }, reflector }, ...others],
    onChange: (listener) => listeners.push(listener),
    maxSilenceMs: 90_000,
    clock,
  });
  return {
    clock,
    store,
    cache,
    status,
    changed,
    arrive(item) {
      store.put(item);
      status.revision = item.resourceVersion;
      changed(item.namespace, 0);
    },
    leave(item, revision) {
      store.remove(item);
      status.revision = String(revision);
      changed(item.namespace, 0);
    },
  };
}
