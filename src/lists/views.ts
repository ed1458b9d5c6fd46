import { randomBytes } from 'node:crypto';
import type { Clock } from '../timing/clock.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { sortInSlices } from '../timing/sort-in-slices.ts';
import type { CachedState, ListCache } from './list-cache.ts';
import { byName, heapBytesOf, newerRevision, type ListItem } from './list-item.ts';

/** All live Secrets of a namespace at one point in time. Lists, pages and searches are made of it. */
export interface NamespaceView {
  /** Of this view alone. */
  readonly id: string;
  readonly namespace: string;
  /** Ordered by name. */
  readonly items: readonly ListItem[];
  /** The newest revision among them, see `newerRevision`; undefined when there are none. */
  readonly newest: string | undefined;
  /** At least as much as a live collection would count. */
  readonly bytes: number;
  /** The last changed first. Put in this order when it is first wanted. */
  byChange(): Promise<readonly ListItem[]>;
}

/** The views of namespaces as the cache has them now. */
export type Views = ReturnType<typeof createViews>;

const ID_BYTES = 8;
/** What a list adds per item: a comma, and the frame of a page now and then. */
const FRAME_BYTES = 2;

/** Makes one view of each version of a namespace that is requested. With the next change it is dropped. */
export function createViews(listCache: Pick<ListCache, 'onChange'> | undefined) {
  const entries = new Map<
    string,
    { readonly version: symbol | number; readonly view: Promise<NamespaceView> }
  >();
  listCache?.onChange((namespace) => entries.delete(namespace));
  return {
    /** @param state what the cache has returned just now */
    of(namespace: string, state: CachedState): Promise<NamespaceView> {
      const known = entries.get(namespace);
      if (known?.version === state.version) return known.view;
      const view = viewOf(namespace, state.items());
      if (state.count > 0) entries.set(namespace, { version: state.version, view });
      return view;
    },
  };
}

/** Makes a view in slices of time. */
export async function viewOf(namespace: string, unordered: readonly ListItem[]): Promise<NamespaceView> {
  const items = await sortInSlices(unordered, byName);
  const yielder = createEventLoopYielder();
  let newest = items[0]?.resourceVersion;
  let bytes = 0;
  for (const item of items) {
    bytes += (item.bytes ?? 0) + FRAME_BYTES;
    newest = newerRevision(newest ?? '', item.resourceVersion);
    if (yielder.isDue()) await yielder.yieldNow();
  }
  let changed: Promise<readonly ListItem[]> | undefined;
  const byChange = (): Promise<readonly ListItem[]> => (changed ??= sortInSlices(items, lastChangedFirst));
  return { id: randomBytes(ID_BYTES).toString('base64url'), namespace, items, newest, bytes, byChange };
}

function lastChangedFirst(one: ListItem, other: ListItem): number {
  return other.changedMs - one.changedMs || byName(one, other);
}

/** Views that `continue` tokens name, for those who read on. */
export type RetainedViews = ReturnType<typeof createRetainedViews>;

/** For people who read on, not for those who come back. */
export const RETAINED_MS = 5 * 60_000;
export const MAX_RETAINED = 256;
/** Its places in both orders. */
const BYTES_PER_ITEM = 16;
const OVERHEAD_BYTES = 512;

interface Retained {
  readonly view: NamespaceView;
  readonly ownBytes: number;
  /** Bytes of Secrets that were changed or deleted while this was the newest view of the namespace. */
  removedBytes: number;
  until: number;
}

/**
 * Retains views for {@link RETAINED_MS}, within bounds in number and bytes. Of the namespace that takes most the oldest view goes
 * first, so that those who change much do not end what others read.
 */
export function createRetainedViews(
  maxBytes: number,
  listCache: Pick<ListCache, 'onChange'> | undefined,
  { now }: Pick<Clock, 'now'>,
) {
  /** The oldest first. */
  let retained: readonly Retained[] = [];

  const drop = (gone: Retained): void => {
    const newestOf = (views: readonly Retained[]): Retained | undefined =>
      views.findLast(({ view }) => view.namespace === gone.view.namespace);
    const older = newestOf(retained.slice(0, retained.indexOf(gone)));
    // An older view keeps what changed after a later one, too.
    if (older !== undefined) older.removedBytes += gone.removedBytes;
    retained = retained.filter((one) => one !== gone);
  };
  const dropOutdated = (): void => {
    for (const one of retained) if (one.until <= now()) drop(one);
  };
  const dropOverBounds = (): void => {
    while (retained.length > MAX_RETAINED || bytesOf(retained) > maxBytes) {
      const namespaces = Map.groupBy(retained, ({ view }) => view.namespace).values();
      const [oldest] = [...namespaces].reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
      if (oldest !== undefined) drop(oldest);
    }
  };
  listCache?.onChange((namespace, removedBytes) => {
    const newest = retained.findLast(({ view }) => view.namespace === namespace);
    if (newest === undefined) return;
    newest.removedBytes += removedBytes;
    dropOverBounds();
  });
  const find = (namespace: string, id: string): Retained | undefined =>
    retained.find(({ view }) => view.namespace === namespace && view.id === id);
  return {
    /** @param isOwn whether nothing else keeps its items */
    retain(view: NamespaceView, isOwn: boolean): void {
      dropOutdated();
      const until = now() + RETAINED_MS;
      const known = find(view.namespace, view.id);
      if (known === undefined) {
        const ownBytes = isOwn ? view.items.reduce((sum, item) => sum + heapBytesOf(item), 0) : 0;
        retained = [...retained, { view, ownBytes, removedBytes: 0, until }];
      } else known.until = until;
      dropOverBounds();
    },
    /** Undefined once it is gone. */
    find(namespace: string, id: string): NamespaceView | undefined {
      dropOutdated();
      return find(namespace, id)?.view;
    },
    /** What would be free without them. */
    bytes(): number {
      dropOutdated();
      return bytesOf(retained);
    },
  };
}

function bytesOf(retained: readonly Retained[]): number {
  const each = ({ view, ownBytes, removedBytes }: Retained): number =>
    ownBytes + removedBytes + view.items.length * BYTES_PER_ITEM + OVERHEAD_BYTES;
  return retained.reduce((sum, one) => sum + each(one), 0);
}
