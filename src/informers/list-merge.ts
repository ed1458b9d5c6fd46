import { inconsistent } from '../kube/read-pages.ts';
import { isLater, parseRevision } from '../kube/resource-version.ts';
import type { Replacement } from './replacement.ts';
import type { WatchedObject } from './ports.ts';

/** A list that is on its way in, page by page, with the events since its first page. */
export interface ListMerge<Item> {
  /** An object of a page. */
  readonly list: (item: Item) => void;
  /** An object that an event has brought. */
  put(item: Item): void;
  /** An object that an event has removed, at the revision of the deletion. */
  remove(item: Item): void;
}

/** Beyond so many events during one list, the list is begun again. */
const MAX_EVENTS = 100_000;

/**
 * Merges pages with the events of a watch that was opened at the revision of the first page. Pages may be of that
 * revision or, once the list has expired, of later ones; of two states of an object the later one stays. So the whole is
 * one state again as soon as the watch has reached the revision of the last page.
 */
export function createListMerge<Item extends WatchedObject>(
  next: Replacement<Item, unknown>,
): ListMerge<Item> {
  /** By name: the revision of the last event. */
  const events = new Map<string, string>();
  const isOutdated = (item: Item): boolean => isNewer(next.revisionOf(item), item.resourceVersion);
  const note = (item: Item): void => {
    events.set(keyOf(item), item.resourceVersion);
    if (events.size > MAX_EVENTS) throw inconsistent('objects', 'listTooManyEvents');
  };
  return {
    list: (item) => {
      const seen = events.get(keyOf(item));
      if (seen === undefined || isNewer(item.resourceVersion, seen)) next.put(item);
    },
    put: (item) => {
      if (isOutdated(item)) return;
      note(item);
      next.put(item);
    },
    remove: (item) => {
      if (isOutdated(item)) return;
      note(item);
      next.remove(item);
    },
  };
}

function isNewer(revision: string | undefined, other: string): boolean {
  return isLater(parseRevision(revision), parseRevision(other));
}

function keyOf({ namespace, name }: WatchedObject): string {
  return `${namespace}/${name}`;
}
