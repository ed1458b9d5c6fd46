import { randomBytes } from 'node:crypto';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { sortInSlices } from '../timing/sort-in-slices.ts';
import type { CachedState, ListCache } from './list-cache.ts';
import { byName, newerRevision, type ListItem } from './list-item.ts';

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

interface Entry {
  readonly version: symbol | number;
  readonly view: Promise<NamespaceView>;
}

const ID_BYTES = 8;
/** What a list adds per item: a comma, and the frame of a page now and then. */
const FRAME_BYTES = 2;

/** Makes one view of each version of a namespace that is requested. With the next change it is dropped. */
export function createViews(listCache: Pick<ListCache, 'onChange'> | undefined) {
  const entries = new Map<string, Entry>();
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
