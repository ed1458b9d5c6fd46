import { isServiceError } from '../errors/service-error.ts';
import type { Clock } from '../timing/clock.ts';
import { startDeadline } from '../timing/deadline.ts';
import type { Watchable, WatchedObject } from './ports.ts';

/** Reads the revision of the cluster's storage: one small list for all reflectors that want it at about the same time. */
export type RevisionProbe = ReturnType<typeof createRevisionProbe>;

const PROBE_MS = 10_000;
/** One object may be this long. */
const MAX_BYTES = 8 * 1_024 * 1_024;

export function createRevisionProbe(
  source: Pick<Watchable<WatchedObject>, 'listPage'>,
  { now }: Pick<Clock, 'now'>,
) {
  let last: { readonly begunAt: number; readonly revision: Promise<string | undefined> } | undefined;
  const read = async (signal: AbortSignal): Promise<string | undefined> => {
    try {
      const page = await source.listPage({ limit: 1, maxBytes: MAX_BYTES }, startDeadline(PROBE_MS, signal));
      return page.resourceVersion;
    } catch (error) {
      if (isServiceError(error, 'rbacForbidden', 'responseTooLarge')) return undefined;
      throw error;
    }
  };
  return {
    /**
     * The revision as of `afterMs` or later; undefined where it cannot be read.
     * @throws {ServiceError} `unavailable`
     */
    read: (afterMs: number, signal: AbortSignal): Promise<string | undefined> => {
      if (last === undefined || last.begunAt < afterMs) last = { begunAt: now(), revision: read(signal) };
      return last.revision;
    },
  };
}
