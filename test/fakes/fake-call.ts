import type { Deadline } from '../../src/timing/deadline.ts';

/** A budget that does not run: for tests that are not about time. */
export function unhurriedCall(signal: AbortSignal = new AbortController().signal): Deadline {
  return { signal, remainingMs: () => (signal.aborted ? 0 : 60_000) };
}

/** A budget that is already spent. */
export function spentCall(): Deadline {
  return { signal: AbortSignal.abort(), remainingMs: () => 0 };
}
