import type { NamespaceCache } from '../access/namespace-list.ts';
import type { ReadStart, ObservedPolicy, PolicyCache, PolicyState } from '../access/policy.ts';
import { hasReached, isLater, parseRevision, type Revision } from '../kube/resource-version.ts';
import type { Reflector } from '../informers/reflector.ts';
import { ageOf } from './freshness.ts';

/** What is kept of a policy: its rules, checked on arrival. */
export interface CachedPolicy {
  readonly namespace: string;
  readonly resourceVersion: string;
  readonly state: PolicyState;
}

/** What is used of a reflector. */
type WatchedPolicies = Pick<
  Reflector<{ get(namespace: string, name: string): CachedPolicy | undefined }>,
  'objects' | 'status'
>;

export interface PolicyCacheOptions {
  /** The reflector that covers a namespace's policy: one for all, or one per namespace. */
  readonly reflectorOf: (namespace: string) => WatchedPolicies | undefined;
  readonly policyName: string;
  readonly maxSilenceMs: number;
}

/** Anyone may send requests for namespaces that do not exist, so this is limited. */
const MAX_REMEMBERED = 1_000;

/**
 * The policy cache over reflectors. Its policies are current only while it is synced, its watch is not silent, and it
 * has reached what this replica has read live: someone refused by the new rules must not get a list by the old ones.
 *
 * Between two changes of a policy its watch sends only a bookmark each minute, while Secrets change. So the cached
 * policy also counts for a later revision if a live read that began after that revision returned the same.
 */
export class CachedPolicies implements PolicyCache {
  readonly #options: PolicyCacheOptions;
  /** The last live read, until the cache contains it, and when it was noted: a read that began later takes precedence. */
  readonly #observed = new Map<string, Pick<ObservedPolicy, 'resourceVersion'> & ReadStart>();
  /** By namespace: the revision of the cluster at which a live read returned what the cache contains. */
  readonly #confirmed = new Map<
    string,
    { readonly revision: Revision; readonly cached: string | undefined }
  >();
  #sequence = 0;

  constructor(options: PolicyCacheOptions) {
    this.#options = options;
  }

  state(namespace: string, reached?: string): PolicyState | undefined {
    const { reflectorOf, maxSilenceMs } = this.#options;
    if (typeof ageOf(reflectorOf(namespace)?.status(), maxSilenceMs) === 'string') return undefined;
    const observed = this.#observed.get(namespace);
    if (observed !== undefined && !this.#contains(namespace, observed)) return undefined;
    this.#observed.delete(namespace);
    if (reached !== undefined && !this.#hasReached(namespace, parseRevision(reached))) return undefined;
    return this.#cached(namespace)?.state ?? { state: 'absent' };
  }

  startRead(): ReadStart {
    return { sequence: ++this.#sequence };
  }

  noteRead(namespace: string, { resourceVersion, since, reached }: ObservedPolicy): void {
    const known = this.#observed.get(namespace);
    if (known !== undefined && since.sequence <= known.sequence) {
      // Of two concurrent reads the newer revision counts. The order of two absences is unknown.
      if (!isLater(parseRevision(resourceVersion), parseRevision(known.resourceVersion))) return;
    }
    this.#observed.delete(namespace);
    if (!this.#contains(namespace, { resourceVersion })) {
      remember(this.#observed, namespace, { resourceVersion, sequence: ++this.#sequence });
      return;
    }
    const cached = this.#cached(namespace)?.resourceVersion;
    const revision = parseRevision(reached);
    if (revision === undefined || cached !== resourceVersion || this.#hasReached(namespace, revision)) return;
    remember(this.#confirmed, namespace, { revision, cached });
  }

  /** The cluster's storage was restored: what was read says nothing of it. */
  readonly forget = (): void => {
    this.#observed.clear();
    this.#confirmed.clear();
  };

  #cached(namespace: string): CachedPolicy | undefined {
    const { reflectorOf, policyName } = this.#options;
    return reflectorOf(namespace)?.objects.get(namespace, policyName);
  }

  /** The revision that the watch has reached. */
  #revision(namespace: string): Revision | undefined {
    return parseRevision(this.#options.reflectorOf(namespace)?.status().revision);
  }

  /** Whether the cache contains this, or something newer. */
  #contains(namespace: string, { resourceVersion }: Pick<ObservedPolicy, 'resourceVersion'>): boolean {
    const cached = this.#cached(namespace)?.resourceVersion;
    if (cached === resourceVersion) return true;
    if (resourceVersion === undefined) return false;
    if (cached !== undefined) return isLater(parseRevision(cached), parseRevision(resourceVersion));
    // Nothing is cached: the policy was deleted, or its creation has not arrived.
    return hasReached(this.#revision(namespace), parseRevision(resourceVersion));
  }

  #hasReached(namespace: string, revision: Revision | undefined): boolean {
    if (hasReached(this.#revision(namespace), revision)) return true;
    const confirmed = this.#confirmed.get(namespace);
    return (
      confirmed !== undefined &&
      hasReached(confirmed.revision, revision) &&
      confirmed.cached === this.#cached(namespace)?.resourceVersion
    );
  }
}

/** Removes the namespace that was added first when the map is full. */
function remember<Value>(values: Map<string, Value>, namespace: string, value: Value): void {
  values.delete(namespace);
  values.set(namespace, value);
  for (const [oldest] of values) {
    if (values.size <= MAX_REMEMBERED) return;
    values.delete(oldest);
  }
}

/** The names of the namespaces that a reflector holds, while it is fresh. */
export function createNamespaceCache(
  reflector: Pick<
    Reflector<{ values(): Iterable<{ readonly name: string; readonly isTerminating: boolean }> }>,
    'objects' | 'status'
  >,
  maxSilenceMs: number,
): NamespaceCache {
  return {
    names: () =>
      typeof ageOf(reflector.status(), maxSilenceMs) === 'string'
        ? undefined
        : Iterator.from(reflector.objects.values())
            .filter(({ isTerminating }) => !isTerminating)
            .map(({ name }) => name)
            .toArray(),
  };
}
