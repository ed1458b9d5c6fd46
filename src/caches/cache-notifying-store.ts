import { isServiceError } from '../errors/service-error.ts';
import type { StoredSecret } from '../kube/secret.ts';
import { claimsToBeHistory } from '../history/history.ts';
import type { ListCache } from '../lists/list-cache.ts';
import type { SecretStore } from '../secrets/ports.ts';

/**
 * Notifies the list cache of what this replica reads and writes, so that no list is older than what its users have
 * already seen. It is for live Secrets: the history has the store itself, since snapshots never appear in a list, and
 * what is noted of them would only make lists live.
 */
export function cacheNotifyingStore(store: SecretStore, cache: ListCache): SecretStore {
  const written = async (namespace: string, write: () => Promise<StoredSecret>): Promise<StoredSecret> => {
    const since = cache.startObservation();
    const secret = await certain(namespace, write);
    cache.noteWritten(secret, secret.resourceVersion, since);
    return secret;
  };
  const certain = async <Result>(namespace: string, write: () => Promise<Result>): Promise<Result> => {
    try {
      return await write();
    } catch (error) {
      if (isServiceError(error, 'uncertain')) cache.markUncertain(namespace, error.isOver);
      throw error;
    }
  };
  return {
    ...store,
    async read(ref, deadline) {
      const since = cache.startObservation();
      const secret = await store.read(ref, deadline);
      if (secret === undefined) cache.noteAbsent(ref);
      else if (!claimsToBeHistory(secret)) cache.noteRevision(ref, secret.resourceVersion, since);
      return secret;
    },
    create: (draft, deadline) => written(draft.namespace, () => store.create(draft, deadline)),
    replace: (current, change, deadline) =>
      written(current.namespace, () => store.replace(current, change, deadline)),
    async delete(ref, preconditions, deadline) {
      try {
        await certain(ref.namespace, () => store.delete(ref, preconditions, deadline));
      } catch (error) {
        if (isServiceError(error, 'notFound')) cache.noteAbsent(ref);
        throw error;
      }
      cache.noteDeleted(ref, preconditions.uid, preconditions.resourceVersion);
    },
  };
}
