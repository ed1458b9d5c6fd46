import type { SecretMetadataStore } from '../../src/history/ports.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { metadataOf } from './fake-objects.ts';

/** The Secrets of a fake cluster as metadata; its calls can be disturbed like all others. */
export function createFakeMetadataStore({ secrets }: Pick<FakeCluster, 'secrets'>): SecretMetadataStore {
  return {
    read: async (ref, deadline) => {
      const found = await secrets.read(ref, deadline);
      return found && metadataOf(found);
    },
    patchMetadata: (ref, preconditions, change, deadline) =>
      secrets.patchMetadata(ref, preconditions, change, deadline),
    delete: (ref, { uid, resourceVersion }, deadline) =>
      secrets.delete(ref, { uid, resourceVersion }, deadline),
  };
}
