import { isUid } from '../../contract/names.ts';
import type { SnapshotMetadata } from '../../kube/managed-metadata.ts';
import type { ObjectIdentity, SecretMetadata } from '../../kube/secret.ts';
import type { Aged } from './rank.ts';
import { claimsToBeHistory, readMetadata, type Inconsistency } from './snapshot.ts';

/**
 * What the reconciler keeps of a Secret object. All Secrets are watched, not only those with the history label, to find
 * snapshots without labels by their annotations, and to observe the deletion of live Secrets. Only what decisions need
 * is kept: other labels and annotations may contain anything.
 */
export type IndexedSecret = IndexedLive | IndexedHistory;

export interface IndexedLive extends ObjectIdentity {
  readonly kind: 'live';
  readonly terminating: boolean;
}

/** An object that claims to be history. */
export interface IndexedHistory extends ObjectIdentity {
  readonly kind: 'history';
  readonly terminating: boolean;
  /** The live UID that it claims to belong to; empty if it names none, or a text that is none. */
  readonly claimedUid: string;
  readonly parsed: Archived | Inconsistency;
}

/** What a snapshot archives, if its annotations are complete and consistent with each other and with its name. */
export interface Archived extends Aged, Pick<SnapshotMetadata, 'of'> {
  /** Labels that are absent (not different), with the values that they should have. */
  readonly lostLabels: ReadonlyMap<string, string>;
  /** Since when the live Secret is known to be gone, in milliseconds since 1970; NaN if that is malformed. */
  readonly orphanedAt: number | undefined;
  /** It was made for a deletion of the live Secret. */
  readonly isFinal: boolean;
  /** When the live Secret was deleted, likewise, if the cluster has accepted that deletion. */
  readonly deletedAt: number | undefined;
}

/** A history object whose annotations are consistent. */
export interface IndexedSnapshot extends IndexedHistory {
  readonly parsed: Archived;
}

export function isSnapshot(indexed: IndexedHistory): indexed is IndexedSnapshot {
  return typeof indexed.parsed !== 'string';
}

/** Reduces a Secret's metadata to what the reconciler needs. */
export function toIndexed(object: SecretMetadata): IndexedSecret {
  const { namespace, name, uid, resourceVersion, managed } = object;
  const terminating = object.deletionTimestamp !== undefined;
  const stored = { namespace, name, uid, resourceVersion, terminating };
  if (!claimsToBeHistory(object)) return { kind: 'live', ...stored };
  const claimedUid = managed.snapshot?.uid ?? managed.snapshot?.uidLabel ?? '';
  // An annotation may have 256 KiB, and this is kept as long as the object exists.
  const bounded = isUid(claimedUid) ? claimedUid : '';
  return { kind: 'history', ...stored, claimedUid: bounded, parsed: parseArchived(object) };
}

const NONE_LOST: ReadonlyMap<string, string> = new Map();

function parseArchived(object: SecretMetadata): Archived | Inconsistency {
  const metadata = readMetadata(object, { withMissingLabels: true });
  if (typeof metadata === 'string') return metadata;
  const { of, version, sourceResourceVersion } = metadata;
  const { missingLabels = NONE_LOST, orphanedAt: orphaned, deletion } = object.managed.snapshot ?? {};
  const lostLabels = missingLabels.size === 0 ? NONE_LOST : missingLabels;
  const isFinal = deletion !== undefined;
  const orphanedAt = orphaned === undefined ? undefined : Date.parse(orphaned);
  const deletedAt = deletion?.accepted === true ? Date.parse(deletion.at) : undefined;
  return { of, version, sourceResourceVersion, lostLabels, orphanedAt, isFinal, deletedAt };
}

/** The common key of a live Secret and its history. A namespace contains no slash, so it is unique. */
export function keyOf(indexed: IndexedSecret): string {
  return keyOfHistory(indexed.namespace, indexed.kind === 'live' ? indexed.uid : indexed.claimedUid);
}

export function keyOfHistory(namespace: string, liveUid: string): string {
  return `${namespace}/${liveUid}`;
}

/** The components of a key. */
export function partsOf(key: string): { readonly namespace: string; readonly uid: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), uid: key.slice(slash + 1) };
}

/** What is wrong with a history object. The reconciler does not change it; an operator should inspect it. */
export type Violation = Inconsistency | 'belongsToAnotherName';

/** A snapshot may be consistent and still not belong to the live Secret of its UID. */
export function violationOf(
  { parsed }: IndexedHistory,
  live: { readonly name: string } | undefined,
): Violation | undefined {
  if (typeof parsed === 'string') return parsed;
  return live !== undefined && live.name !== parsed.of ? 'belongsToAnotherName' : undefined;
}

/**
 * The number of history objects, by their state. `bound`: the metadata is complete, and the live Secret exists;
 * `orphaned`: it is complete, and the live Secret is gone; `inconsistent`: a label or annotation is missing or disagrees.
 */
export type SnapshotStatistics = Readonly<Record<'bound' | 'orphaned' | 'inconsistent', number>>;

/** The state of a history object. @param live the live Secret of its key, if it exists */
export function stateOfSnapshot(
  object: IndexedHistory,
  live: { readonly name: string } | undefined,
): keyof SnapshotStatistics {
  const { parsed } = object;
  const isComplete = typeof parsed !== 'string' && parsed.lostLabels.size === 0;
  if (!isComplete || violationOf(object, live) !== undefined) return 'inconsistent';
  return live === undefined ? 'orphaned' : 'bound';
}
