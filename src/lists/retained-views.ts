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
  /** What {@link Namespace.removed} was when it was taken. */
  readonly since: number;
  until: number;
}

interface Namespace {
  /** By id, the oldest first. */
  readonly views: Map<string, Retained>;
  /** Bytes of Secrets that were changed or deleted since the first of these views. */
  removed: number;
}

/**
 * Retains views for {@link RETAINED_MS}, within bounds in number and bytes. Of the namespace that takes most the oldest view goes
 * first, so that those who change much do not end what others read.
 */
export function createRetainedViews(
  maxBytes: number,
  listCache: Pick<ListCache, 'onChange'>,
  { now }: Pick<Clock, 'now'>,
) {
  const namespaces = new Map<string, Namespace>();

  const dropWhere = (isDropped: (retained: Retained) => boolean): void => {
    for (const [name, { views }] of namespaces) {
      for (const [id, retained] of views) if (isDropped(retained)) views.delete(id);
      if (views.size === 0) namespaces.delete(name);
    }
  };
  const dropOutdated = (): void => {
    dropWhere(({ until }) => until <= now());
  };
  const dropOldest = (): void => {
    const [largest] = [...namespaces.values()].sort((one, other) => bytesOf(other) - bytesOf(one));
    const [oldest] = largest?.views.values() ?? [];
    dropWhere((retained) => retained === oldest);
  };
  const bytes = (): number => [...namespaces.values()].reduce((sum, one) => sum + bytesOf(one), 0);
  const count = (): number => [...namespaces.values()].reduce((sum, { views }) => sum + views.size, 0);
  listCache.onChange((namespace, removedBytes) => {
    const known = namespaces.get(namespace);
    if (known === undefined) return;
    known.removed += removedBytes;
    while (bytes() > maxBytes) dropOldest();
  });
  return {
    /** @param isOwn whether nothing else keeps its items */
    retain(view: NamespaceView, isOwn: boolean): void {
      dropOutdated();
      const namespace = namespaces.get(view.namespace) ?? { views: new Map<string, Retained>(), removed: 0 };
      namespaces.set(view.namespace, namespace);
      const id = view.id.toString('hex');
      const known = namespace.views.get(id);
      if (known === undefined) {
        const ownBytes = isOwn ? view.items.reduce((sum, item) => sum + heapBytesOf(item), 0) : 0;
        namespace.views.set(id, { view, ownBytes, since: namespace.removed, until: now() + RETAINED_MS });
      } else known.until = now() + RETAINED_MS;
      while (count() > MAX_RETAINED || bytes() > maxBytes) dropOldest();
    },
    /** Undefined once it is gone. */
    find(namespace: string, id: Buffer): NamespaceView | undefined {
      dropOutdated();
      return namespaces.get(namespace)?.views.get(id.toString('hex'))?.view;
    },
    /** What would be free without them. */
    bytes(): number {
      dropOutdated();
      return bytes();
    },
  };
}

/** The oldest view of a namespace keeps what the others keep, too. */
function bytesOf({ views, removed }: Namespace): number {
  let [bytes, since] = [0, removed];
  for (const retained of views.values()) {
    since = Math.min(since, retained.since);
    bytes += retained.ownBytes + retained.view.items.length * BYTES_PER_ITEM + OVERHEAD_BYTES;
  }
  return bytes + removed - since;
}
