import type { Deadline } from '../timing/deadline.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import type { SnapshotStore } from '../history/ports.ts';

/** What an update changes; everything else of the object stays as the cluster holds it. */
export interface SecretChange {
  /** All annotations after the change. */
  readonly annotations: ReadonlyMap<string, string>;
  /** All values after the change; undefined keeps the stored ones. */
  readonly data?: SecretData;
}

/** Where live Secrets are kept; see {@link SnapshotStore} for the failures. */
export interface SecretStore extends SnapshotStore {
  /**
   * Replaces exactly the object that `current` was read from: its uid and resourceVersion are sent along,
   * so a changed object answers `conflict` and a recreated one is never overwritten.
   */
  replace(current: StoredSecret, change: SecretChange, deadline: Deadline): Promise<StoredSecret>;
}
