import type { SecretMetadata } from '../../kube/secret.ts';
import { claimsToBeHistory, readMetadata, type Inconsistency } from '../snapshot/snapshot.ts';

/**
 * What the reconciler keeps of a Secret object. All Secrets are watched, not only those that carry the history
 * label: a snapshot that has lost its labels is found by its annotations, and the end of a live Secret is seen.
 * Nothing is kept but what decisions need: foreign labels and annotations may hold anything.
 */
export type IndexedSecret = IndexedLive | IndexedHistory;

export interface IndexedLive {
  readonly kind: 'live';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly terminating: boolean;
}

/** An object that claims to be history. */
export interface IndexedHistory {
  readonly kind: 'history';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly terminating: boolean;
  /** The live UID that it claims to belong to; empty when it names none. */
  readonly claimedUid: string;
  readonly parsed: Archived | Inconsistency;
}

/** What a snapshot archives, by annotations that are all there and agree with each other and with its name. */
export interface Archived {
  /** The live name. */
  readonly of: string;
  readonly version: number;
  /** The revision of the live Secret that is archived. */
  readonly sourceResourceVersion: string;
  /** Labels that are absent (not: different), with the value that they should have. */
  readonly lostLabels: ReadonlyMap<string, string>;
  /** Since when it is known that the live Secret is gone, as it is written there. */
  readonly orphanedAt: string | undefined;
}

/** A history object whose annotations are consistent. */
export interface IndexedSnapshot extends IndexedHistory {
  readonly parsed: Archived;
}

export function isSnapshot(indexed: IndexedHistory): indexed is IndexedSnapshot {
  return typeof indexed.parsed !== 'string';
}

/** Reduces a Secret's metadata to what the reconciler works with. */
export function toIndexed(object: SecretMetadata): IndexedSecret {
  const { namespace, name, uid, resourceVersion, managed } = object;
  const terminating = object.deletionTimestamp !== undefined;
  const stored = { namespace, name, uid, resourceVersion, terminating };
  if (!claimsToBeHistory(object)) return { kind: 'live', ...stored };
  const claimedUid = managed.snapshot?.uid ?? managed.snapshot?.uidLabel ?? '';
  return { kind: 'history', ...stored, claimedUid, parsed: parseArchived(object) };
}

const NONE_LOST: ReadonlyMap<string, string> = new Map();

function parseArchived(object: SecretMetadata): Archived | Inconsistency {
  const metadata = readMetadata(object, { withMissingLabels: true });
  if (typeof metadata === 'string') return metadata;
  const { missingLabels = NONE_LOST, orphanedAt } = object.managed.snapshot ?? {};
  return {
    of: metadata.of,
    version: metadata.version,
    sourceResourceVersion: metadata.sourceResourceVersion,
    lostLabels: missingLabels.size === 0 ? NONE_LOST : missingLabels,
    orphanedAt,
  };
}

/** The key under which a live Secret and its history meet. A namespace holds no slash, so it is one to one. */
export function keyOf(indexed: IndexedSecret): string {
  return keyOfHistory(indexed.namespace, indexed.kind === 'live' ? indexed.uid : indexed.claimedUid);
}

export function keyOfHistory(namespace: string, liveUid: string): string {
  return `${namespace}/${liveUid}`;
}

/** What a key is made of. */
export function partsOf(key: string): { readonly namespace: string; readonly uid: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), uid: key.slice(slash + 1) };
}
