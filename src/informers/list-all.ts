import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { readPages, type ReadPagesOptions } from '../kube/read-pages.ts';
import { startDeadline } from '../timing/deadline.ts';
import type { Watchable, WatchedObject } from './ports.ts';

const PAGE_BUDGET_MS = 30_000;
/** Why a page has not arrived in its time: a shorter one may. */
const TOO_SLOW: readonly (string | undefined)[] = ['clusterTimeout', 'deadlineExceeded'];

/**
 * Passes on all objects at one revision, page by page. No page is kept.
 * @returns the revision, to watch from
 * @throws {ServiceError} `expired` when a continue token outlived its list, and the rest may not be a later one
 */
export function listAll<Item extends WatchedObject>(
  source: Pick<Watchable<Item>, 'resource' | 'listPage' | 'takeTurn'>,
  take: (item: Item) => void,
  signal: AbortSignal,
  more: Pick<ReadPagesOptions<Item>, 'onMore' | 'takesLaterRest'> = {},
): Promise<string> {
  return readPages({
    ...more,
    subject: source.resource,
    listPage: async (query) => {
      if (query.continueToken === undefined) await source.takeTurn(signal);
      if (signal.aborted)
        throw new ServiceError('unavailable', 'The list was abandoned', { reason: 'deadlineExceeded' });
      return source.listPage(query, startDeadline(PAGE_BUDGET_MS, signal));
    },
    isTooLong: (error) => isServiceError(error, 'responseTooLarge') || (isTooSlow(error) && !signal.aborted),
    take,
  });
}

function isTooSlow(error: unknown): boolean {
  return isServiceError(error, 'unavailable') && TOO_SLOW.includes(error.reason);
}
