import { backOffMs } from '../../timing/back-off.ts';
import type { Failure } from './errors.ts';

export const MAX_ATTEMPTS = 4;
const BACK_OFF = { firstMs: 100, longestMs: 2_000 };
/** A further attempt with less time than this would only burden the cluster. */
const SHORTEST_ATTEMPT_MS = 50;

/**
 * How long to wait before attempt number `attempt + 1`, or undefined to give up: the back-off, and before it the wait
 * that the cluster asks for. `random` gives 0 to 1.
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
