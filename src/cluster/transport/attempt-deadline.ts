import type { Deadline } from '../../timing/deadline.ts';

/** Starts an attempt of at most `timeoutMs`, which `work` may end earlier. */
export function startAttemptTimeout(work: AbortSignal, timeoutMs: number) {
  const controller = new AbortController();
  const end = (): void => {
    controller.abort();
  };
  const timer = setTimeout(end, Math.max(timeoutMs, 0));
  const stopTimer = (): void => {
    clearTimeout(timer);
  };
  work.addEventListener('abort', end, { once: true });
  if (work.aborted) end();
  return {
    /** Aborted at the end of the attempt: its own timeout, or the end of the work. */
    signal: controller.signal,
    /** Stops the timer. The end of the work still counts. */
    stopTimer,
    /** Stops the timer and detaches from the work, so that timers do not accumulate. */
    release: (): void => {
      stopTimer();
      work.removeEventListener('abort', end);
    },
  };
}

/** Whether the deadline has passed, so that no further attempt is made. */
export function isExceeded(deadline: Deadline): boolean {
  return deadline.remainingMs() <= 0 || deadline.signal.aborted;
}
