import { keyOfHistory, type HistoryIndex } from '../history/history.ts';
import { hasReached, parseRevision, type Revision } from '../kube/resource-version.ts';
import type { Clock } from '../timing/clock.ts';
import type { Reflector } from '../informers/reflector.ts';
import { CATCH_UP_MS, catchUp } from './freshness.ts';
import type { SecretTable } from './secret-table.ts';

type WatchedHistory = Pick<Reflector<Pick<SecretTable, 'history' | 'get'>>, 'objects' | 'status'>;

/**
 * The watch of all Secrets, once it has reached a revision of the namespace. Events of one watch are
 * ordered, so it then contains everything that was stored before that revision.
 * @param reflectorOf the reflector that covers a namespace: one for all, or one per namespace
 */
export function createHistoryIndex(
  reflectorOf: (namespace: string) => WatchedHistory | undefined,
  clock: Clock,
): HistoryIndex {
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
