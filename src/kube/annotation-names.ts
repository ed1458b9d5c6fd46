import type { RuleList } from '../contract/access-rules.ts';

/** The names of all labels and annotations of the service, under the configured prefix. */
export interface AnnotationNames extends Readonly<Record<RuleList, string>> {
  /** Label and annotation of a snapshot. Its value is {@link HISTORY_KIND}. */
  readonly kind: string;
  /** Label of a snapshot: the live UID, so that a selector finds all snapshots of one Secret. */
  readonly historyUidLabel: string;
  readonly historyOf: string;
  readonly historyUid: string;
  readonly historyVersion: string;
  readonly historyResourceVersion: string;
  readonly historyType: string;
  /** On a snapshot: the live revision that has replaced the archived one, once that is certain. */
  readonly historyReplacedBy: string;
  /** On a snapshot: since when (RFC 3339) the live Secret is known to be gone. Written by the reconciler. */
  readonly historyOrphanedAt: string;
  /** On a snapshot: the names of its keys, and what changed since the version before. */
  readonly historyChanges: string;
  /** On a snapshot of a revision that is live: a deletion of this revision has begun. */
  readonly historyDeletionBegun: string;
  /** Label and annotation of a snapshot that was made for the deletion of its source; its value is {@link FINAL}. */
  readonly historyFinal: string;
  readonly historyDeletedBy: string;
  readonly historyDeletedAt: string;
  /** On a final snapshot: the names of its keys, comma-separated, `=` behind those of binary values. */
  readonly historyKeys: string;
  /** On a final snapshot: the live revision whose description and access rules it took over. */
  readonly historyRulesOf: string;
  /** On a final snapshot, once the cluster has accepted the deletion. */
  readonly historyDeletionAccepted: string;
  readonly managedBy: string;
  readonly version: string;
  readonly description: string;
  /** The note of whoever made the version. */
  readonly changeNote: string;
  readonly lastModifiedBy: string;
  readonly lastModifiedAt: string;
}

export const HISTORY_KIND = 'history';
export const FINAL = 'true';
export const MANAGED_BY_SERVICE = 'service';

export function annotationNames(prefix: string): AnnotationNames {
  return {
    kind: `${prefix}/kind`,
    historyUidLabel: `${prefix}/history-uid`,
    historyOf: `${prefix}/history-of`,
    historyUid: `${prefix}/history-uid`,
    historyVersion: `${prefix}/history-version`,
    historyResourceVersion: `${prefix}/history-resource-version`,
    historyType: `${prefix}/history-type`,
    historyReplacedBy: `${prefix}/history-replaced-by`,
    historyOrphanedAt: `${prefix}/history-orphaned-at`,
    historyChanges: `${prefix}/history-changes`,
    historyDeletionBegun: `${prefix}/history-deletion-begun`,
    historyFinal: `${prefix}/history-final`,
    historyDeletedBy: `${prefix}/history-deleted-by`,
    historyDeletedAt: `${prefix}/history-deleted-at`,
    historyKeys: `${prefix}/history-keys`,
    historyRulesOf: `${prefix}/history-rules-of`,
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
    changeNote: `${prefix}/change-note`,
    lastModifiedBy: `${prefix}/last-modified-by`,
    lastModifiedAt: `${prefix}/last-modified-at`,
  };
}

/** Selects live Secrets: everything without the label of a snapshot. */
export function liveSecretSelector({ kind }: AnnotationNames): string {
  return `${kind}!=${HISTORY_KIND}`;
}
