import { isDeepStrictEqual } from 'node:util';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { PageBudget } from './page-sizes.ts';
import { inconsistent, overBudget, readPages, withRestarts, type ReadPagesOptions } from './read-pages.ts';

/** The contract's budgets for one collection. */
export const COLLECTION_LIMITS = {
  objects: 5_000,
  bytes: 32 * 1024 * 1024,
  pages: 100,
} as const satisfies PageBudget;

const MAX_RESTARTS = 1;

/** Everything in a list, at one revision. */
export interface Collection<Item> {
  readonly items: readonly Item[];
  readonly resourceVersion: string;
}

interface Named {
  readonly name: string;
}

/** The budget is the contract's by default. */
export interface Collected<Item extends Named, Kept> extends Pick<
  ReadPagesOptions<Item>,
  'subject' | 'listPage' | 'budget'
> {
  /**
   * What is kept of an object, reduced as it arrives. No page is kept. It also decides whether an object that is listed
   * twice is the same.
   */
  readonly keep: (item: Item) => Kept;
}

/**
 * Collects every object of a list within one namespace, over all pages of one consistent list. The result is always
 * complete: a collection that fails, contradicts itself or exceeds a budget throws. After an expired continue token the
 * collection starts over, once.
 *
 * @throws {ServiceError} `listOverBudget`, `listInconsistent` or `listFailed`
 */
export async function collectPages<Item extends Named, Kept>(
  collected: Collected<Item, Kept>,
): Promise<Collection<Kept>> {
  try {
    return await withRestarts(MAX_RESTARTS, () => collectOnce(collected));
  } catch (error) {
    throw translated(collected.subject, error);
  }
}

async function collectOnce<Item extends Named, Kept>({
  subject,
  listPage,
  keep,
  budget = COLLECTION_LIMITS,
}: Collected<Item, Kept>): Promise<Collection<Kept>> {
  const items = new Map<string, Kept>();
  const take = (item: Item): void => {
    const kept = keep(item);
    if (!items.has(item.name)) items.set(item.name, kept);
    // An identical duplicate is kept once. The same name in two states contradicts a consistent list.
    else if (!isDeepStrictEqual(items.get(item.name), kept))
      throw inconsistent(subject, 'listConflictingDuplicate');
    if (items.size > budget.objects) throw overBudget(subject, 'objects');
  };
  const resourceVersion = await readPages({ subject, budget, listPage, take });
  return { items: [...items.values()], resourceVersion };
}

function translated(subject: string, error: unknown): unknown {
  if (isServiceError(error, 'listInconsistent', 'listOverBudget')) return error;
  if (isServiceError(error, 'responseTooLarge')) return overBudget(subject, 'bytes');
  if (!isServiceError(error)) return error;
  return new ServiceError('listFailed', `The list of ${subject} could not be collected`, {
    reason: error.reason ?? error.code,
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds,
  });
}
