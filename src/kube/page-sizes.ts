/** What one reading of a list may use up; Infinity for what has no limit. */
export interface PageBudget {
  readonly objects: number;
  readonly bytes: number;
  readonly pages: number;
}

/** How a page is asked for. */
export interface PageSize {
  /** Objects at most. */
  readonly limit: number;
  /** Bytes at most; a longer answer is not read on. */
  readonly maxBytes: number;
}

/**
 * A page is parsed in one turn of the event loop, about 5 ms for a mebibyte, and everyone waits for it. So each page is
 * asked for with as many objects as make a mebibyte, if they are like those of the page before.
 */
const PAGE_BYTES = 1_048_576;
/** An answer that is twice as long is not read on; fewer objects are asked for instead. */
const LONGEST_PAGE = 2 * PAGE_BYTES;
/** A single object may be longer than a page, but not longer than any list. */
const LONGEST_ANSWER = 32 * PAGE_BYTES;
const MOST_OBJECTS = 500;
/** What an answer that was too long is divided by: from 500 objects to a single one in three steps. */
const SHRINK = 8;
/** Of the pages, how many may be shorter than the rest of the objects and of the pages allows. */
const SHORT_SHARE = 0.6;

/**
 * Decides the size of each page of one list. The pages suffice for every list within the budgets of objects and
 * bytes, whatever the order of small and large objects: a limited number of pages may be short, because their objects
 * are large; once these are used up, every page asks for at least the remaining objects divided by the remaining pages.
 */
export interface PageSizes {
  /** The size of the next page, or of a smaller one in place of the last, which was too long. */
  next(): PageSize;
  /** The page asked for last has arrived. */
  arrived(page: { readonly count: number; readonly bytes: number }): void;
  /** The page asked for last was too long. False when no smaller one can be asked for. */
  shrink(): boolean;
  /** Whether no page is left. */
  isExhausted(): boolean;
}

export function createPageSizes(budget: PageBudget): PageSizes {
  return new Sizes(budget);
}

class Sizes implements PageSizes {
  #objects: number;
  #bytes: number;
  #pages: number;
  #short: number;
  #limit = MOST_OBJECTS;

  constructor({ objects, bytes, pages }: PageBudget) {
    this.#objects = objects;
    this.#bytes = bytes;
    this.#pages = pages;
    this.#short = Number.isFinite(pages) ? Math.floor(pages * SHORT_SHARE) : Infinity;
  }

  next(): PageSize {
    this.#limit = Math.max(this.#limit, this.#least());
    const longest = this.#limit > this.#least() ? LONGEST_PAGE : LONGEST_ANSWER;
    return { limit: this.#limit, maxBytes: Math.min(longest, this.#bytes) };
  }

  arrived({ count, bytes }: { readonly count: number; readonly bytes: number }): void {
    if (this.#limit < this.#ordinary()) this.#short--;
    this.#pages--;
    this.#bytes -= bytes;
    this.#objects -= count;
    if (count > 0) this.#limit = clamp(Math.floor((PAGE_BYTES * count) / bytes));
  }

  shrink(): boolean {
    // All objects of the page belong to the list: one that does not fit what is left makes the list too large.
    if (this.#limit <= this.#least() || this.#bytes <= LONGEST_PAGE) return false;
    this.#limit = Math.floor(this.#limit / SHRINK);
    return true;
  }

  isExhausted(): boolean {
    return this.#pages <= 0;
  }

  /** The fewest objects that the next page may ask for. */
  #least(): number {
    return this.#short > 0 ? 1 : this.#ordinary();
  }

  /** With so many objects on each page, the pages that may not be short suffice. */
  #ordinary(): number {
    if (!Number.isFinite(this.#pages)) return 1;
    return clamp(Math.ceil(this.#objects / Math.max(1, this.#pages - this.#short)));
  }
}

/** Of pages of a fixed size. */
export interface FixedSizes {
  /** Objects of a page: the next, smaller number where a page is too long. */
  readonly limits: readonly number[];
  readonly maxBytes: number;
  /** Pages at most. */
  readonly pages: number;
}

/** Fixed sizes, for a list without a budget of objects of which almost nothing is kept. */
export function createFixedSizes({ limits, maxBytes, pages }: FixedSizes): PageSizes {
  let step = 0;
  let left = pages;
  return {
    next: () => ({ limit: limits[step] ?? 1, maxBytes }),
    arrived: () => {
      left--;
    },
    shrink: () => {
      if (step + 1 >= limits.length) return false;
      step++;
      return true;
    },
    isExhausted: () => left <= 0,
  };
}

function clamp(limit: number): number {
  return Math.max(1, Math.min(limit, MOST_OBJECTS));
}
