import { startCall } from '../calls/call.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { ListedPage, Watchable, WatchedObject } from './ports.ts';

const PAGE_SIZE = 500;
/**
 * An answer is parsed in one go, and everybody waits for it: about 5 ms for a mebibyte. Once a page has shown that the
 * objects are large, the next ones hold fewer.
 */
const PAGE_BYTES = 1_048_576;
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
  const yielder = createEventLoopYielder();
  let limit = PAGE_SIZE;
  let continueToken: string | undefined;
  let revision: string | undefined;
  for (;;) {
    const page = await smallEnoughPage(source, { limit, continueToken }, signal);
    revision ??= page.resourceVersion;
    if (page.resourceVersion !== revision) throw inconsistent('listRevisionChanged');
    let count = 0;
    for (const item of page.items) {
      take(item);
      count++;
      if (yielder.isDue()) await yielder.yieldNow();
    }
    if (page.continueToken === undefined) return revision;
    if (page.continueToken === continueToken) throw inconsistent('listDidNotAdvance');
    continueToken = page.continueToken;
    if (count > 0) limit = fittingLimit(page.bytes / count);
  }
}

/** As many as fit the size of a page, if they are like those before them. */
function fittingLimit(bytesEach: number): number {
  return Math.max(1, Math.min(Math.floor(PAGE_BYTES / bytesEach), PAGE_SIZE));
}

/** Large objects: the page is asked for again with half as many, until it fits. */
async function smallEnoughPage<Item extends WatchedObject>(
  source: Watchable<Item>,
  {
    limit: firstLimit,
    continueToken,
  }: { readonly limit: number; readonly continueToken: string | undefined },
  signal: AbortSignal,
): Promise<ListedPage<Item>> {
  for (let limit = firstLimit; ; limit = Math.ceil(limit / 2)) {
    try {
      return await source.listPage({ limit, continueToken }, startCall(PAGE_BUDGET_MS, signal));
    } catch (error) {
      if (limit === 1 || !isServiceError(error, 'responseTooLarge')) throw error;
    }
  }
}

function inconsistent(reason: string): ServiceError {
  return new ServiceError('listInconsistent', 'The list was inconsistent', { reason });
}
