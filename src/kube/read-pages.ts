import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { createEventLoopYielder, type EventLoopYielder } from '../timing/event-loop-yielder.ts';
import { PageSizes, type PageBudget } from './page-sizes.ts';
import type { Page, PageRequest } from './page.ts';

/** A continue token outlived its list. */
export class ListExpired extends ServiceError {
  /**
   * Continues with the objects that exist now, behind those that were listed (Kubernetes: API concepts, retrieving large
   * results sets in chunks); undefined where the cluster gave none.
   */
  readonly continueToken: string | undefined;

  constructor(message: string, reason: string, continueToken: string | undefined) {
    super('expired', message, { reason });
    this.continueToken = continueToken;
  }
}

export interface ReadPagesOptions<Item> {
  /** What is listed, as error texts name it. */
  readonly subject: string;
  /** None by default. */
  readonly budget?: PageBudget | undefined;
  readonly listPage: (request: PageRequest) => Promise<Page<Item>>;
  /** Processes one object. Pages are not kept. */
  readonly take: (item: Item) => void;
  /** Called with the revision after each page that is not the last. */
  readonly onMore?: (revision: string) => void;
  /**
   * When the list expires between two pages: continue with what exists then, behind what was listed. The objects are then
   * of more than one revision.
   */
  readonly takesLaterRest?: boolean;
  /** Whether a page that failed so may arrive when it is shorter; by default a page of too many bytes. */
  readonly isTooLong?: (error: unknown) => boolean;
}

interface Reading<Item> extends ReadPagesOptions<Item> {
  readonly sizes: PageSizes;
  readonly yielder: EventLoopYielder;
}

/**
 * Reads all pages of one consistent list, in slices, so that other requests are handled in between.
 * @returns the revision of the list; of its last pages where it takes a later rest
 * @throws {ServiceError} `listInconsistent`, `listOverBudget` when the pages are used up, `responseTooLarge` when the
 *   bytes are, `expired` when a continue token outlived its list; and any error of `listPage` and `take`
 */
export async function readPages<Item>(list: ReadPagesOptions<Item>): Promise<string> {
  const reading = { ...list, sizes: new PageSizes(list.budget), yielder: createEventLoopYielder() };
  let revision: string | undefined;
  let continueToken: string | undefined;
  while (!reading.sizes.isExhausted()) {
    let page: ReadPage;
    try {
      page = await readPage(reading, continueToken);
    } catch (error) {
      const rest = error instanceof ListExpired ? error.continueToken : undefined;
      if (!list.takesLaterRest || rest === undefined) throw error;
      page = await readPage(reading, rest);
      revision = undefined;
    }
    revision ??= page.resourceVersion;
    if (page.resourceVersion !== revision) throw inconsistent(list.subject, 'listRevisionChanged');
    if (page.continueToken === undefined) return revision;
    if (page.continueToken === continueToken) throw inconsistent(list.subject, 'listDidNotAdvance');
    continueToken = page.continueToken;
    list.onMore?.(revision);
  }
  throw overBudget(list.subject, 'pages');
}

/**
 * Reads a list again from its beginning when a continue token outlived it, so that all pages are of one revision.
 * @param times how often at most
 * @throws {ServiceError} `expired` when that was not enough; any error of `read`
 */
export async function withRestarts<Result>(times: number, read: () => Promise<Result>): Promise<Result> {
  for (let left = times; ; left--) {
    try {
      return await read();
    } catch (error) {
      if (left === 0 || !isServiceError(error, 'expired')) throw error;
    }
  }
}

type ReadPage = Pick<Page<unknown>, 'resourceVersion' | 'continueToken'>;

/** A separate function, so that the page can be freed while the next one is requested. */
async function readPage<Item>(reading: Reading<Item>, continueToken: string | undefined): Promise<ReadPage> {
  const { sizes, yielder, take } = reading;
  const { page, ms } = await requestPage(reading, continueToken);
  const items = page.items[Symbol.iterator]();
  let count = 0;
  while (takeNext(items, take)) {
    count++;
    if (yielder.isDue()) await yielder.yieldNow();
  }
  sizes.arrived(count, page.bytes, ms);
  return { resourceVersion: page.resourceVersion, continueToken: page.continueToken };
}

/** A page that is too long is requested again with fewer objects. */
async function requestPage<Item>(
  { sizes, listPage, isTooLong = hasTooManyBytes }: Reading<Item>,
  continueToken: string | undefined,
) {
  for (;;) {
    const begun = performance.now();
    try {
      const page = await listPage({ ...sizes.next(), continueToken });
      return { page, ms: performance.now() - begun };
    } catch (error) {
      if (!isTooLong(error) || !sizes.shrink()) throw error;
    }
  }
}

/**
 * A separate function: while one waits for its next turn its variables stay in memory, and an object may hold values.
 * @returns whether there was one
 */
function takeNext<Item>(items: Iterator<Item>, take: (item: Item) => void): boolean {
  const next = items.next();
  if (next.done === true) return false;
  take(next.value);
  return true;
}

const hasTooManyBytes = (error: unknown): boolean => isServiceError(error, 'responseTooLarge');

export function inconsistent(subject: string, reason: string): ServiceError {
  return new ServiceError('listInconsistent', `The list of ${subject} was inconsistent; try again`, {
    reason,
  });
}

export function overBudget(subject: string, budget: keyof PageBudget): ServiceError {
  const limits = '5,000 objects, 32 MiB or 100 pages';
  return new ServiceError('listOverBudget', `The list of ${subject} is over budget (${limits})`, {
    reason: `listOverBudget:${budget}`,
  });
}
