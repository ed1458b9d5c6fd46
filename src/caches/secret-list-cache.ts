import type { WatchedScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import { hasReached, parseRevision } from '../kube/resource-version.ts';
import type { SecretRef } from '../kube/secret.ts';
import type { CachedState, ListCache, LiveList, LiveReason, ObservationStart } from '../lists/list-cache.ts';
import type { Clock } from '../timing/clock.ts';
import type { Reflector } from '../informers/reflector.ts';
import { isWhole, type CachedSecret } from './cached-secret.ts';
import { ConsistencyGate, type Verdict } from './consistency-gate.ts';
import { ageOf, CATCH_UP_MS, catchUp } from './freshness.ts';
import type { SecretTable } from './secret-table.ts';

/** The reflector that covers a namespace: one for all, or one per namespace. */
export type ReflectorOf = (
  namespace: string,
) => Pick<Reflector<Pick<SecretTable, 'live'>>, 'objects' | 'status'> | undefined;

export interface SecretListCacheOptions extends Pick<ListCache, 'onChange'> {
  readonly reflectorOf: ReflectorOf;
  /** All that there are, and what each covers. */
  readonly byScope: readonly {
    readonly scope: WatchedScope;
    readonly reflector: NonNullable<ReturnType<ReflectorOf>>;
  }[];
  readonly maxSilenceMs: number;
  readonly clock: Clock;
}

const NO_SECRETS = { version: 0, byName: new Map<string, CachedSecret>(), isOver: false };
/** The cluster ends every request after a minute. Until then a write of unknown outcome may still happen. */
const UNCERTAIN_MS = 60_000;
/** Anyone may send requests for namespaces that do not exist, so this is limited. */
const MAX_GATES = 10_000;
/** And for names that do not exist: each is a few hundred bytes, which nothing frees while its namespace is not listed. */
const MAX_NOTED = 100_000;

/**
 * The list cache over reflectors. It answers for a namespace only if it holds a complete list, its watch has sent
 * something recently, it has reached everything that this replica has read or written there, and the namespace is
 * within the memory budget of the cache.
 */
export class SecretListCache implements ListCache {
  readonly #options: SecretListCacheOptions;
  /** By namespace. A gate is dropped once the cache has passed everything in it. */
  readonly #gates = new Map<string, ConsistencyGate>();
  readonly onChange: ListCache['onChange'];
  #sequence = 0;
  /** What was noted since the notes were last dropped. */
  #noted = 0;

  constructor(options: SecretListCacheOptions) {
    this.#options = options;
    this.onChange = options.onChange;
  }

  async state(
    namespace: string,
    deadline: Deadline,
    waitMs = CATCH_UP_MS,
  ): Promise<CachedState | LiveReason | 'memory'> {
    const early = this.#age(namespace);
    if (typeof early === 'string') return early;
    const verdict = await catchUp(() => this.#judge(namespace), waitMs, deadline, this.#options.clock);
    const ageMs = verdict === 'past' ? this.#age(namespace) : verdict; // Again, because catching up took time.
    if (typeof ageMs === 'string') return ageMs;
    const { version, byName, isOver } = this.#live(namespace);
    if (isOver) return 'memory';
    return { version, count: byName.size, items: () => byName.values().filter(isWhole).toArray(), ageMs };
  }

  namespaces(): readonly string[] | LiveReason {
    const names = new Set<string>();
    for (const { scope, reflector } of this.#options.byScope) {
      const status = reflector.status();
      const ageMs = ageOf(status, this.#options.maxSilenceMs);
      // A right that is missing in one namespace says nothing of the others.
      if (status.isForbidden && scope.namespace !== undefined) names.add(scope.namespace);
      else if (typeof ageMs === 'string') return ageMs;
      for (const name of reflector.objects.live.namespaces.keys()) names.add(name);
    }
    for (const [name, gate] of this.#gates) if (gate.mayHaveObjects) names.add(name);
    return [...names];
  }

  size(namespace: string): number {
    return this.#live(namespace).byName.size;
  }

  /** The cluster's storage was restored: what was seen says nothing of it. */
  readonly forget = (): void => {
    this.#gates.clear();
  };

  startObservation(): ObservationStart {
    return { sequence: ++this.#sequence, atMs: this.#options.clock.now() };
  }

  noteRevision({ namespace, name }: SecretRef, resourceVersion: string, since: ObservationStart): void {
    const reached = parseRevision(this.#options.reflectorOf(namespace)?.status().revision);
    // The cache has most of what is read already, so it need not be remembered.
    if (this.#gates.has(namespace) || !hasReached(reached, parseRevision(resourceVersion))) {
      this.#gate(namespace).noteRevision(name, resourceVersion, since);
    }
  }

  noteWritten({ namespace, name }: SecretRef, resourceVersion: string, since: ObservationStart): void {
    this.#gate(namespace).noteWritten(name, resourceVersion, since);
  }

  noteDeleted({ namespace, name }: SecretRef, uid: string, resourceVersion: string): void {
    this.#gate(namespace).noteDeleted(name, { uid, resourceVersion }, this.startObservation());
  }

  noteAbsent({ namespace, name }: SecretRef): void {
    this.#gate(namespace).noteAbsent(name, this.startObservation());
  }

  noteList(namespace: string, list: LiveList, since: ObservationStart): void {
    this.#gate(namespace).noteList(list, since);
    this.#judge(namespace); // Often the cache has it already, and nothing has to be remembered.
  }

  noteClusterRevision(namespace: string, resourceVersion: string, since: ObservationStart): void {
    this.#gate(namespace).noteClusterRevision(resourceVersion, since);
  }

  markUncertain(namespace: string, isOver = false): void {
    this.#gate(namespace).markUncertain(this.#options.clock.now() + (isOver ? 0 : UNCERTAIN_MS));
  }

  #live(namespace: string) {
    return this.#options.reflectorOf(namespace)?.objects.live.namespaces.get(namespace) ?? NO_SECRETS;
  }

  /** Milliseconds since the cluster last confirmed the cache, or why it is not fresh. */
  #age(namespace: string): number | LiveReason {
    return ageOf(this.#options.reflectorOf(namespace)?.status(), this.#options.maxSilenceMs);
  }

  #judge(namespace: string): Verdict {
    const gate = this.#gates.get(namespace);
    const reflector = this.#options.reflectorOf(namespace);
    if (gate === undefined || reflector === undefined) return 'past';
    const verdict = gate.judge(reflector.status().revision, this.#live(namespace));
    if (gate.isEmpty) this.#gates.delete(namespace);
    return verdict;
  }

  #gate(namespace: string): ConsistencyGate {
    if (++this.#noted > MAX_NOTED) this.#dropNotes();
    const known = this.#gates.get(namespace);
    if (known !== undefined) return known;
    if (this.#gates.size >= MAX_GATES) this.#dropGates();
    const gate = new ConsistencyGate();
    this.#gates.set(namespace, gate);
    return gate;
  }

  #dropNotes(): void {
    this.#noted = 0;
    for (const gate of this.#gates.values()) gate.forgetNotes(this.#options.clock.now());
  }

  #dropGates(): void {
    for (const namespace of [...this.#gates.keys()]) this.#judge(namespace);
    for (const namespace of this.#gates.keys()) {
      if (this.#gates.size < MAX_GATES / 2) return;
      this.#gates.delete(namespace);
    }
  }
}
