import { ServiceError } from '../../src/errors/service-error.ts';
import type { SecretMetadataStore } from '../../src/history/reconciler/ports.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { metadataOf } from './fake-objects.ts';

/** The Secrets of a fake cluster as metadata; its reads and deletions can be disturbed like all others. */
export function createFakeMetadataStore(cluster: FakeCluster): SecretMetadataStore {
  return {
    read: async (ref, call) => {
      const found = await cluster.secrets.read(ref, call);
      return found && metadataOf(found);
    },
    mark: async (
      ref,
      preconditions,
      { labels, annotations = new Map<string, string | undefined>() },
      call,
    ) => {
      const current = await cluster.secrets.read(ref, call);
      if (current === undefined) throw new ServiceError('notFound', 'absent');
      if (current.uid !== preconditions.uid || current.resourceVersion !== preconditions.resourceVersion)
        throw new ServiceError('conflict', 'changed');
      const next = new Map(current.annotations);
      for (const [key, text] of annotations) {
        if (text === undefined) next.delete(key);
        else next.set(key, text);
      }
      cluster.touch(ref, { labels: new Map([...current.labels, ...(labels ?? [])]), annotations: next });
    },
    delete: (ref, { uid, resourceVersion }, call) =>
      cluster.secrets.delete(ref, { uid, resourceVersion }, call),
  };
}
