const WINDOW_MS = 60_000;

/** How many lines of one kind may be written. Further ones are counted. */
export interface LineBudget {
  /** Whether the line may be written. */
  take(): boolean;
  /** Reports the lines skipped in the current window. */
  close(): void;
}

export interface LineBudgetOptions {
  /** Lines in a window. */
  readonly lines: number;
  /** Called once at the end of a window in which lines were skipped, with their number. */
  readonly onSkipped: (count: number) => void;
  readonly windowMs?: number;
  readonly now?: () => number;
  /** Runs the work later. It must not keep the process alive. */
  readonly later?: (work: () => void, milliseconds: number) => void;
}

/** A window begins with the first line after the previous window has ended. */
export function createLineBudget({
  lines,
  onSkipped,
  windowMs = WINDOW_MS,
  now = () => performance.now(),
  later = (work, milliseconds) => void setTimeout(work, milliseconds).unref(),
}: LineBudgetOptions): LineBudget {
  let endsAt = Number.NEGATIVE_INFINITY;
  let written = 0;
  let skipped = 0;
  const reportSkipped = (): void => {
    if (skipped === 0) return;
    const count = skipped;
    skipped = 0;
    onSkipped(count);
  };
  return {
    take() {
      const time = now();
      if (time >= endsAt) {
        reportSkipped(); // The timer of the previous window may be late.
        endsAt = time + windowMs;
        written = 0;
      }
      if (written < lines) {
        written += 1;
        return true;
      }
      if (skipped === 0) later(reportSkipped, endsAt - time);
      skipped += 1;
      return false;
    },
    close: reportSkipped,
  };
}
