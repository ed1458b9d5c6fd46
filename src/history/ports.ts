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
 * Where snapshots are kept. Every method reads or writes live.
 *
 * Failures are ServiceErrors with the codes of the cluster module: `exists`, `conflict` (a precondition or
 * revision did not match), `notFound` (only for writes: the object or its namespace is gone), `rejected`,
 * `tooLarge`, `rightMissing`, `admissionRefused` (a quota, a policy), `unavailable` (nothing was changed),
 * `uncertain` (a write may or may not have happened), `expired` (a continue token), `responseTooLarge`.
 */
export interface SnapshotStore {
  /** Undefined only when the cluster said 404 for this very object. */
  read(ref: SecretRef, deadline: Deadline): Promise<StoredSecret | undefined>;
  listPage(namespace: string, page: SelectedPage, deadline: Deadline): Promise<Page<StoredSecret>>;
  /** As {@link listPage}, without the values: these never leave the cluster. */
  listMetadata(namespace: string, page: SelectedPage, deadline: Deadline): Promise<Page<SecretMetadata>>;
  create(draft: SecretDraft, deadline: Deadline): Promise<StoredSecret>;
  /** Changes labels and annotations of exactly this revision of this object, and nothing else; no values cross the wire. */
  patchMetadata(
    ref: SecretRef,
    preconditions: Preconditions,
    change: MetadataChange,
    deadline: Deadline,
  ): Promise<SecretMetadata>;
  /** Accepted by the cluster; whether the object is gone must be read. */
  delete(ref: SecretRef, preconditions: Preconditions, deadline: Deadline): Promise<void>;
}
