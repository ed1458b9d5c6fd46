import type { Deadline } from '../timing/deadline.ts';
import type { HistoryIndex } from '../history/history.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import { hasReached, parseRevision } from '../kube/resource-version.ts';
import { keyOfHistory } from '../history/reconciler/reconcile.ts';
import type { Clock } from '../timing/clock.ts';
import type { Reflector } from '../informers/reflector.ts';
import type { HistoryOfSecrets } from './history-groups.ts';

/** What is used of a reflector. */
export type WatchedHistory = Pick<
  Reflector<{ readonly history: Pick<HistoryOfSecrets, 'of'> }>,
  'objects' | 'status'
>;

export interface HistoryIndexOptions {
  /** The reflector that covers a namespace: one for all, or one per namespace. */
  readonly reflectorOf: (namespace: string) => WatchedHistory | undefined;
  readonly clock: Clock;
}

/** How long an update waits for a watch that is slightly behind. */
const CATCH_UP_MS = 200;
const CATCH_UP_STEP_MS = 4;

/**
 * The snapshots in the watch of all Secrets, once it has reached a revision of the live Secret. Events of one watch are
 * ordered, so it then contains everything that was stored before that revision.
 */
export function createHistoryIndex({ reflectorOf, clock }: HistoryIndexOptions): HistoryIndex {
  const catchUp = async (
    reflector: Pick<WatchedHistory, 'status'>,
    resourceVersion: string,
    deadline: Deadline,
  ): Promise<boolean> => {
    const wanted = parseRevision(resourceVersion);
    const end = clock.now() + CATCH_UP_MS;
    for (;;) {
      const { synced, isForbidden, revision } = reflector.status();
      // While everything is listed again there is no revision to wait for.
      if (!synced || isForbidden || revision === undefined) return false;
      if (hasReached(parseRevision(revision), wanted)) return true;
      if (clock.now() >= end || deadline.signal.aborted) return false;
      await clock.sleep(CATCH_UP_STEP_MS, deadline.signal);
    }
  };
  return {
    async historyOf({ namespace, uid, resourceVersion }: SecretMetadata, deadline) {
      const reflector = reflectorOf(namespace);
      if (reflector === undefined || !(await catchUp(reflector, resourceVersion, deadline))) return undefined;
      return reflector.objects.history.of(keyOfHistory(namespace, uid));
    },
  };
}
