import type { Deadline } from '../timing/deadline.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import type { SnapshotStore } from '../history/ports.ts';

/** What an update changes. Everything else of the object stays as the cluster has it. */
export interface SecretChange {
  /** All annotations after the change. */
  readonly annotations: ReadonlyMap<string, string>;
  /** All values after the change. Undefined keeps the stored ones. */
  readonly data?: SecretData;
}

/** The store of live Secrets; see {@link SnapshotStore} for the failures. */
export interface SecretStore extends SnapshotStore {
  /**
   * Replaces exactly the object that `current` was read from: its uid and resourceVersion are preconditions, so a
   * changed object fails with `conflict` and a recreated one is never overwritten.
   */
  replace(current: StoredSecret, change: SecretChange, deadline: Deadline): Promise<StoredSecret>;
}
