import { startCall } from '../calls/call.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { ListedPage, Watchable, WatchedObject } from './ports.ts';

const PAGE_SIZE = 500;
const PAGE_BUDGET_MS = 30_000;

/**
 * Hands over all objects at one revision, page by page; no page is kept.
 * @returns the revision, to watch from
 * @throws {ServiceError} `expired` when a continue token outlived its list: a consistent list starts over
 */
export async function listAll<Item extends WatchedObject>(
  source: Watchable<Item>,
  take: (item: Item) => void,
  signal: AbortSignal,
): Promise<string> {
  let limit = PAGE_SIZE;
  let continueToken: string | undefined;
  let revision: string | undefined;
  for (;;) {
    const page = await smallEnoughPage(source, { limit, continueToken }, signal);
    limit = page.limit;
    revision ??= page.resourceVersion;
    if (page.resourceVersion !== revision) throw inconsistent('listRevisionChanged');
    for (const item of page.items) take(item);
    if (page.continueToken === undefined) return revision;
    if (page.continueToken === continueToken) throw inconsistent('listDidNotAdvance');
    continueToken = page.continueToken;
  }
}

/** Large objects: the page is asked for again with half as many, until it fits. */
async function smallEnoughPage<Item extends WatchedObject>(
  source: Watchable<Item>,
  {
    limit: firstLimit,
    continueToken,
  }: { readonly limit: number; readonly continueToken: string | undefined },
  signal: AbortSignal,
): Promise<ListedPage<Item> & { readonly limit: number }> {
  for (let limit = firstLimit; ; limit = Math.ceil(limit / 2)) {
    try {
      const page = await source.listPage({ limit, continueToken }, startCall(PAGE_BUDGET_MS, signal));
      return { ...page, limit };
    } catch (error) {
      if (limit === 1 || !isServiceError(error, 'responseTooLarge')) throw error;
    }
  }
}

function inconsistent(reason: string): ServiceError {
  return new ServiceError('listInconsistent', 'The list was inconsistent', { reason });
}
