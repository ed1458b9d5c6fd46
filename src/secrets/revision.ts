import { ServiceError } from '../errors/service-error.ts';
import type { StoredSecret } from '../kube/secret.ts';

const RELOAD = 'This Secret was changed meanwhile; reload it and try again';

/** @throws {ServiceError} `staleRevision` when the client's revision is not the live one */
export function requireCurrentRevision(live: StoredSecret, resourceVersion: string): void {
  if (live.resourceVersion !== resourceVersion) throw new ServiceError('staleRevision', RELOAD);
}

/** The object changed, or was deleted, between this service's own read and its write. */
export function writeRace(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('conflict', RELOAD, { reason, ...(cause === undefined ? {} : { cause }) });
}
