import type { Deadline } from '../timing/deadline.ts';
import type { HistoryIndex } from '../history/history.ts';
import { hasReached, parseRevision } from '../kube/resource-version.ts';
import { keyOfHistory } from '../history/reconciler/reconcile.ts';
import type { Clock } from '../timing/clock.ts';
import type { Reflector } from '../informers/reflector.ts';
import type { HistoryOfSecrets } from './history-groups.ts';

/** What is used of a reflector. */
export type WatchedHistory = Pick<
  Reflector<{
    readonly history: Pick<HistoryOfSecrets, 'of'>;
    get(namespace: string, name: string): { readonly uid: string } | undefined;
  }>,
  'objects' | 'status'
>;

export interface HistoryIndexOptions {
  /** The reflector that covers a namespace: one for all, or one per namespace. */
  readonly reflectorOf: (namespace: string) => WatchedHistory | undefined;
  readonly clock: Clock;
}

/** How long a request waits for a watch that is slightly behind. */
const CATCH_UP_MS = 200;
const CATCH_UP_STEP_MS = 4;

/**
 * The watch of all Secrets, once it has reached a revision of the namespace. Events of one watch are
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
    async at({ namespace, resourceVersion }, deadline) {
      const reflector = reflectorOf(namespace);
      if (reflector === undefined || !(await catchUp(reflector, resourceVersion, deadline))) return undefined;
      const { objects } = reflector;
      return {
        historyOf: (uid) => objects.history.of(keyOfHistory(namespace, uid)),
        uidOf: (name) => objects.get(namespace, name)?.uid,
      };
    },
  };
}
