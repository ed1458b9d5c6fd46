import type { Deadline } from '../timing/deadline.ts';

/** The holder of the Lease and the times of its term, as stored. Times are wall-clock milliseconds of the writer. */
export interface LeaseTerm {
  /** Empty when no one holds the Lease. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquiredAt: number;
  readonly renewedAt: number;
  /** How often the holder has changed. */
  readonly transitions: number;
}

export interface StoredLease extends LeaseTerm {
  /** Opaque; another one means that the Lease has changed. */
  readonly resourceVersion: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** The cluster's own object; only the store looks inside. */
  readonly native: unknown;
}

/** The one Lease that the replicas share. */
export interface LeaseStore {
  /** Undefined only when the cluster said 404 for this very Lease. */
  read(deadline: Deadline): Promise<StoredLease | undefined>;
  /** @throws {ServiceError} `exists` when another replica created it first */
  create(term: LeaseTerm, annotations: ReadonlyMap<string, string>, deadline: Deadline): Promise<StoredLease>;
  /** Replaces exactly the revision that `current` is. @throws {ServiceError} `conflict` when it has changed */
  replace(current: StoredLease, term: LeaseTerm, deadline: Deadline): Promise<StoredLease>;
  /** Adds annotations to exactly this revision; its holder and everything else stay. @throws as {@link replace} */
  annotate(
    current: StoredLease,
    annotations: ReadonlyMap<string, string>,
    deadline: Deadline,
  ): Promise<StoredLease>;
}
