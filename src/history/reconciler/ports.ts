import type { Deadline } from '../../timing/deadline.ts';
import type { SecretMetadata, SecretRef } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';

/**
 * Secret objects as metadata: no values are ever read. Every method is live; failures are those of
 * {@link import('../ports.ts').SnapshotStore}.
 */
export interface SecretMetadataStore extends Pick<SnapshotStore, 'patchMetadata' | 'delete'> {
  /** Undefined only if the cluster answered 404 for this object. */
  read(ref: SecretRef, deadline: Deadline): Promise<SecretMetadata | undefined>;
}
