import { isWhole, REDUCED_BYTES, reducedSecretOf, type CachedSecret } from './cached-secret.ts';

/** How much of the heap the live Secrets of a table may take. */
export interface MemoryBudget {
  /** For one namespace. */
  readonly namespaceBytes: number;
  /** For this table, at the moment. */
  readonly tableBytes: () => number;
  /** Called when the Secrets of a namespace are reduced, so that what is made of them is dropped. */
  readonly onReduced: (namespace: string) => void;
}

interface Usage {
  /** What all Secrets take if they are whole. */
  whole: number;
  cached: number;
  reduced: number;
  /** Whether further Secrets are reduced, too. */
  isOver: boolean;
}

/** A namespace fits again at this part of what it may take, so that it does not come and go. */
const FITS_AGAIN = 3 / 4;

/** What the live Secrets of a table take of the heap, by namespace. */
export function createMemoryUsage({ namespaceBytes, tableBytes }: MemoryBudget) {
  const namespaces = new Map<string, Usage>();
  let cached = 0;
  const fits = ({ whole, cached: own }: Usage, more = 0): boolean =>
    whole + more <= FITS_AGAIN * namespaceBytes && cached - own + whole + more <= FITS_AGAIN * tableBytes();
  const add = (usage: Usage, live: CachedSecret, sign: 1 | -1): void => {
    const bytes = isWhole(live) ? live.heapBytes : REDUCED_BYTES;
    usage.whole += sign * live.heapBytes;
    usage.cached += sign * bytes;
    usage.reduced += isWhole(live) ? 0 : sign;
    cached += sign * bytes;
  };
  return {
    cached: () => cached,
    replace(namespace: string, previous: CachedSecret | undefined, next: CachedSecret | undefined): void {
      const usage = namespaces.get(namespace) ?? { whole: 0, cached: 0, reduced: 0, isOver: false };
      if (previous !== undefined) add(usage, previous, -1);
      if (next !== undefined) add(usage, next, 1);
      if (usage.whole === 0) namespaces.delete(namespace);
      else namespaces.set(namespace, usage);
      // Of a table before this one.
      if (next !== undefined && !isWhole(next) && !fits(usage)) usage.isOver = true;
    },
    /** The Secret as it is cached: its metadata alone where its namespace is over the budget. */
    admit(namespace: string, live: CachedSecret): CachedSecret {
      const usage = namespaces.get(namespace);
      if (usage?.isOver !== true) return live;
      usage.isOver = !fits(usage, live.heapBytes);
      return usage.isOver ? reducedSecretOf(live) : live;
    },
    /** A namespace whose Secrets have to be reduced now: itself over the budget, or the largest while all are. */
    nextOver(namespace: string): string | undefined {
      const usage = namespaces.get(namespace);
      const isOver = usage?.isOver === false && usage.whole > namespaceBytes;
      const found = isOver ? namespace : cached > tableBytes() ? largestOf(namespaces) : undefined;
      const over = found === undefined ? undefined : namespaces.get(found);
      if (over !== undefined) over.isOver = true;
      return found;
    },
    /** Whether of a Secret of the namespace the metadata alone is cached. */
    isReduced: (namespace: string) => (namespaces.get(namespace)?.reduced ?? 0) > 0,
    /** Whether a namespace is over its budget: an object that is reduced stays so. */
    isOver: (namespace: string) => namespaces.get(namespace)?.isOver === true,
    /** Namespaces with reduced Secrets. */
    *reduced(): Generator<string> {
      for (const [namespace, { reduced }] of namespaces) if (reduced > 0) yield namespace;
    },
    /** Whether reduced Secrets of a namespace could be whole again. They then are admitted. */
    fitsAgain(namespace: string): boolean {
      const usage = namespaces.get(namespace);
      if (usage === undefined || usage.reduced === 0 || !fits(usage)) return false;
      usage.isOver = false;
      return true;
    },
  };
}

export type MemoryUsage = ReturnType<typeof createMemoryUsage>;

/** Of those that are cached whole. */
function largestOf(namespaces: ReadonlyMap<string, Usage>): string | undefined {
  let [found, most]: [string | undefined, number] = [undefined, 0];
  for (const [namespace, { isOver, cached }] of namespaces) {
    if (!isOver && cached > most) [found, most] = [namespace, cached];
  }
  return found;
}
