import { openReplicas, type Replicas } from '../replicas.ts';

/** How long the caches of these replicas vouch without a sign of life. */
export const MAX_SILENCE_MS = 2_000;

/** A development cluster with bookmarks five times a second, and replicas whose caches vouch for two seconds. */
export function openCacheReplicas(): Promise<Replicas> {
  const env = { SERVICE_CACHE_MAX_SILENCE: `${MAX_SILENCE_MS}ms`, LOG_LEVEL: 'info' };
  return openReplicas({ bookmarkEveryMs: 200, env });
}
