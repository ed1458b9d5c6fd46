import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { isLater, parseRevision } from '../kube/resource-version.ts';
import { backOffMs } from '../timing/back-off.ts';

const BACK_OFF = { firstMs: 500, longestMs: 30_000 };

/** How long to wait after so many failures in a row: a missing right is not granted within seconds. */
export function waitAfter(
  { code, retryAfterSeconds = 0 }: ServiceError,
  failures: number,
  random: () => number,
): number {
  const wait = backOffMs(code === 'rbacForbidden' ? Infinity : failures, { ...BACK_OFF, random });
  return Math.max(wait, retryAfterSeconds * 1_000);
}

export function endedAtOnce(): ServiceError {
  return new ServiceError('unavailable', 'The watch ended at once', { reason: 'watchEndedAtOnce' });
}

/** A bug in a projection must not end the stream; it is tried again like any other failure. */
export function known(error: unknown): ServiceError {
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
