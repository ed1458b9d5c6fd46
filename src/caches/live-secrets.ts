import { partsOf } from '../history/history.ts';
import { isWhole, REDUCED_BYTES, reducedSecretOf, type CachedSecret } from './cached-secret.ts';

/** Reads the live Secrets of a table. */
export type LiveSecrets = Readonly<Omit<LiveSecretTable, 'set' | 'byKey'>>;

/** How much of the heap the live Secrets of a table may take. */
export interface MemoryBudget {
  /** For one namespace. */
  readonly namespaceBytes: number;
  /** For this table, at the moment. */
  readonly tableBytes: () => number;
  /** Called when the Secrets of a namespace are reduced, so that what is made of them is dropped. */
  readonly onReduced: (namespace: string) => void;
}

const NO_BUDGET: MemoryBudget = {
  namespaceBytes: Infinity,
  tableBytes: () => Infinity,
  onReduced: () => undefined,
};

/** A namespace fits again at this part of what it may take, so that it does not come and go. */
const FITS_AGAIN = 3 / 4;

/** The Secrets of a namespace that has at least one. */
class SecretsOfNamespace {
  readonly byName = new Map<string, CachedSecret>();
  /** Of this state of the namespace alone, in whatever table. */
  version = Symbol();
  /** What they take of the heap if they are whole. */
  wholeBytes = 0;
  /** Whether it is over its budget. Then all of them are reduced, and stay so until they are listed again. */
  isOver = false;
}

/**
 * Live Secrets by name and by UID, with the sums and selections that metrics read. A namespace over its
 * budget is cached as metadata alone; so is the largest one while all of them together are over theirs.
 */
export class LiveSecretTable {
  /** Those that have a Secret. */
  readonly namespaces: ReadonlyMap<string, Readonly<SecretsOfNamespace>>;
  /** Those that expire, kept at hand so that a scrape need not go through all. */
  readonly withExpiry = new Set<CachedSecret>();
  size = 0;
  /** What they take of the heap, nearly. */
  bytes = 0;
  readonly #namespaces = new Map<string, SecretsOfNamespace>();
  readonly #byUid = new Map<string, CachedSecret>();
  readonly #budget: MemoryBudget;

  constructor(budget = NO_BUDGET) {
    this.#budget = budget;
    this.namespaces = this.#namespaces;
  }

  set(namespace: string, name: string, live: CachedSecret | undefined): void {
    const { isOver } = this.#put(namespace, name, live);
    // From the former table, in which this namespace was over its budget.
    if (live?.isReduced === true && !isOver) this.#reduce(namespace);
    for (let over = this.#nextOver(namespace); over !== undefined; over = this.#nextOver(namespace))
      this.#reduce(over);
  }

  get(namespace: string, name: string): CachedSecret | undefined {
    return this.#namespaces.get(namespace)?.byName.get(name);
  }

  /** The live Secret of a history key. */
  byKey(key: string): CachedSecret | undefined {
    const { namespace, uid } = partsOf(key);
    const live = this.#byUid.get(uid);
    return live?.namespace === namespace ? live : undefined;
  }

  /** Whether the Secrets of a namespace over its budget could all be whole when they are listed again. */
  fitsAgain(namespace: string): boolean {
    const secrets = this.#namespaces.get(namespace);
    if (secrets?.isOver !== true) return false;
    const { namespaceBytes, tableBytes } = this.#budget;
    const { wholeBytes, byName } = secrets;
    const ofAll = this.bytes - REDUCED_BYTES * byName.size + wholeBytes;
    return wholeBytes <= FITS_AGAIN * namespaceBytes && ofAll <= FITS_AGAIN * tableBytes();
  }

  #put(namespace: string, name: string, next: CachedSecret | undefined): SecretsOfNamespace {
    const secrets = this.#namespaces.get(namespace) ?? new SecretsOfNamespace();
    const live = next && secrets.isOver ? reducedSecretOf(next) : next;
    const previous = secrets.byName.get(name);
    secrets.version = Symbol();
    if (previous !== undefined) {
      this.#count(secrets, previous, -1);
      this.withExpiry.delete(previous);
      if (this.#byUid.get(previous.uid) === previous) this.#byUid.delete(previous.uid);
    }
    if (live === undefined) {
      secrets.byName.delete(name);
      if (secrets.byName.size === 0) this.#namespaces.delete(namespace);
      return secrets;
    }
    this.#count(secrets, live, 1);
    secrets.byName.set(name, live);
    this.#namespaces.set(namespace, secrets);
    this.#byUid.set(live.uid, live);
    if (live.expiries !== undefined) this.withExpiry.add(live);
    return secrets;
  }

  #count(secrets: SecretsOfNamespace, live: CachedSecret, sign: 1 | -1): void {
    secrets.wholeBytes += sign * live.heapBytes;
    this.bytes += sign * (isWhole(live) ? live.heapBytes : REDUCED_BYTES);
    this.size += sign;
  }

  /** A namespace whose Secrets have to be reduced now: this one over the budget, or the largest while all are. */
  #nextOver(namespace: string): string | undefined {
    const { namespaceBytes, tableBytes } = this.#budget;
    const secrets = this.#namespaces.get(namespace);
    if (secrets?.isOver === false && secrets.wholeBytes > namespaceBytes) return namespace;
    return this.bytes > tableBytes() ? largestOf(this.#namespaces) : undefined;
  }

  #reduce(namespace: string): void {
    const secrets = this.#namespaces.get(namespace);
    if (secrets === undefined) return;
    secrets.isOver = true;
    for (const [name, live] of secrets.byName) this.#put(namespace, name, live);
    this.#budget.onReduced(namespace);
  }
}

/** Of those that are cached whole. */
function largestOf(namespaces: ReadonlyMap<string, SecretsOfNamespace>): string | undefined {
  let [found, most]: [string | undefined, number] = [undefined, 0];
  for (const [namespace, { isOver, wholeBytes }] of namespaces) {
    if (!isOver && wholeBytes > most) [found, most] = [namespace, wholeBytes];
  }
  return found;
}
