/** A condition for the service to receive requests. */
export interface ReadinessCheck {
  /** A constant name, shown by `/readyz`. */
  readonly name: string;
  isReady(): Promise<boolean> | boolean;
  /** What it waits for, shown by `/readyz` as well. Never a value of a setting. */
  readonly detail?: string;
}

export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Runs all checks at once. A check that throws does not pass. `onResult` is called with each result; `notes` are not
 * checked.
 */
export function createReadiness(
  onResult: (check: string, ready: boolean) => void,
  checks: readonly ReadinessCheck[],
  notes: () => readonly string[] = () => [],
) {
  return {
    /** What `/readyz` says besides: it does not keep requests away. */
    notes,
    /** The checks that do not pass, each by its name and detail; empty means ready. */
    async waitingFor(): Promise<readonly string[]> {
      const results = await Promise.allSettled(checks.map(async (check) => check.isReady()));
      const waiting: string[] = [];
      for (const [index, { name, detail }] of checks.entries()) {
        const result = results[index];
        const ready = result?.status === 'fulfilled' && result.value;
        onResult(name, ready);
        if (!ready) waiting.push(detail === undefined ? name : `${name} (${detail})`);
      }
      return waiting;
    },
  };
}

/** Caches a result for `ttlMs`, so that frequent probes cause one request per period. Concurrent probes share it. */
export function remembered(
  check: ReadinessCheck,
  ttlMs: number,
  now: () => number = () => performance.now(),
): ReadinessCheck {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return {
    name: check.name,
    isReady() {
      if (last === undefined || now() - last.at >= ttlMs) {
        last = { at: now(), answer: Promise.resolve(check.isReady()) };
      }
      return last.answer;
    },
  };
}
