import { createObjectStore, type ObjectStore } from '../../../src/informers/object-store.ts';
import { createSecretTables, type SecretRecord, type SecretTable } from '../../../src/caches/secret-table.ts';
import type { ReflectorStatus } from '../../../src/informers/reflector.ts';
import type { CachedSecret } from '../../../src/caches/cached-secret.ts';
import { createSecretListCache } from '../../../src/caches/secret-list-cache.ts';
import { createVirtualClock, type VirtualClock } from '../../fakes/virtual-clock.ts';

/** A list cache over a store that a test changes by hand, on a clock that stands still. */
export interface CacheFixture {
  readonly clock: VirtualClock;
  readonly store: ObjectStore<CachedSecret, SecretRecord<CachedSecret>, SecretTable<CachedSecret>>;
  readonly cache: ReturnType<typeof createSecretListCache>;
  readonly status: { -readonly [Key in keyof ReflectorStatus]: ReflectorStatus[Key] };
  /** An object arrives by the watch. */
  arrive(item: CachedSecret): void;
  /** An object is gone by the watch, at this revision. */
  leave(item: CachedSecret, revision: number): void;
}

export function cachedSecret(name: string, revision: number, more: Partial<CachedSecret> = {}): CachedSecret {
  return {
    kind: 'live',
    terminating: false,
    namespace: 'ns',
    name,
    uid: `uid-${name}`,
    resourceVersion: String(revision),
    json: `{"name":"${name}"}`,
    rules: { allowedGroups: [], allowedUsers: [] },
    managed: true,
    notAfter: undefined,
    type: 'Opaque',
    hasWord: (word) => name.includes(word),
    changedMs: () => 0,
    bytes: 100,
    length: 20,
    ...more,
  };
}

export function cacheFixture(): CacheFixture {
  const clock = createVirtualClock();
  const store: CacheFixture['store'] = createObjectStore<
    CachedSecret,
    SecretRecord<CachedSecret>,
    SecretTable<CachedSecret>
  >({
    project: (item) => item,
    createTable: createSecretTables<CachedSecret>({}),
  });
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
  const cache = createSecretListCache({
    reflectorOf: (namespace) => (namespace === 'outside' ? undefined : reflector),
    reflectors: () => [reflector],
    maxSilenceMs: 90_000,
    clock,
  });
  return {
    clock,
    store,
    cache,
    status,
    arrive(item) {
      store.put(item);
      status.revision = item.resourceVersion;
      cache.changed(item.namespace);
    },
    leave(item, revision) {
      store.remove(item);
      status.revision = String(revision);
      cache.changed(item.namespace);
    },
  };
}
