import type { Deadline } from '../timing/deadline.ts';

/** The holder of the Lease and the times of its term, as stored. Times are wall-clock milliseconds of the writer. */
export interface LeaseTerm {
  /** Empty if no one holds the Lease. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquiredAt: number;
  readonly renewedAt: number;
  /** How often the holder has changed. */
  readonly transitions: number;
}

export interface StoredLease extends LeaseTerm {
  /** Opaque. It changes with every change of the Lease. */
  readonly resourceVersion: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** The cluster's own object. Only the store uses it. */
  readonly native: unknown;
}

/** What is kept of a Lease among others, of whatever programs: of all else there may be much. */
export interface ListedLease extends Pick<StoredLease, 'holder' | 'resourceVersion' | 'annotations'> {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339, by the cluster. */
  readonly createdAt: string;
}

/** The Lease that the replicas share. */
export interface LeaseStore {
  /** Undefined only if the cluster answered 404 for this Lease. */
  read(deadline: Deadline): Promise<StoredLease | undefined>;
  /** @throws {ServiceError} `exists` when another replica created it first */
  create(term: LeaseTerm, annotations: ReadonlyMap<string, string>, deadline: Deadline): Promise<StoredLease>;
  /** Replaces exactly the revision of `current`, and has its annotations. @throws {ServiceError} `conflict` when it has changed */
  replace(current: StoredLease, term: LeaseTerm, deadline: Deadline): Promise<StoredLease>;
  /** All Leases that the service may see, of whatever programs, but for those of nodes. */
  list(deadline: Deadline): Promise<readonly ListedLease[]>;
}
