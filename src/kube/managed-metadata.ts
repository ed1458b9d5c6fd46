import type { AccessRules } from '../contract/access-rules.ts';

/** The service's annotations and labels on a Secret object, its access rules among them, parsed once when it is read. */
export interface ManagedMetadata extends AccessRules {
  /** Whether the service has written the object as a live Secret. */
  readonly isManaged: boolean;
  /** The version counter of a live Secret; 1 where it is absent or malformed. */
  readonly version: number;
  readonly description: string;
  /** The note on the change that made this version. */
  readonly changeNote?: string | undefined;
  readonly lastModifiedBy: string | undefined;
  readonly lastModifiedAt: string | undefined;
  /** Undefined if none of it is present. */
  readonly expiry?: ExpiryAnnotations | undefined;
  /** Undefined if none of it is present, as on nearly all live Secrets. */
  readonly snapshot: SnapshotAnnotations | undefined;
}

/** What is declared of the expiry of a Secret. Times are in milliseconds since 1970. */
export interface ExpiryAnnotations {
  readonly expiresAt: number | undefined;
  /** A duration. */
  readonly rotateEvery: string | undefined;
  readonly valuesChangedAt: number | undefined;
  /** Whether one of them is present and cannot be read. */
  readonly isMalformed: boolean;
}

/** What a snapshot archives: its labels and annotations, if all are present and consistent. */
export interface SnapshotMetadata {
  /** The archived live Secret. */
  readonly of: string;
  readonly uid: string;
  readonly version: number;
  /** The archived live revision. */
  readonly sourceResourceVersion: string;
  readonly type: string;
  readonly changeNote?: string | undefined;
  readonly lastModifiedBy: string | undefined;
  readonly lastModifiedAt: string | undefined;
}

/** Undefined where it is absent or malformed. */
type Stated<Metadata> = { readonly [Field in keyof Metadata]: Metadata[Field] | undefined };

/** What a history object states about itself. Any of it may be missing or inconsistent. */
export interface SnapshotAnnotations extends Stated<
  Pick<SnapshotMetadata, 'of' | 'uid' | 'version' | 'sourceResourceVersion' | 'type'>
> {
  readonly kind: string | undefined;
  readonly kindLabel: string | undefined;
  readonly uidLabel: string | undefined;
  /** The live revision that has replaced the archived one, once that is certain. */
  readonly replacedBy: string | undefined;
  /** Since when (RFC 3339) the live Secret is known to be gone, as stored. */
  readonly orphanedAt: string | undefined;
  /** The names of its keys and what changed since the version before, as recorded. */
  readonly changes: string | undefined;
  /** Undefined unless the snapshot was made for a deletion of its source, and nothing has replaced the source instead. */
  readonly deletion: DeletionRecord | undefined;
  /** The live revision whose description and access rules it took over. */
  readonly rulesOf: string | undefined;
  /** Labels of a snapshot of this UID that are absent (not different) here. */
  readonly missingLabels: ReadonlyMap<string, string>;
}

/** Who requested the deletion of a live Secret, and when, and what the list of deleted Secrets needs of its values. */
export interface DeletionRequest {
  /** Lowercased email. */
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  /** The names of the keys; undefined if they were not recorded, or take too much space. */
  readonly keys?: string | undefined;
}

/** … as a final snapshot records it. */
export interface DeletionRecord extends DeletionRequest {
  /** Whether the cluster has accepted this deletion. Otherwise it may have failed, and someone else deleted the Secret. */
  readonly accepted: boolean;
}
