import type { Call } from '../calls/call.ts';

/** Raw values by key. Keys are user-chosen (`__proto__` among them), hence a Map. */
export type SecretData = ReadonlyMap<string, Uint8Array>;

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** A Secret object without its values. */
export interface SecretMetadata extends SecretRef {
  readonly uid: string;
  /** Opaque; compared for equality only. */
  readonly resourceVersion: string;
  /** RFC 3339. */
  readonly creationTimestamp: string;
  /** RFC 3339; present while deletion waits for finalizers. */
  readonly deletionTimestamp: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
}

/** A Secret object as the cluster holds it: a live Secret or a snapshot. */
export interface StoredSecret extends SecretMetadata {
  readonly type: string;
  readonly immutable: boolean;
  readonly data: SecretData;
  /** The cluster's own object. Only the store looks inside, so that fields unknown to us survive a replacement. */
  readonly native: unknown;
}

/** What is needed to create a Secret object. */
export interface SecretDraft extends SecretRef {
  readonly type: string;
  readonly immutable?: boolean;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly data: SecretData;
}

/** Both must match, or nothing is deleted. */
export interface Preconditions {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Labels and annotations to set, or (undefined) to remove. */
export interface MarkChange {
  readonly labels?: ReadonlyMap<string, string>;
  readonly annotations?: ReadonlyMap<string, string | undefined>;
}

/** Which page of a list. */
export interface PageRequest {
  /** Objects per page at most. */
  readonly limit: number;
  readonly continueToken?: string;
  /** The answer may have this many bytes; a longer one fails with `responseTooLarge` and is not read on. */
  readonly maxBytes: number;
}

export interface SelectedPage extends PageRequest {
  readonly labelSelector: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The list's revision; all pages of one consistent list share it. */
  readonly resourceVersion: string;
  /** Present when there are more pages. */
  readonly continueToken: string | undefined;
  /** Size of the answer. */
  readonly bytes: number;
}

/**
 * Where snapshots are kept. Every method reads or writes live.
 *
 * Failures are ServiceErrors with the codes of the cluster room: `exists`, `conflict` (a precondition or
 * revision did not match), `notFound` (only for writes: the object or its namespace is gone), `rejected`,
 * `tooLarge`, `rightMissing`, `admissionRefused` (a quota, a policy), `unavailable` (nothing was changed),
 * `uncertain` (a write may or may not have happened), `expired` (a continue token), `responseTooLarge`.
 */
export interface SnapshotStore {
  /** Undefined only when the cluster said 404 for this very object. */
  read(ref: SecretRef, call: Call): Promise<StoredSecret | undefined>;
  listPage(namespace: string, page: SelectedPage, call: Call): Promise<Page<StoredSecret>>;
  /** As {@link listPage}, without the values: these never leave the cluster. */
  listMetadata(namespace: string, page: SelectedPage, call: Call): Promise<Page<SecretMetadata>>;
  create(draft: SecretDraft, call: Call): Promise<StoredSecret>;
  /** Changes marks of exactly this revision of this object, and nothing else; no values cross the wire. */
  mark(ref: SecretRef, preconditions: Preconditions, change: MarkChange, call: Call): Promise<SecretMetadata>;
  /** Accepted by the cluster; whether the object is gone must be read. */
  delete(ref: SecretRef, preconditions: Preconditions, call: Call): Promise<void>;
}
