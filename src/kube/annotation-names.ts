/** The names of all labels and annotations of the service, under the configured prefix. */
export type AnnotationNames = ReturnType<typeof annotationNames>;

export const HISTORY_KIND = 'history';
export const FINAL = 'true';
export const MANAGED_BY_SERVICE = 'service';

export function annotationNames(prefix: string) {
  return {
    /** Label and annotation of a snapshot. Its value is {@link HISTORY_KIND}. */
    kind: `${prefix}/kind`,
    /** Label of a snapshot: the live UID, so that a selector finds all snapshots of one Secret. */
    historyUidLabel: `${prefix}/history-uid`,
    historyOf: `${prefix}/history-of`,
    historyUid: `${prefix}/history-uid`,
    historyVersion: `${prefix}/history-version`,
    historyResourceVersion: `${prefix}/history-resource-version`,
    historyType: `${prefix}/history-type`,
    /** On a snapshot: the live revision that has replaced the archived one, once that is certain. */
    historyReplacedBy: `${prefix}/history-replaced-by`,
    /** On a snapshot: since when (RFC 3339) the live Secret is known to be gone. Written by the reconciler. */
    historyOrphanedAt: `${prefix}/history-orphaned-at`,
    /** On a snapshot: the names of its keys, and what changed since the version before. */
    historyChanges: `${prefix}/history-changes`,
    /** On a snapshot of a revision that is live: a deletion of this revision has begun. */
    historyDeletionBegun: `${prefix}/history-deletion-begun`,
    /** Label and annotation of a snapshot that was made for the deletion of its source; its value is {@link FINAL}. */
    historyFinal: `${prefix}/history-final`,
    historyDeletedBy: `${prefix}/history-deleted-by`,
    historyDeletedAt: `${prefix}/history-deleted-at`,
    /** On a final snapshot: the names of its keys, comma-separated, `=` behind those of binary values. */
    historyKeys: `${prefix}/history-keys`,
    /** On a final snapshot: the live revision whose description and access rules it took over. */
    historyRulesOf: `${prefix}/history-rules-of`,
    /** On a final snapshot, once the cluster has accepted the deletion. */
    historyDeletionAccepted: `${prefix}/history-deletion-accepted`,
    managedBy: `${prefix}/managed-by`,
    version: `${prefix}/version`,
    description: `${prefix}/description`,
    allowedGroups: `${prefix}/allowed-groups`,
    allowedUsers: `${prefix}/allowed-users`,
    writerGroups: `${prefix}/writer-groups`,
    writerUsers: `${prefix}/writer-users`,
    readerGroups: `${prefix}/reader-groups`,
    readerUsers: `${prefix}/reader-users`,
    /** The note of whoever made the version. */
    changeNote: `${prefix}/change-note`,
    lastModifiedBy: `${prefix}/last-modified-by`,
    lastModifiedAt: `${prefix}/last-modified-at`,
    /** When the Secret expires, as someone declared it (RFC 3339). */
    expiresAt: `${prefix}/expires-at`,
    /** How often its values are to be rotated: a duration. */
    rotateEvery: `${prefix}/rotate-every`,
    /** When its values last changed (RFC 3339), where that is needed for the rotation. */
    valuesChangedAt: `${prefix}/values-changed-at`,
  };
}
