import { createAuthorizer } from '../../src/access/authorizer.ts';
import type { Reconcile } from '../../src/controller/controller.ts';
import type { ReconcilerObserver } from '../../src/history/reconciler/ports.ts';
import { createHistoryReconcile } from '../../src/history/reconciler/reconcile.ts';
import { keyOf, toIndexed, type IndexedSecret } from '../../src/history/snapshot/indexed-secret.ts';
import { createHistoryIndex } from '../../src/caches/history-index.ts';
import { createSeal } from '../../src/secrets/seal.ts';
import { createSecretsService, type SecretsService } from '../../src/secrets/secrets-service.ts';
import { unhurriedCall } from '../fakes/fake-call.ts';
import { createFakeMetadataStore } from '../fakes/fake-metadata-store.ts';
import { metadataOf } from '../fakes/fake-objects.ts';
import { WHOLE_CLUSTER } from '../fakes/scopes.ts';
import type { Choices } from './choices.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
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

/** One replica: the service's own use cases and its reconciler, over a watch that lags. */
export interface SimulatedReplica {
  readonly owner: string;
  readonly service: SecretsService;
  /** Brings the history of every key of its watch into order. */
  reconcile(): Promise<void>;
  /** Nothing of it goes on; what it has sent may still take effect. */
  crash(): void;
}

const RECONCILE_MS = 60_000;
/** A few looks at a watch that is behind are as good as many short ones. */
const WATCH_STEP_MS = 70;

export function startReplica(options: ReplicaOptions): SimulatedReplica {
  const { owner, cluster, scheduler, choices, clock, limit, orphanTtlMs } = options;
  const { now } = clock;
  const view = createView(options);
  const store = cluster.storeFor(owner);
  const service = createSecretsService({
    store,
    historyStore: store,
    authorizer: createAuthorizer({
      policies: cluster.fake.policies,
      namespaces: cluster.fake.namespaces,
      scope: WHOLE_CLUSTER,
    }),
    codec,
    tokenSeal: createSeal(new Uint8Array(32)),
    countRefusal: () => undefined,
    ...{ managedOnly: false, historyLimit: limit, orphanTtlMs },
    historyIndex: createHistoryIndex({
      reflectorOf: () => view,
      clock: {
        now,
        wallNow: now,
        sleep: async () => {
          await scheduler.turn(owner, 'waits for its watch');
          clock.pass(WATCH_STEP_MS);
        },
      },
    }),
    now: () => new Date(now()),
  });
  const reconcile: Reconcile = createHistoryReconcile({
    codec,
    ...{ limit, orphanTtlMs },
    indexed: (key) => view.group(key),
    store: createFakeMetadataStore({ ...cluster.fake, secrets: store }),
    remainingMs: () => RECONCILE_MS,
    observer: UNOBSERVED,
    clusterNow: now,
    wallNow: now,
  });
  return {
    owner,
    service,
    async reconcile() {
      for (const key of view.keys()) await reconcile(key, unhurriedCall());
    },
    crash() {
      view.close();
      // A request that was sent is on its way, whatever becomes of the sender.
      scheduler.crash(owner, (label) => label.startsWith('sends ') && choices.below(2) === 1);
    },
  };
}

const UNOBSERVED: ReconcilerObserver = {
  inconsistent: () => undefined,
  stepDone: () => undefined,
  stepFailed: () => undefined,
  clocksDisagree: () => undefined,
  expiryPostponed: () => undefined,
};

/** What the replica's watch has brought so far: everything at its start, and later one event at a time. */
function createView({ owner, cluster, scheduler }: ReplicaOptions) {
  const held = new Map<string, IndexedSecret>();
  let revision = cluster.revision();
  const { events, close } = cluster.watch();
  for (const secret of cluster.fake.all()) held.set(secret.name, toIndexed(metadataOf(secret)));
  scheduler.addSource({
    owner,
    label: 'receives a change',
    isReady: () => events.length > 0 || Number(revision) < Number(cluster.revision()),
    run() {
      const event = events.shift();
      if (event === undefined) {
        revision = cluster.revision(); // a bookmark: everything up to here was sent
        return;
      }
      const { kind, object } = event;
      if (kind === 'gone') held.delete(object.name);
      else held.set(object.name, toIndexed(object));
      if (Number(object.resourceVersion) > Number(revision)) revision = object.resourceVersion;
    },
  });
  const group = (key: string) => [...held.values()].filter((indexed) => keyOf(indexed) === key);
  return {
    group,
    keys: () => new Set([...held.values()].map(keyOf)),
    objects: {
      history: { of: (key: string) => group(key).filter((one) => one.kind === 'history') },
      get: (_namespace: string, name: string) => held.get(name),
    },
    status: () => ({ synced: true, revision, silenceMs: 0, isForbidden: false }),
    close,
  };
}
