/** Something that must work before the service should get requests. */
export interface ReadinessCheck {
  /** A constant name, shown by `/readyz`. */
  readonly name: string;
  isReady(): Promise<boolean> | boolean;
}

export interface Readiness {
  /** Names of the checks that do not pass; empty means ready. */
  waitingFor(): Promise<readonly string[]>;
}

/** Asks all checks at once; one that throws does not pass. `tell` hears each time how each went. */
export function createReadiness(
  onResult: (check: string, ready: boolean) => void,
  checks: readonly ReadinessCheck[],
): Readiness {
  return {
    async waitingFor() {
      const results = await Promise.allSettled(checks.map(async (check) => check.isReady()));
      const waiting: string[] = [];
      for (const [index, { name }] of checks.entries()) {
        const result = results[index];
        const ready = result?.status === 'fulfilled' && result.value;
        onResult(name, ready);
        if (!ready) waiting.push(name);
      }
      return waiting;
    },
  };
}

/**
 * Remembers an answer for `ttlMs`, so that frequent probes cost the asked party one call per period;
 * probes that arrive meanwhile share it.
 */
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
