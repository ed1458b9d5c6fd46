import { isServiceError } from '../errors/service-error.ts';
import { systemCodeOf } from '../errors/system-codes.ts';
import type { Metrics } from './metrics.ts';

/** A condition for the service to receive requests. */
export interface ReadinessCheck {
  /** A constant name, shown by `/readyz`. */
  readonly name: string;
  /** Rejects with what keeps it from being ready, of which `/readyz` shows the known code. */
  isReady(): Promise<boolean> | boolean;
  /** What it waits for otherwise, shown by `/readyz` as well. Never a value of a setting. */
  readonly detail?: () => string;
}

export type Readiness = ReturnType<typeof createReadiness>;

/** Runs all checks at once, and exposes each result. A check that throws does not pass; `notes` are not checked. */
export function createReadiness(
  metrics: Pick<Metrics, 'set'>,
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
        metrics.set('service_ready', ready, { check: name });
        if (ready) continue;
        const cause = result?.status === 'rejected' ? causeOf(result.reason) : detail?.();
        waiting.push(cause === undefined ? name : `${name} (${cause})`);
      }
      return waiting;
    },
  };
}

function causeOf(error: unknown): string | undefined {
  return systemCodeOf(error) ?? (isServiceError(error) ? error.reason : undefined);
}

/** Caches a result for `ttlMs`, so that frequent probes cause one request per period. Concurrent probes share it. */
export function remembered(isReady: () => Promise<boolean>, ttlMs: number, now = () => performance.now()) {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return (): Promise<boolean> => {
    if (last === undefined || now() - last.at >= ttlMs) last = { at: now(), answer: isReady() };
    return last.answer;
  };
}
