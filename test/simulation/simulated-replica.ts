import { createAuthorizer } from '../../src/access/authorizer.ts';
import type { Reconcile } from '../../src/controller/controller.ts';
import { HistoryReconciler } from '../../src/history/reconciler/reconcile.ts';
import { createHistory } from '../../src/history/history.ts';
import { cacheNotifyingStore } from '../../src/caches/cache-notifying-store.ts';
import { createHistoryIndex } from '../../src/caches/history-index.ts';
import { SecretListCache } from '../../src/caches/secret-list-cache.ts';
import { createLists, type Lists } from '../../src/lists/lists.ts';
import { createSeal } from '../../src/secrets/seal.ts';
import type { SecretStore } from '../../src/secrets/ports.ts';
import { createSecretsService, type SecretsService } from '../../src/secrets/secrets-service.ts';
import { unhurriedCall } from '../fakes/fake-call.ts';
import { createFakeMetadataStore } from '../fakes/fake-metadata-store.ts';
import { WHOLE_CLUSTER } from '../fakes/scopes.ts';
import type { Choices } from './choices.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import { startWatch, type SimulatedWatch } from './simulated-watch.ts';
import { codec } from '../fakes/annotations.ts';

/** One clock for all, which goes on by what happens. */
export interface SimulatedClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pass: (ms: number) => void;
}

export interface ReplicaOptions {
  readonly owner: string;
  readonly cluster: SimulatedCluster;
  readonly scheduler: Scheduler;
  readonly choices: Choices;
  readonly clock: SimulatedClock;
  readonly limit: number;
  readonly orphanTtlMs: number;
}

/** One replica: the service's own use cases, lists and reconciler, over a watch that lags. */
export interface SimulatedReplica {
  readonly owner: string;
  readonly service: SecretsService;
  readonly lists: Lists;
  /** Passes when a client sends its next request. */
  nextRequest(): Promise<void>;
  /** Brings the history of every key of its watch into order. */
  reconcile(): Promise<void>;
  /** Nothing of it goes on; what it has sent may still take effect. */
  crash(): void;
}

const RECONCILE_MS = 60_000;
/** The same for all replicas. */
const SECRET_KEY = new Uint8Array(32);
/** A few looks at a watch that is behind are as good as many short ones. */
const WATCH_STEP_MS = 70;

export function startReplica(options: ReplicaOptions): SimulatedReplica {
  const { owner, cluster, scheduler, choices, clock, limit, orphanTtlMs } = options;
  const listeners: Parameters<SecretListCache['onChange']>[0][] = [];
  const watch = startWatch(owner, options, (...change) => {
    for (const listener of listeners) listener(...change);
  });
  const reflectorOf = () => watch;
  const watchClock = {
    now: clock.now,
    wallNow: clock.now,
    sleep: async () => {
      await scheduler.turn(owner, 'waits for its watch');
      clock.pass(WATCH_STEP_MS);
    },
  };
  const listCache = new SecretListCache({
    byScope: [{ scope: { without: [] }, reflector: watch }],
    ...{ reflectorOf, maxSilenceMs: Infinity, clock: watchClock },
    onChange: (listener) => listeners.push(listener),
  });
  const store = cluster.reach(owner, cluster.fake.secrets);
  const authorizer = createAuthorizer({
    policies: cluster.fake.policies,
    namespaces: cluster.fake.namespaces,
    scope: WHOLE_CLUSTER,
  });
  const shared = { authorizer, codec, managedOnly: false, countRefusal: () => undefined };
  const index = createHistoryIndex(reflectorOf, watchClock);
  const service = createSecretsService({
    ...shared,
    store: cacheNotifyingStore(store, listCache),
    history: createHistory({ store, codec, limit, index }),
    tokenSeal: createSeal(SECRET_KEY),
    orphanTtlMs,
    now: () => new Date(clock.now()),
  });
  const lists = createLists({
    ...{ ...shared, store, listCache, tokenKey: SECRET_KEY },
    clock: { now: clock.now, wallNow: clock.now },
    compress: (bytes) => Promise.resolve(bytes),
    onList: ({ source }) => {
      scheduler.note(`${owner}: list from ${source}`);
    },
  });
  const reconcile = reconcileOver(options, { watch, store, remainingMs: () => RECONCILE_MS });
  return {
    owner,
    service,
    lists,
    nextRequest: () => scheduler.turn(owner, 'receives another request'),
    async reconcile() {
      for (const key of [...watch.objects.history.keys()]) await reconcile(key, unhurriedCall());
    },
    crash() {
      watch.close();
      // A request that was sent is on its way, whatever becomes of the sender.
      scheduler.crash(owner, (label) => label.startsWith('sends ') && choices.below(2) === 1);
    },
  };
}

export interface Reconciled {
  readonly watch: Pick<SimulatedWatch, 'objects'>;
  readonly store: SecretStore;
  /** Until the renew deadline of the Lease. */
  readonly remainingMs: () => number;
}

export function reconcileOver(
  { clock, limit, orphanTtlMs }: Pick<ReplicaOptions, 'clock' | 'limit' | 'orphanTtlMs'>,
  { watch, store, remainingMs }: Reconciled,
): Reconcile {
  const reconciler = new HistoryReconciler({
    ...{ codec, limit, orphanTtlMs, remainingMs },
    indexed: (key) => watch.objects.history.group(key),
    store: createFakeMetadataStore({ secrets: store }),
    logger: { info: () => undefined, warn: () => undefined },
    metrics: { inc: () => undefined },
    clusterNow: clock.now,
    wallNow: clock.now,
  });
  return (key, deadline) => reconciler.reconcile(key, deadline);
}
