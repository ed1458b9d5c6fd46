/** What the service's annotations and labels on a Secret object say, parsed once when the object is read. */
export interface ManagedMetadata {
  /** Whether the service has written the object as a live Secret. */
  readonly isManaged: boolean;
  /** The version counter of a live Secret; 1 where it is absent or malformed. */
  readonly version: number;
  readonly description: string;
  /** The access rules of a live Secret. */
  readonly allowedGroups: readonly string[];
  readonly allowedUsers: readonly string[];
  readonly lastModifiedBy: string | undefined;
  readonly lastModifiedAt: string | undefined;
  /** Undefined where nothing of it is present, as on nearly all live Secrets. */
  readonly snapshot: SnapshotAnnotations | undefined;
}

/** What a history object says of itself, part by part: any of it may be missing or contradict the rest. */
export interface SnapshotAnnotations {
  readonly kind: string | undefined;
  readonly kindLabel: string | undefined;
  /** The name of the live Secret. */
  readonly of: string | undefined;
  /** The UID of the live Secret. */
  readonly uid: string | undefined;
  readonly uidLabel: string | undefined;
  /** Undefined when malformed, too. */
  readonly version: number | undefined;
  /** The revision of the live Secret that is archived. */
  readonly sourceResourceVersion: string | undefined;
  /** The type of the live Secret. */
  readonly type: string | undefined;
  /** The live revision that has replaced the archived one, once that is certain. */
  readonly replacedBy: string | undefined;
  /** Since when (RFC 3339) it is known that the live Secret is gone, as it is written there. */
  readonly orphanedAt: string | undefined;
  /** Labels that a snapshot of this UID has and that are absent (not: different) here, as they are written. */
  readonly missingLabels: ReadonlyMap<string, string>;
}
