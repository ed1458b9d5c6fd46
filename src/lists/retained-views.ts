import type { Clock } from '../timing/clock.ts';
import type { ListCache } from './list-cache.ts';
import { heapBytesOf } from './list-item.ts';
import type { NamespaceView } from './views.ts';

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
