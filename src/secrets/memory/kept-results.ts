import { randomBytes } from 'node:crypto';
import type { Clock } from '../../timing/clock.ts';
import type { NamespaceState } from './namespace-states.ts';
import { ID_BYTES, type PageToken } from './page-token.ts';

/** What someone sees of one state for one query, to be cut into pages. */
export interface PageResult extends Pick<PageToken, 'access' | 'query'> {
  readonly state: NamespaceState;
  /** The positions of the Secrets in the state, in the order of the query. */
  readonly positions: Uint32Array;
  readonly canCreate: boolean;
}

export interface KeptResult extends PageResult {
  readonly id: Buffer;
}

/** Results of which more pages may be wanted. */
export interface KeptResults {
  /** Keeps a result, or finds the one that is kept of the same state for the same query and access. */
  keep(person: string, result: PageResult): KeptResult;
  same(state: NamespaceState, wanted: Pick<PageToken, 'access' | 'query'>): KeptResult | undefined;
  /** Undefined once it is gone, and for a token with another access. */
  find(token: PageToken): KeptResult | undefined;
  bytes(): number;
}

/** For people who read on, not for those who come back. */
export const KEPT_MS = 5 * 60_000;
export const MOST_KEPT = 256;
/** Each person pushes out their own results first. */
export const MOST_KEPT_OF_ONE = 16;
const OVERHEAD_BYTES = 512;
const POINTER_BYTES = 8;

interface Entry {
  readonly person: string;
  readonly result: KeptResult;
  readonly until: number;
}

/** Keeps results for {@link KEPT_MS}, within bounds in number and bytes; the oldest are dropped first. */
export function createKeptResults(maxBytes: number, { now }: Pick<Clock, 'now'>): KeptResults {
  /** By id, the oldest first. */
  const entries = new Map<string, Entry>();

  const dropOutdated = (): void => {
    for (const [id, { until }] of entries) {
      if (until > now()) return;
      entries.delete(id);
    }
  };
  const dropWhile = (isOver: () => boolean, belongs: (entry: Entry) => boolean): void => {
    for (const [id, entry] of entries) {
      if (!isOver()) return;
      if (belongs(entry)) entries.delete(id);
    }
  };
  const bytes = (): number => bytesOf([...entries.values()].map(({ result }) => result));
  return {
    keep(person, result) {
      dropOutdated();
      const known = find(entries, result.state, result);
      if (known !== undefined) return known;
      const kept = { ...result, id: randomBytes(ID_BYTES) };
      entries.set(kept.id.toString('hex'), { person, result: kept, until: now() + KEPT_MS });
      const isTheirs = (entry: Entry): boolean => entry.person === person;
      dropWhile(() => entries.values().filter(isTheirs).toArray().length > MOST_KEPT_OF_ONE, isTheirs);
      dropWhile(
        () => entries.size > MOST_KEPT || bytes() > maxBytes,
        () => true,
      );
      return kept;
    },
    same: (state, wanted) => find(entries, state, wanted),
    find(token) {
      dropOutdated();
      const result = entries.get(token.id.toString('hex'))?.result;
      return result?.access.equals(token.access) === true ? result : undefined;
    },
    bytes,
  };
}

function find(
  entries: ReadonlyMap<string, Entry>,
  state: NamespaceState,
  { access, query }: Pick<PageToken, 'access' | 'query'>,
): KeptResult | undefined {
  for (const { result } of entries.values()) {
    if (result.state === state && result.access.equals(access) && result.query.equals(query)) return result;
  }
  return undefined;
}

/** What would be free without the results: their own, and the states that they share. */
function bytesOf(results: readonly PageResult[]): number {
  const states = new Set(results.map(({ state }) => state));
  const outdated = new Map<string, number>();
  let bytes = 0;
  for (const { positions } of results) bytes += positions.byteLength + OVERHEAD_BYTES;
  for (const state of states) {
    bytes += state.items.length * POINTER_BYTES;
    // The oldest state of a namespace keeps what the others keep, too.
    outdated.set(state.namespace, Math.max(outdated.get(state.namespace) ?? 0, state.outdatedBytes()));
  }
  for (const each of outdated.values()) bytes += each;
  return bytes;
}
