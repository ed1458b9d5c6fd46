import { ServiceError } from '../errors/service-error.ts';
import { inconsistent } from '../kube/read-pages.ts';
import { hasReached, parseRevision } from '../kube/resource-version.ts';
import { listAll } from './list-all.ts';
import { createListMerge } from './list-merge.ts';
import type { Replacement } from './replacement.ts';
import type { Watchable, WatchedObject, WatchEvent } from './ports.ts';

/** A list that is not yet what the store holds. */
export interface ArrivingList<Item, Value> {
  readonly replacement: Replacement<Item, Value>;
  /** Whether its objects are the events of its watch, up to a bookmark that ends them. */
  readonly isStreaming: boolean;
  /** @throws {ServiceError} when an event shows that the list cannot be completed */
  take(event: WatchEvent<Item>): void;
  /**
   * Whether it is one whole state when the watch has reached this revision.
   * @throws whatever its pages failed with
   */
  isWholeAt(revision: string): boolean;
  /** Nothing more is requested for it. */
  abandon(): void;
}

/** A list that arrives as the first events of a watch. */
export function streamingList<Item extends WatchedObject, Value>(
  replacement: Replacement<Item, Value>,
): ArrivingList<Item, Value> {
  let isComplete = false;
  return {
    replacement,
    isStreaming: true,
    take: (event) => {
      if (event.kind === 'bookmark') {
        // Only a server without streaming lists sends another bookmark first.
        if (event.endsInitialEvents !== true) throw notStreaming();
        isComplete = true;
      } else if (event.kind === 'deleted') replacement.remove(event.item);
      else replacement.put(event.item);
    },
    isWholeAt: () => isComplete,
    abandon: () => undefined,
  };
}

export interface PagedListOptions<Item extends WatchedObject, Value> {
  readonly source: Watchable<Item>;
  readonly replacement: Replacement<Item, Value>;
  /** Called when the last page has arrived, or one has failed. */
  readonly onSettled: () => void;
}

/** A list of which the first page has arrived. */
export interface PagedList<Item, Value> extends ArrivingList<Item, Value> {
  /** To watch from while the other pages arrive: so the list never outlives what the cluster keeps of changes. */
  readonly revision: string;
}

/** Begins a list, and resolves when its first page is there. @throws whatever that page failed with */
export async function beginPagedList<Item extends WatchedObject, Value>(
  { source, replacement, onSettled }: PagedListOptions<Item, Value>,
  signal: AbortSignal,
): Promise<PagedList<Item, Value>> {
  const stop = new AbortController();
  const merge = createListMerge(replacement);
  const firstPage = Promise.withResolvers<string>();
  let outcome: { readonly revision: string } | { readonly error: unknown } | undefined;
  const settle = (as: NonNullable<typeof outcome>): void => {
    outcome = as;
    onSettled();
  };
  const pages = listAll(source, merge.list, AbortSignal.any([signal, stop.signal]), {
    takesLaterRest: true,
    onMore: firstPage.resolve,
  });
  pages.then(
    (revision) => {
      settle({ revision });
    },
    (error: unknown) => {
      settle({ error });
    },
  );
  return {
    revision: await Promise.race([pages, firstPage.promise]),
    replacement,
    isStreaming: false,
    take: (event) => {
      if (event.kind === 'deleted') merge.remove(event.item);
      else if (event.kind !== 'bookmark') merge.put(event.item);
    },
    isWholeAt: (revision) => {
      if (outcome === undefined) return false;
      if ('error' in outcome) throw outcome.error;
      return hasArrived(revision, outcome.revision);
    },
    abandon: () => {
      stop.abort();
    },
  };
}

function hasArrived(revision: string, last: string): boolean {
  if (revision === last) return true;
  const [reached, wanted] = [parseRevision(revision), parseRevision(last)];
  // Of pages of several revisions one cannot say when they are one state, where these have no order.
  if (reached === undefined || wanted === undefined) throw inconsistent('objects', 'listRevisionsUnordered');
  return hasReached(reached, wanted);
}

function notStreaming(): ServiceError {
  return new ServiceError('unavailable', 'The cluster did not end a streaming list', {
    reason: 'streamingListNotEnded',
  });
}
