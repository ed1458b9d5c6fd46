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
interface SecretsOfNamespace {
  readonly byName: Map<string, CachedSecret>;
  /** Of this state of the namespace alone, in whatever table. */
  version: symbol;
  /** What they take of the heap if all are whole, and what they take as they are. */
  wholeBytes: number;
  bytes: number;
  /** How many are reduced. */
  reduced: number;
  /** Whether it is over its budget: what is reduced stays so, and further Secrets are reduced, too. */
  isOver: boolean;
}

function noSecrets(): SecretsOfNamespace {
  return { byName: new Map(), version: Symbol(), wholeBytes: 0, bytes: 0, reduced: 0, isOver: false };
}

/**
 * Live Secrets by name and by UID, with the sums and selections that metrics read. Of a namespace over the budget, and of
 * the largest one while all are, the metadata alone is cached.
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
    this.#put(namespace, name, live && this.#admit(namespace, live));
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

  /** Whether of a Secret of the namespace the metadata alone is cached. */
  isReduced(namespace: string): boolean {
    return (this.#namespaces.get(namespace)?.reduced ?? 0) > 0;
  }

  /** Whether reduced Secrets of a namespace could be whole again. They then are admitted. */
  fitsAgain(namespace: string): boolean {
    const secrets = this.#namespaces.get(namespace);
    if (secrets === undefined || secrets.reduced === 0 || !this.#fits(secrets)) return false;
    secrets.isOver = false;
    return true;
  }

  #put(namespace: string, name: string, live: CachedSecret | undefined): void {
    const secrets = this.#namespaces.get(namespace) ?? noSecrets();
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
      return;
    }
    this.#count(secrets, live, 1);
    secrets.byName.set(name, live);
    this.#namespaces.set(namespace, secrets);
    this.#byUid.set(live.uid, live);
    if (live.expiries !== undefined) this.withExpiry.add(live);
    // Of a table before this one.
    if (!isWhole(live) && !this.#fits(secrets)) secrets.isOver = true;
  }

  #count(secrets: SecretsOfNamespace, live: CachedSecret, sign: 1 | -1): void {
    const bytes = isWhole(live) ? live.heapBytes : REDUCED_BYTES;
    secrets.wholeBytes += sign * live.heapBytes;
    secrets.bytes += sign * bytes;
    secrets.reduced += isWhole(live) ? 0 : sign;
    this.bytes += sign * bytes;
    this.size += sign;
  }

  /** Whether the Secrets of a namespace, and so many bytes more, could all be whole. */
  #fits({ wholeBytes, bytes }: SecretsOfNamespace, more = 0): boolean {
    const { namespaceBytes, tableBytes } = this.#budget;
    const whole = wholeBytes + more;
    if (whole > FITS_AGAIN * namespaceBytes) return false;
    return this.bytes - bytes + whole <= FITS_AGAIN * tableBytes();
  }

  /** The Secret as it is cached: its metadata alone where its namespace is over the budget. */
  #admit(namespace: string, live: CachedSecret): CachedSecret {
    const secrets = this.#namespaces.get(namespace);
    if (secrets?.isOver !== true) return live;
    secrets.isOver = !this.#fits(secrets, live.heapBytes);
    return secrets.isOver ? reducedSecretOf(live) : live;
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
    for (const [name, live] of secrets.byName) this.#put(namespace, name, reducedSecretOf(live));
    this.#budget.onReduced(namespace);
  }
}

/** Of those that are cached whole. */
function largestOf(namespaces: ReadonlyMap<string, SecretsOfNamespace>): string | undefined {
  let [found, most]: [string | undefined, number] = [undefined, 0];
  for (const [namespace, { isOver, bytes }] of namespaces) {
    if (!isOver && bytes > most) [found, most] = [namespace, bytes];
  }
  return found;
}
