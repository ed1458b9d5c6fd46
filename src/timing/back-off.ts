export interface BackOffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The wait is between these two shares of a step; by default in its upper half. */
  readonly spread?: { readonly from: number; readonly to: number };
  /** Returns 0 to 1. */
  readonly random: () => number;
}

/**
 * The wait after a number of failures (counted from 1). It doubles up to the longest, with jitter, so that replicas do
 * not retry at the same time.
 */
export function backOffMs(failures: number, options: BackOffOptions): number {
  const { firstMs, longestMs, spread = UPPER_HALF, random } = options;
  // The longest wait is reached long before 2^30, beyond which the product would lose precision.
  const step = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs);
  return step * (spread.from + (spread.to - spread.from) * random());
}

const UPPER_HALF = { from: 0.5, to: 1 };
