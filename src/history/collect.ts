import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../calls/call.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { Page, PageRequest, SnapshotStore, StoredSecret } from './ports.ts';

/** The contract's budgets for one collection. */
export const COLLECTION_LIMITS = {
  objects: 5_000,
  bytes: 32 * 1024 * 1024,
  pages: 100,
} as const;

interface Paging {
  /** Objects of a page. */
  readonly size: number;
  /** Whether the budget of bytes is for all pages together; otherwise each page may use it up. */
  readonly together: boolean;
}

const WHOLE_LIST: Paging = { size: 500, together: true };

/** For objects of which only a little is kept. A page of the largest Secrets is within the budget. */
export const REDUCED_ON_ARRIVAL: Paging = { size: 20, together: false };

/** Everything of a list, at one revision. */
export interface Collection<Item> {
  readonly items: readonly Item[];
  readonly resourceVersion: string;
}

type ListPage<Item> = (request: PageRequest) => Promise<Page<Item>>;

/** What is collected, as answers name it. */
type Subject = 'Secrets' | 'workloads';

/**
 * Collects every Secret that a selector matches; see {@link collectPages}.
 * @throws {ServiceError} `listOverBudget`, `listInconsistent` or `listFailed`
 */
export function collectList(
  store: Pick<SnapshotStore, 'listPage'>,
  namespace: string,
  labelSelector: string,
  call: Call,
): Promise<Collection<StoredSecret>> {
  return collectPages('Secrets', (request) => store.listPage(namespace, { labelSelector, ...request }, call));
}

/**
 * Collects every object of a list within one namespace, over all pages of one consistent list. The result is
 * complete or there is none: a collection that fails, contradicts itself or breaks a budget throws.
 * A continue token that expired starts the collection over, once.
 *
 * @throws {ServiceError} `listOverBudget`, `listInconsistent` or `listFailed`
 */
export async function collectPages<Item extends { readonly name: string }>(
  subject: Subject,
  listPage: ListPage<Item>,
  paging = WHOLE_LIST,
): Promise<Collection<Item>> {
  try {
    return await collectOnce(subject, listPage, paging).catch((error: unknown) => {
      if (!isServiceError(error, 'expired')) throw error;
      return collectOnce(subject, listPage, paging);
    });
  } catch (error) {
    throw translated(subject, error);
  }
}

async function collectOnce<Item extends { readonly name: string }>(
  subject: Subject,
  listPage: ListPage<Item>,
  { size, together }: Paging,
): Promise<Collection<Item>> {
  const collected = new Map<string, Item>();
  let bytes = 0;
  let revision: string | undefined;
  let continueToken: string | undefined;
  for (let pages = 0; pages < COLLECTION_LIMITS.pages; pages++) {
    const page = await listPage({
      limit: size,
      maxBytes: COLLECTION_LIMITS.bytes - bytes,
      ...(continueToken === undefined ? {} : { continueToken }),
    });
    revision ??= page.resourceVersion;
    if (page.resourceVersion !== revision) throw inconsistent(subject, 'listRevisionChanged');
    if (together) bytes += page.bytes;
    for (const item of page.items) addOnce(subject, collected, item);
    if (collected.size > COLLECTION_LIMITS.objects) throw overBudget(subject, 'objects');
    if (page.continueToken === undefined) {
      return { items: [...collected.values()], resourceVersion: revision };
    }
    if (page.continueToken === continueToken) throw inconsistent(subject, 'listDidNotAdvance');
    continueToken = page.continueToken;
  }
  throw overBudget(subject, 'pages');
}

/** An identical duplicate appears once; the same name in two states contradicts a consistent list. */
function addOnce<Item extends { readonly name: string }>(
  subject: Subject,
  collected: Map<string, Item>,
  item: Item,
): void {
  const known = collected.get(item.name);
  if (known === undefined) {
    collected.set(item.name, item);
  } else if (!isDeepStrictEqual(known, item)) {
    throw inconsistent(subject, 'listConflictingDuplicate');
  }
}

function inconsistent(subject: Subject, reason: string): ServiceError {
  return new ServiceError('listInconsistent', `The list of ${subject} was inconsistent; try again`, {
    reason,
  });
}

function overBudget(subject: Subject, budget: 'objects' | 'bytes' | 'pages'): ServiceError {
  const limits = '5,000 objects, 32 MiB or 100 pages';
  return new ServiceError('listOverBudget', `The list of ${subject} is over budget (${limits})`, {
    reason: `listOverBudget:${budget}`,
  });
}

function translated(subject: Subject, error: unknown): unknown {
  if (isServiceError(error, 'listInconsistent', 'listOverBudget')) return error;
  if (isServiceError(error, 'responseTooLarge')) return overBudget(subject, 'bytes');
  if (!isServiceError(error)) return error;
  return new ServiceError('listFailed', `The list of ${subject} could not be collected`, {
    reason: error.reason ?? error.code,
    cause: error,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  });
}
