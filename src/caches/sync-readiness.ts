import type { Reflector } from '../informers/reflector.ts';
import type { Clock } from '../timing/clock.ts';

/** After this time the service is ready without its caches, and lists are live. */
const SYNC_PATIENCE_MS = 60_000;

/** Passes once the caches have synced, cannot sync because RBAC permissions are missing, or took too long. */
export function createSyncReadiness(
  reflectors: readonly Pick<Reflector<unknown>, 'status'>[],
  clock: Pick<Clock, 'now'>,
): () => boolean {
  const startedAt = clock.now();
  return () =>
    clock.now() - startedAt > SYNC_PATIENCE_MS ||
    reflectors.every((reflector) => {
      const { synced, isForbidden } = reflector.status();
      return synced || isForbidden;
    });
}
