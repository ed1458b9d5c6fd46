import type { ObservationStart, ObservedPolicy, PolicyCache, PolicyState } from '../access/policy.ts';
import { hasReached, isLater, parseRevision, type Revision } from '../kube/resource-version.ts';
import type { Reflector } from '../informers/reflector.ts';

/** What is kept of a policy: what it says, judged on arrival. */
export interface CachedPolicy {
  readonly namespace: string;
  readonly resourceVersion: string;
  readonly state: PolicyState;
}

/** The reflector that follows a namespace's policy: one for all, or one of its own. */
export type PolicyReflectorOf = (
  namespace: string,
) => Pick<Reflector<CachedPolicy>, 'objects' | 'status'> | undefined;

export interface PolicyCacheOptions {
  readonly reflectorOf: PolicyReflectorOf;
  readonly policyName: string;
  readonly maxSilenceMs: number;
}

/** Anyone may ask for namespaces that do not exist; what is remembered of them is bounded. */
const MAX_REMEMBERED = 1_000;

/** What was read live last, where the cache has not shown it yet. */
interface News extends Pick<ObservedPolicy, 'resourceVersion'> {
  /** When it was noted: a read that began later knows better. */
  readonly sequence: number;
}

/**
 * The policy cache over reflectors. It vouches only while it is synced, its watch gives signs of life, and it has
 * reached what this replica has read live: people who were refused by the new rules see no list by the old.
 *
 * Between two changes of a policy its watch says little (a bookmark each minute), while Secrets change. So what the
 * cache holds also counts for a later revision when a live read, begun after that revision, has found the same.
 */
export function createPolicyCache(options: PolicyCacheOptions): PolicyCache {
  return new Cache(options);
}

class Cache implements PolicyCache {
  readonly #options: PolicyCacheOptions;
  readonly #news = new Map<string, News>();
  /** By namespace: the cluster's revision at which a live read has found what the cache holds. */
  readonly #confirmed = new Map<string, { readonly revision: Revision; readonly held: string | undefined }>();
  #sequence = 0;

  constructor(options: PolicyCacheOptions) {
    this.#options = options;
  }

  state(namespace: string, reached?: string): PolicyState | undefined {
    const { reflectorOf, maxSilenceMs } = this.#options;
    const status = reflectorOf(namespace)?.status();
    if (!status?.synced || status.isForbidden || status.silenceMs > maxSilenceMs) return undefined;
    const news = this.#news.get(namespace);
    if (news !== undefined && !this.#shows(namespace, news)) return undefined;
    this.#news.delete(namespace);
    if (reached !== undefined && !this.#hasReached(namespace, reached)) return undefined;
    return this.#held(namespace)?.state ?? { state: 'absent' };
  }

  observationStart(): ObservationStart {
    return { sequence: ++this.#sequence };
  }

  sawLive(namespace: string, { resourceVersion, since, reached }: ObservedPolicy): void {
    const known = this.#news.get(namespace);
    if (known !== undefined && since.sequence <= known.sequence) {
      // Read at the same time as what is known: of two revisions the newer one counts, of an absence one cannot tell.
      if (!isLater(parseRevision(resourceVersion), parseRevision(known.resourceVersion))) return;
    }
    this.#news.delete(namespace);
    if (!this.#shows(namespace, { resourceVersion })) {
      remember(this.#news, namespace, { resourceVersion, sequence: ++this.#sequence });
      return;
    }
    const held = this.#held(namespace)?.resourceVersion;
    const revision = parseRevision(reached);
    const confirmed = this.#confirmed.get(namespace);
    if (revision === undefined || held !== resourceVersion) return;
    if (confirmed !== undefined && confirmed.held === held && hasReached(confirmed.revision, revision))
      return;
    remember(this.#confirmed, namespace, { revision, held });
  }

  #held(namespace: string): CachedPolicy | undefined {
    const { reflectorOf, policyName } = this.#options;
    return reflectorOf(namespace)?.objects.get(namespace, policyName);
  }

  /** The revision that the watch has reached. */
  #revision(namespace: string): Revision | undefined {
    return parseRevision(this.#options.reflectorOf(namespace)?.status().revision);
  }

  /** Whether the cache holds this, or something that came after it. */
  #shows(namespace: string, { resourceVersion }: Pick<News, 'resourceVersion'>): boolean {
    const held = this.#held(namespace)?.resourceVersion;
    if (held === resourceVersion) return true;
    if (resourceVersion === undefined) return false;
    if (held !== undefined) return isLater(parseRevision(held), parseRevision(resourceVersion));
    // Nothing is held: either it was deleted, or its creation has not arrived.
    return hasReached(this.#revision(namespace), parseRevision(resourceVersion));
  }

  #hasReached(namespace: string, wanted: string): boolean {
    const revision = parseRevision(wanted);
    if (hasReached(this.#revision(namespace), revision)) return true;
    const confirmed = this.#confirmed.get(namespace);
    return (
      confirmed !== undefined &&
      hasReached(confirmed.revision, revision) &&
      confirmed.held === this.#held(namespace)?.resourceVersion
    );
  }
}

/** The namespace that was remembered first goes first. */
function remember<Value>(values: Map<string, Value>, namespace: string, value: Value): void {
  values.delete(namespace);
  values.set(namespace, value);
  for (const [oldest] of values) {
    if (values.size <= MAX_REMEMBERED) return;
    values.delete(oldest);
  }
}
