import type { Deadline } from '../timing/deadline.ts';
import { COLLECTION_LIMITS } from '../kube/collect.ts';
import { hasReached, parseRevision } from '../kube/resource-version.ts';
import type { SecretRef } from '../kube/secret.ts';
import type {
  CachedNamespace,
  CachedState,
  KnownOverBudget,
  ListCache,
  LiveList,
  LiveReason,
  ObservationStart,
} from '../secrets/list-cache.ts';
import { byName, newestRevision } from '../secrets/list-item.ts';
import type { Clock } from '../timing/clock.ts';
import type { Reflector, ReflectorStatus } from '../informers/reflector.ts';
import type { CachedSecret } from './cached-secret.ts';
import { createConsistencyGate, type ConsistencyGate, type Verdict } from './consistency-gate.ts';
import type { SecretTable } from './secret-table.ts';

/** The reflector that covers a namespace: one for all, or one per namespace. */
export type ReflectorOf = (
  namespace: string,
) => Pick<Reflector<Pick<SecretTable<CachedSecret>, 'live'>>, 'objects' | 'status'> | undefined;

export interface SecretListCacheOptions {
  readonly reflectorOf: ReflectorOf;
  /** All that there are. */
  readonly reflectors: () => readonly NonNullable<ReturnType<ReflectorOf>>[];
  readonly maxSilenceMs: number;
  readonly clock: Clock;
}

export interface SecretListCache extends ListCache {
  /** Call it with every change of a reflector: frees what was built for the state before. */
  changed(namespace: string): void;
  /** The cluster's storage was restored: what was seen says nothing of it. */
  readonly forget: () => void;
}

/** How long a list waits for a cache that is slightly behind. */
const CATCH_UP_MS = 200;
const CATCH_UP_STEP_MS = 4;
/** The cluster ends every request after a minute. Until then a write of unknown outcome may still happen. */
const UNCERTAIN_MS = 60_000;

/**
 * The list cache over reflectors. It answers for a namespace only if it holds a complete list, its watch has sent
 * something recently, it has reached everything that this replica has read or written there, and the namespace is
 * within the budgets of a list.
 */
export function createSecretListCache(options: SecretListCacheOptions): SecretListCache {
  return new Cache(options);
}

class Cache implements SecretListCache {
  readonly #options: SecretListCacheOptions;
  readonly #views: Views;
  readonly #gates: Gates;
  #sequence = 0;

  constructor(options: SecretListCacheOptions) {
    this.#options = options;
    this.#views = createViews(options.reflectorOf);
    this.#gates = createGates(options.reflectorOf, this.#views);
  }

  async namespace(
    namespace: string,
    deadline: Deadline,
  ): Promise<CachedNamespace | LiveReason | KnownOverBudget> {
    const ageMs = await this.#current(namespace, deadline);
    if (typeof ageMs === 'string') return ageMs;
    if (this.#isOverCount(namespace)) return 'tooManyObjects';
    const { items, newest, bytes } = this.#views.of(namespace);
    return bytes > COLLECTION_LIMITS.bytes ? 'overBudget' : { items, newest, ageMs };
  }

  async state(
    namespace: string,
    known: number | undefined,
    deadline: Deadline,
  ): Promise<CachedState | LiveReason> {
    const ageMs = await this.#current(namespace, deadline);
    if (typeof ageMs === 'string') return ageMs;
    const live = this.#options.reflectorOf(namespace)?.objects.live;
    const version = live?.version(namespace) ?? 0;
    const items = version === known ? undefined : (live?.of(namespace) ?? []);
    return { version, items, ageMs };
  }

  namespaces(): readonly string[] | LiveReason {
    const names = new Set<string>();
    for (const reflector of this.#options.reflectors()) {
      const ageMs = this.#vouchOf(reflector.status());
      if (typeof ageMs === 'string') return ageMs;
      for (const name of reflector.objects.live.namespaces()) names.add(name);
    }
    return [...names];
  }

  size(namespace: string): number {
    return this.#views.count(namespace);
  }

  hasTooManyObjects(namespace: string): boolean {
    return (
      typeof this.#vouch(namespace) === 'number' &&
      this.#gates.judge(namespace) === 'past' &&
      this.#isOverCount(namespace)
    );
  }

  changed(namespace: string): void {
    this.#views.drop(namespace);
  }

  readonly forget = (): void => {
    this.#gates.clear();
    this.#views.clear();
  };

  startObservation(): ObservationStart {
    return { sequence: ++this.#sequence, atMs: this.#options.clock.now() };
  }

  noteRevision({ namespace, name }: SecretRef, resourceVersion: string, since: ObservationStart): void {
    const { reflectorOf } = this.#options;
    // The cache has most of what is read already, so it need not be remembered.
    if (this.#gates.has(namespace) || isBeyond(resourceVersion, reflectorOf(namespace)?.status().revision)) {
      this.#gates.of(namespace).noteRevision(name, resourceVersion, since);
    }
  }

  noteWritten({ namespace, name }: SecretRef, resourceVersion: string, since: ObservationStart): void {
    this.#gates.of(namespace).noteWritten(name, resourceVersion, since);
  }

  noteDeleted({ namespace, name }: SecretRef, uid: string, resourceVersion: string): void {
    this.#gates.of(namespace).noteDeleted(name, { uid, resourceVersion }, this.startObservation());
  }

  noteAbsent({ namespace, name }: SecretRef): void {
    this.#gates.of(namespace).noteAbsent(name, this.startObservation());
  }

  noteList(namespace: string, list: LiveList, since: ObservationStart): void {
    this.#gates.of(namespace).noteList(list, since);
    this.#gates.judge(namespace); // Often the cache has it already, and nothing has to be remembered.
  }

  noteClusterRevision(namespace: string, resourceVersion: string, since: ObservationStart): void {
    this.#gates.of(namespace).noteClusterRevision(resourceVersion, since);
  }

  markUncertain(namespace: string): void {
    this.#gates.of(namespace).markUncertain(this.#options.clock.now() + UNCERTAIN_MS);
  }

  /** Milliseconds since the watch has sent something, or why it does not count. */
  #vouch(namespace: string): number | LiveReason {
    return this.#vouchOf(this.#options.reflectorOf(namespace)?.status());
  }

  #vouchOf(status: ReflectorStatus | undefined): number | LiveReason {
    if (!status?.synced || status.isForbidden) return 'notSynced';
    return status.silenceMs > this.#options.maxSilenceMs ? 'silent' : status.silenceMs;
  }

  /** As {@link Cache.#vouch}, once the cache has reached what this replica has seen; waits for that a little. */
  async #current(namespace: string, deadline: Deadline): Promise<number | LiveReason> {
    const early = this.#vouch(namespace);
    if (typeof early === 'string') return early;
    const verdict = await this.#catchUp(namespace, deadline);
    if (verdict !== 'past') return verdict;
    return this.#vouch(namespace); // Again, because catching up took time.
  }

  async #catchUp(namespace: string, deadline: Deadline): Promise<Verdict> {
    const { clock } = this.#options;
    const end = clock.now() + CATCH_UP_MS;
    for (;;) {
      const verdict = this.#gates.judge(namespace);
      if (verdict !== 'behind' || clock.now() >= end || deadline.signal.aborted) return verdict;
      await clock.sleep(CATCH_UP_STEP_MS, deadline.signal);
    }
  }

  #isOverCount(namespace: string): boolean {
    return this.#views.count(namespace) > COLLECTION_LIMITS.objects;
  }
}

interface View {
  /** Of the reflector's objects; a list may replace all of them at once. */
  readonly version: number;
  readonly items: readonly CachedSecret[];
  readonly newest: string | undefined;
  /** At least as much as a live collection would count. */
  readonly bytes: number;
}

const EMPTY: View = { version: 0, items: [], newest: undefined, bytes: 0 };
/** What a list adds per item: a comma, and the frame of a page now and then. */
const FRAME_BYTES = 2;

type Views = ReturnType<typeof createViews>;

/** Namespaces in order, built on demand and kept until they change. Namespaces without Secrets cost nothing. */
function createViews(reflectorOf: ReflectorOf) {
  const views = new Map<string, View>();
  return {
    of(namespace: string): View {
      const live = reflectorOf(namespace)?.objects.live;
      const version = live?.version(namespace) ?? 0;
      if (live === undefined || version === 0) return EMPTY;
      const known = views.get(namespace);
      if (known?.version === version) return known;
      const items = live.of(namespace).toSorted(byName);
      const bytes = items.reduce((total, item) => total + item.bytes + FRAME_BYTES, 0);
      const view = { version, items, newest: newestRevision(items), bytes };
      views.set(namespace, view);
      return view;
    },
    /** Without building a view: a namespace may hold far more than a list may have, and change all the time. */
    count: (namespace: string): number => reflectorOf(namespace)?.objects.live.count(namespace) ?? 0,
    drop: (namespace: string): void => {
      views.delete(namespace);
    },
    clear: (): void => {
      views.clear();
    },
  };
}

/** Anyone may send requests for namespaces that do not exist, so this is limited. */
const MAX_GATES = 10_000;

type Gates = ReturnType<typeof createGates>;

/** The gates of namespaces. A gate is dropped once the cache has passed everything in it. */
function createGates(reflectorOf: ReflectorOf, views: Pick<Views, 'of'>) {
  const gates = new Map<string, ConsistencyGate>();
  const judge = (namespace: string): Verdict => {
    const gate = gates.get(namespace);
    const reflector = reflectorOf(namespace);
    if (gate === undefined || reflector === undefined) return 'past';
    const verdict = gate.judge({
      revision: reflector.status().revision,
      held: (name) => reflector.objects.live.get(namespace, name),
      all: () => views.of(namespace).items,
    });
    if (gate.isEmpty) gates.delete(namespace);
    return verdict;
  };
  const dropGates = (): void => {
    for (const namespace of [...gates.keys()]) judge(namespace);
    for (const namespace of gates.keys()) {
      if (gates.size < MAX_GATES / 2) return;
      gates.delete(namespace);
    }
  };
  return {
    judge,
    has: (namespace: string) => gates.has(namespace),
    clear: (): void => {
      gates.clear();
    },
    of(namespace: string): ConsistencyGate {
      const known = gates.get(namespace);
      if (known !== undefined) return known;
      if (gates.size >= MAX_GATES) dropGates();
      const gate = createConsistencyGate();
      gates.set(namespace, gate);
      return gate;
    },
  };
}

function isBeyond(resourceVersion: string, reached: string | undefined): boolean {
  return !hasReached(parseRevision(reached), parseRevision(resourceVersion));
}
