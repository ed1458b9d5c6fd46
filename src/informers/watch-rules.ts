import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { isLater, parseRevision } from '../kube/resource-version.ts';
import { backOffMs } from '../timing/back-off.ts';
import type { Watch } from './ports.ts';
import type { ReflectorOptions } from './reflector-options.ts';

const MIN_WATCH_SECONDS = 300;
/** A watch of this length counts as a success, even without an event. */
export const FRUITFUL_MS = 10_000;
const DEFAULT_MAX_SILENCE_MS = 90_000;

/** The cluster ends each watch after 5 to 10 minutes, so that watches spread over its servers again. */
export function watchSeconds(random: () => number): number {
  return Math.ceil(MIN_WATCH_SECONDS * (1 + random()));
}

export function unavailable(message: string, reason: string): ServiceError {
  return new ServiceError('unavailable', message, { reason });
}

/**
 * Resolves once the last byte of the watch is too old, or it has ended: a half-open connection says nothing at all, while a live
 * one brings a bookmark about once a minute. Returns whether it was silent.
 */
export async function untilSilent(
  watch: Watch<unknown>,
  {
    clock,
    maxSilenceMs = DEFAULT_MAX_SILENCE_MS,
  }: Pick<ReflectorOptions<never, never>, 'clock' | 'maxSilenceMs'>,
  ended: AbortSignal,
): Promise<boolean> {
  while (!ended.aborted) {
    const left = maxSilenceMs - watch.silenceMs();
    if (left <= 0) return true;
    await clock.sleep(left, ended);
  }
  return false;
}

const BACK_OFF = { firstMs: 500, longestMs: 30_000 };

/** How long to wait after so many failures in a row. A 403 is no exception: servers answer so until they have read the RBAC rules. */
export function waitAfter(
  { retryAfterSeconds = 0 }: ServiceError,
  failures: number,
  random: () => number,
): number {
  return Math.max(backOffMs(failures, { ...BACK_OFF, random }), retryAfterSeconds * 1_000);
}

/** A bug in a projection must not end the stream; it is tried again like any other failure. */
export function serviceErrorOf(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  return new ServiceError('internal', 'A watch failed unexpectedly', {
    reason: 'reflectorBug',
    cause: error,
  });
}

/** The reason of the error below. */
export const STORAGE_RESTORED = 'storageRestored';

/**
 * Lists and bookmarks of a cluster never go back, unless its storage was restored from a backup.
 * @throws {ServiceError} `expired` when `revision` is below `seen`
 */
export function requireNoLower(revision: string | undefined, seen: string | undefined): void {
  if (!isLater(parseRevision(seen), parseRevision(revision))) return;
  throw new ServiceError('expired', 'The storage of the cluster was restored', { reason: STORAGE_RESTORED });
}
