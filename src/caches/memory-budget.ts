/** How much of the heap the live Secrets of a table may take. */
export interface MemoryBudget<Live> {
  /** What a Secret takes if it is whole. */
  readonly bytesOf: (live: Live) => number;
  /** What its metadata takes. */
  readonly reducedBytes: number;
  readonly isReduced: (live: Live) => boolean;
  /** Its metadata alone. */
  readonly reduce: (live: Live) => Live;
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
export function createMemoryUsage<Live>(budget: MemoryBudget<Live>) {
  const { bytesOf, reducedBytes, isReduced, reduce, namespaceBytes, tableBytes } = budget;
  const namespaces = new Map<string, Usage>();
  let cached = 0;
  const fits = ({ whole, cached: own }: Usage, more = 0): boolean =>
    whole + more <= FITS_AGAIN * namespaceBytes && cached - own + whole + more <= FITS_AGAIN * tableBytes();
  const add = (usage: Usage, live: Live, sign: 1 | -1): void => {
    const bytes = isReduced(live) ? reducedBytes : bytesOf(live);
    usage.whole += sign * bytesOf(live);
    usage.cached += sign * bytes;
    usage.reduced += isReduced(live) ? sign : 0;
    cached += sign * bytes;
  };
  return {
    cached: () => cached,
    replace(namespace: string, previous: Live | undefined, next: Live | undefined): void {
      const usage = namespaces.get(namespace) ?? { whole: 0, cached: 0, reduced: 0, isOver: false };
      if (previous !== undefined) add(usage, previous, -1);
      if (next !== undefined) add(usage, next, 1);
      if (usage.whole === 0) namespaces.delete(namespace);
      else namespaces.set(namespace, usage);
      // Of a table before this one.
      if (next !== undefined && isReduced(next) && !fits(usage)) usage.isOver = true;
    },
    /** The Secret as it is cached: its metadata alone where its namespace is over the budget. */
    admit(namespace: string, live: Live): Live {
      const usage = namespaces.get(namespace);
      if (usage?.isOver !== true) return live;
      usage.isOver = !fits(usage, bytesOf(live));
      return usage.isOver ? reduce(live) : live;
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
    isReduced: (namespace: string) => (namespaces.get(namespace)?.reduced ?? 0) > 0,
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

/** Of those that are cached whole. */
function largestOf(namespaces: ReadonlyMap<string, Usage>): string | undefined {
  let [found, most]: [string | undefined, number] = [undefined, 0];
  for (const [namespace, { isOver, cached }] of namespaces) {
    if (!isOver && cached > most) [found, most] = [namespace, cached];
  }
  return found;
}
