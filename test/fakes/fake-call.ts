import type { Call } from '../../src/timing/deadline.ts';

/** A budget that does not run: for tests that are not about time. */
export function unhurriedCall(signal: AbortSignal = new AbortController().signal): Call {
  return { signal, remainingMs: () => (signal.aborted ? 0 : 60_000) };
}

/** A budget that is already spent. */
export function spentCall(): Call {
  return { signal: AbortSignal.abort(), remainingMs: () => 0 };
}
