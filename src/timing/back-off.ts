export interface BackOffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Gives 0 to 1. */
  readonly random: () => number;
}

/**
 * The wait after a number of failures (counted from 1): it doubles up to the longest, and is spread over its upper
 * half, so that many replicas do not come back at once.
 */
export function backOffMs(failures: number, { firstMs, longestMs, random }: BackOffOptions): number {
  // Beyond 2^30 the product would lose its meaning long after the longest wait is reached.
  const step = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs);
  return step * (0.5 + random() / 2);
}
