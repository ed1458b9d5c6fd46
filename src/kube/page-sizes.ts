import type { PageRequest } from './page.ts';

/** What one read of a list may use; Infinity where there is no limit. */
export interface PageBudget {
  readonly objects: number;
  readonly bytes: number;
  readonly pages: number;
}

/** For what little is kept of: the number of objects is not bounded, but the time of the request and the size of pages are. */
export const NO_BUDGET: PageBudget = { objects: Infinity, bytes: Infinity, pages: Infinity };

/**
 * A page is parsed in one turn of the event loop, about 5 ms per mebibyte, and everything else waits. So each page is
 * requested with as many objects as make a mebibyte, if they are like those of the previous page.
 */
const PAGE_BYTES = 1_048_576;
/** The rest of a response of twice that length is not read; the page is requested again with fewer objects. */
const LONGEST_PAGE = 2 * PAGE_BYTES;
/** A single object may be longer than a page, but not longer than any list. */
const LONGEST_ANSWER = 32 * PAGE_BYTES;
const MAX_OBJECTS = 500;
/** A page that takes longer is followed by a shorter one, so that a slow cluster stays within the time of a request. */
const PAGE_MS = 2_500;
/** The divisor for a response that was too long: from 500 objects to one in three steps. */
const SHRINK = 8;
/** The share of the pages that may be as short as their objects are large. */
const SHORT_SHARE = 0.6;

/**
 * Decides the size of each page of one list. The pages are enough for every list within the budgets of objects and
 * bytes, whatever the order of small and large objects: the first pages may be short because their objects are large,
 * and each of the others requests at least the remaining objects divided by the remaining pages.
 */
export class PageSizes {
  #objects: number;
  #bytes: number;
  #pages: number;
  /** How many of them come after those that may be short. */
  readonly #lastPages: number;
  #limit = MAX_OBJECTS;

  constructor({ objects, bytes, pages }: PageBudget = NO_BUDGET) {
    this.#objects = objects;
    this.#bytes = bytes;
    this.#pages = pages;
    this.#lastPages = Number.isFinite(pages) ? pages - Math.floor(pages * SHORT_SHARE) : 0;
  }

  /** The size of the next page, or of a smaller one in place of the last, which was too long. */
  next(): Pick<PageRequest, 'limit' | 'maxBytes'> {
    this.#limit = Math.max(this.#limit, this.#least());
    const longest = this.#limit > this.#least() ? LONGEST_PAGE : LONGEST_ANSWER;
    return { limit: this.#limit, maxBytes: Math.min(longest, this.#bytes) };
  }

  /** The last requested page has arrived, after `ms`. */
  arrived(count: number, bytes: number, ms: number): void {
    this.#pages--;
    this.#bytes -= bytes;
    this.#objects -= count;
    if (count === 0) return;
    const inTime = ms > PAGE_MS ? Math.floor((PAGE_MS * count) / ms) : MAX_OBJECTS;
    this.#limit = clamp(Math.min(inTime, Math.floor((PAGE_BYTES * count) / bytes)));
  }

  /** The last requested page was too long, or took too long. False if no smaller one can be requested. */
  shrink(): boolean {
    // All objects of the page belong to the list: if one does not fit into the remaining bytes, the list is too large.
    if (this.#limit <= this.#least() || this.#bytes <= LONGEST_PAGE) return false;
    this.#limit = Math.floor(this.#limit / SHRINK);
    return true;
  }

  /** Whether no page is left. */
  isExhausted(): boolean {
    return this.#pages <= 0;
  }

  /** The fewest objects that the next page may have: with so many, the remaining pages are enough. */
  #least(): number {
    return this.#pages > this.#lastPages ? 1 : clamp(Math.ceil(this.#objects / Math.max(1, this.#pages)));
  }
}

const clamp = (limit: number): number => Math.max(1, Math.min(limit, MAX_OBJECTS));
