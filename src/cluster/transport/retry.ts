import type { Failure } from './errors.ts';

export const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** A further attempt with less time than this would only burden the cluster. */
const SHORTEST_ATTEMPT_MS = 50;

/**
 * How long to wait before attempt number `attempt + 1`, or undefined to give up. The wait doubles from attempt to
 * attempt and is spread over its upper half, so that many replicas do not come back at once; a wait that the
 * cluster asks for is the least. `random` gives 0 to 1.
 */
export function waitAfter(
  attempt: number,
  { repeatable, error }: Failure,
  remainingMs: number,
  random: () => number,
): number | undefined {
  if (!repeatable || attempt >= MAX_ATTEMPTS) return undefined;
  const step = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  const spread = step * (0.5 + random() / 2);
  const wait = (error.retryAfterSeconds ?? 0) * 1_000 + spread;
  return wait + SHORTEST_ATTEMPT_MS <= remainingMs ? wait : undefined;
}
