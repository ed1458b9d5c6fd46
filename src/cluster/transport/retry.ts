import { backOffMs } from '../../timing/back-off.ts';
import type { Failure } from './errors.ts';

export const MAX_ATTEMPTS = 4;
const BACK_OFF = { firstMs: 100, longestMs: 2_000 };
/** With less time than this, another attempt would only add load. */
const SHORTEST_ATTEMPT_MS = 50;

/**
 * The wait before the next attempt, or undefined to give up: the back-off, or the cluster's Retry-After if that is
 * longer. `random` returns 0 to 1.
 */
export function waitAfter(
  attempt: number,
  { repeatable, error }: Failure,
  remainingMs: number,
  random: () => number,
): number | undefined {
  if (!repeatable || attempt >= MAX_ATTEMPTS) return undefined;
  const wait = (error.retryAfterSeconds ?? 0) * 1_000 + backOffMs(attempt, { ...BACK_OFF, random });
  return wait + SHORTEST_ATTEMPT_MS <= remainingMs ? wait : undefined;
}
