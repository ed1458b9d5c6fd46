import { startDeadline } from '../timing/deadline.ts';
import { createPageSizes } from '../kube/page-sizes.ts';
import { readPages } from '../kube/read-pages.ts';
import type { Watchable, WatchedObject } from './ports.ts';

/** A cache holds whatever the cluster has. Only the size of pages is limited. */
const NO_BUDGET = { objects: Infinity, bytes: Infinity, pages: Infinity };
const PAGE_BUDGET_MS = 30_000;

/**
 * Passes on all objects at one revision, page by page. No page is kept.
 * @returns the revision, to watch from
 * @throws {ServiceError} `expired` when a continue token outlived its list: a consistent list starts over
 */
export function listAll<Item extends WatchedObject>(
  source: Watchable<Item>,
  take: (item: Item) => void,
  signal: AbortSignal,
): Promise<string> {
  return readPages({
    subject: source.resource,
    sizes: createPageSizes(NO_BUDGET),
    listPage: (query) => source.listPage(query, startDeadline(PAGE_BUDGET_MS, signal)),
    take,
  });
}
