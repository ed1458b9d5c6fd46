import type {
  MetadataChange,
  Preconditions,
  SecretDraft,
  SecretMetadata,
  SecretRef,
  StoredSecret,
} from '../kube/secret.ts';
import type { Page, SelectedPage } from '../kube/page.ts';
import type { Deadline } from '../timing/deadline.ts';

/**
 * The store of snapshots. Every method reads or writes live.
 *
 * Failures are ServiceErrors with the codes of the cluster module: `exists`, `conflict` (a precondition or revision did
 * not match), `notFound` (only for writes: the object or its namespace is gone), `rejected`, `tooLarge`,
 * `rbacForbidden`, `admissionRefused` (a quota, a policy), `unavailable` (nothing was changed), `uncertain` (a write may
 * or may not have happened), `expired` (a continue token), `responseTooLarge`.
 */
export interface SnapshotStore {
  /** Undefined only if the cluster answered 404 for this object. */
  read(ref: SecretRef, deadline: Deadline): Promise<StoredSecret | undefined>;
  listPage(namespace: string, page: SelectedPage, deadline: Deadline): Promise<Page<StoredSecret>>;
  /** As {@link listPage}, without the values, which the cluster does not send. */
  listMetadata(namespace: string, page: SelectedPage, deadline: Deadline): Promise<Page<SecretMetadata>>;
  create(draft: SecretDraft, deadline: Deadline): Promise<StoredSecret>;
  /**
   * Changes labels and annotations of exactly this revision of this object, and nothing else. No values are
   * transferred.
   */
  patchMetadata(
    ref: SecretRef,
    preconditions: Preconditions,
    change: MetadataChange,
    deadline: Deadline,
  ): Promise<SecretMetadata>;
  /** The deletion was accepted. Whether the object is gone must be read. */
  delete(ref: SecretRef, preconditions: Preconditions, deadline: Deadline): Promise<void>;
}

/**
 * Secret objects as metadata: no values are ever read. Every method is live; failures are those of
 * {@link SnapshotStore}.
 */
export interface SecretMetadataStore extends Pick<SnapshotStore, 'patchMetadata' | 'delete'> {
  /** Undefined only if the cluster answered 404 for this object. */
  read(ref: SecretRef, deadline: Deadline): Promise<SecretMetadata | undefined>;
}
