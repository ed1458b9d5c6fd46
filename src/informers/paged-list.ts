import { inconsistent } from '../kube/read-pages.ts';
import { hasReached, isLater, parseRevision } from '../kube/resource-version.ts';
import { listAll } from './list-all.ts';
import { textOfName, type ObjectStore, type ObjectTable } from './object-store.ts';
import type { Watchable, WatchedObject, WatchEvent } from './ports.ts';

/** A list of which the first page has arrived; not yet what the store holds. */
export type PagedList<Value extends WatchedObject, Table extends ObjectTable<Value>> = Awaited<
  ReturnType<typeof beginPagedList<Value, Table>>
>;

/** Beyond so many events during one list, the list is begun again. */
const MAX_EVENTS = 100_000;

/**
 * Begins a list, and resolves when its first page is there. Its pages are merged with the events of a watch that is opened at
 * the revision of the first page. Pages may be of that revision or, once the list has expired, of later ones; of two states of
 * an object the later one stays. So the whole is one state again as soon as the watch has reached the revision of the last page.
 * @param onEnd called when the last page has arrived, or one has failed
 * @throws whatever the first page failed with
 */
export async function beginPagedList<Value extends WatchedObject, Table extends ObjectTable<Value>>(
  source: Watchable<Value>,
  listed: ObjectStore<Value, Table>,
  onEnd: () => void,
  signal: AbortSignal,
) {
  const stop = new AbortController();
  /** By name: the revision of the last event. */
  const events = new Map<string, string>();
  const takeListed = (item: Value): void => {
    const seen = events.get(textOfName(item));
    if (seen === undefined || isNewer(item.resourceVersion, seen)) listed.put(item);
  };
  const firstPage = Promise.withResolvers<string>();
  let outcome: { readonly revision: string } | { readonly error: unknown } | undefined;
  const pages = listAll(source, takeListed, AbortSignal.any([signal, stop.signal]), {
    takesLaterRest: true,
    onMore: firstPage.resolve,
  });
  const ended = pages.then(
    (revision) => ({ revision }),
    (error: unknown) => ({ error }),
  );
  void ended.then((as) => {
    outcome = as;
    onEnd();
  });
  return {
    /** To watch from while the other pages arrive: so the list never outlives what the cluster keeps of changes. */
    revision: await Promise.race([pages, firstPage.promise]),
    listed,
    /** @throws {ServiceError} when the watch brings too many events for the list to be completed */
    take: (event: WatchEvent<Value>): void => {
      if (event.kind === 'bookmark') return;
      const { kind, item } = event;
      const held = listed.table.get(item.namespace, item.name);
      if (isNewer(held?.resourceVersion, item.resourceVersion)) return;
      events.set(textOfName(item), item.resourceVersion);
      if (events.size > MAX_EVENTS) throw inconsistent('objects', 'listTooManyEvents');
      listed[kind === 'deleted' ? 'remove' : 'put'](item);
    },
    /**
     * Whether it is one whole state when the watch has reached this revision.
     * @throws whatever its pages failed with
     */
    isWholeAt: (revision: string): boolean => {
      if (outcome === undefined) return false;
      if ('error' in outcome) throw outcome.error;
      return hasArrived(revision, outcome.revision);
    },
    /** Nothing more is requested for it. */
    abandon: (): void => {
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

function isNewer(revision: string | undefined, other: string): boolean {
  return isLater(parseRevision(revision), parseRevision(other));
}
