import type { Reflector, ReflectorStatus } from '../informers/reflector.ts';
import type { Clock } from '../timing/clock.ts';
import type { Deadline } from '../timing/deadline.ts';

/** Milliseconds since the cluster last confirmed what a reflector holds, or why that is not fresh. */
export function ageOf(
  status: ReflectorStatus | undefined,
  maxSilenceMs: number,
): number | 'notSynced' | 'silent' {
  if (!status?.synced || status.isForbidden) return 'notSynced';
  return status.silenceMs > maxSilenceMs ? 'silent' : status.silenceMs;
}

/** How long a request waits for a watch that is slightly behind. */
export const CATCH_UP_MS = 200;
const CATCH_UP_STEP_MS = 4;

/** What `judge` returns once that is no longer `behind`, or after the time to wait. */
export async function catchUp<Verdict>(
  judge: () => Verdict | 'behind',
  waitMs: number,
  deadline: Deadline,
  clock: Clock,
): Promise<Verdict | 'behind'> {
  const end = clock.now() + waitMs;
  for (;;) {
    const verdict = judge();
    if (verdict !== 'behind' || clock.now() >= end || deadline.signal.aborted) return verdict;
    await clock.sleep(CATCH_UP_STEP_MS, deadline.signal);
  }
}

/** After this time the service is ready without its caches, and lists are live. */
const MAX_SYNC_MS = 60_000;

/** Passes once the caches have synced, cannot sync because RBAC permissions are missing, or took too long. */
export function createSyncReadiness(
  reflectors: readonly Pick<Reflector<unknown>, 'status'>[],
  clock: Pick<Clock, 'now'>,
): () => boolean {
  const startedAt = clock.now();
  return () =>
    clock.now() - startedAt > MAX_SYNC_MS ||
    reflectors.every((reflector) => {
      const { synced, isForbidden } = reflector.status();
      return synced || isForbidden;
    });
}
