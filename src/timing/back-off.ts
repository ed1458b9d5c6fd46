export interface BackOffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The wait is between these two shares of a step; its upper half by default. */
  readonly spread?: { readonly from: number; readonly to: number };
  /** Gives 0 to 1. */
  readonly random: () => number;
}

/**
 * The wait after a number of failures (counted from 1): it doubles up to the longest, and is spread, so that many
 * replicas do not come back at once.
 */
export function backOffMs(failures: number, options: BackOffOptions): number {
  const { firstMs, longestMs, spread = UPPER_HALF, random } = options;
  // Beyond 2^30 the product would lose its meaning long after the longest wait is reached.
  const step = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs);
  return step * (spread.from + (spread.to - spread.from) * random());
}

const UPPER_HALF = { from: 0.5, to: 1 };
