import { isServiceError } from '../errors/service-error.ts';
import { startDeadline } from '../timing/deadline.ts';
import type { Watchable, WatchedObject } from './ports.ts';

/**
 * Reads the revision of the cluster's storage with a small list; undefined where it cannot be read.
 * @throws {ServiceError} `unavailable`
 */
export type RevisionProbe = (signal: AbortSignal) => Promise<string | undefined>;

const PROBE_MS = 10_000;
/** One object may be this long. */
const MAX_BYTES = 8 * 1_024 * 1_024;

export function createRevisionProbe(source: Pick<Watchable<WatchedObject>, 'listPage'>): RevisionProbe {
  return async (signal) => {
    try {
      const page = await source.listPage({ limit: 1, maxBytes: MAX_BYTES }, startDeadline(PROBE_MS, signal));
      return page.resourceVersion;
    } catch (error) {
      if (isServiceError(error, 'rbacForbidden', 'responseTooLarge')) return undefined;
      throw error;
    }
  };
}
