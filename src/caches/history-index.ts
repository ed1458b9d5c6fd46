import { keyOfHistory, type HistoryIndex } from '../history/history.ts';
import { hasReached, parseRevision, type Revision } from '../kube/resource-version.ts';
import type { Clock } from '../timing/clock.ts';
import type { Reflector } from '../informers/reflector.ts';
import { CATCH_UP_MS, catchUp } from './freshness.ts';
import type { HistoryOfSecrets } from './secret-table.ts';

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

/**
 * The watch of all Secrets, once it has reached a revision of the namespace. Events of one watch are
 * ordered, so it then contains everything that was stored before that revision.
 */
export function createHistoryIndex({ reflectorOf, clock }: HistoryIndexOptions): HistoryIndex {
  const judge = (reflector: Pick<WatchedHistory, 'status'>, wanted: Revision | undefined) => {
    const { synced, isForbidden, revision } = reflector.status();
    // While everything is listed again there is no revision to wait for.
    if (!synced || isForbidden || revision === undefined) return 'notSynced';
    return hasReached(parseRevision(revision), wanted) ? 'passed' : 'behind';
  };
  return {
    async at({ namespace, resourceVersion }, deadline) {
      const reflector = reflectorOf(namespace);
      if (reflector === undefined) return undefined;
      const wanted = parseRevision(resourceVersion);
      const verdict = await catchUp(() => judge(reflector, wanted), CATCH_UP_MS, deadline, clock);
      if (verdict !== 'passed') return undefined;
      const { objects } = reflector;
      return {
        historyOf: (uid) => objects.history.of(keyOfHistory(namespace, uid)),
        uidOf: (name) => objects.get(namespace, name)?.uid,
      };
    },
  };
}
