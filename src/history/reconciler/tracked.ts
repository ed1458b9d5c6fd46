import { type AnnotationNames } from '../annotation-names.ts';
import { claimsToBeHistory } from '../snapshot.ts';
import type { SecretMetadata } from './ports.ts';

/**
 * What the reconciler keeps of a Secret object. All Secrets are watched, not only those that carry the history
 * label: a snapshot that has lost its labels is found by its annotations, and the end of a live Secret is seen.
 */
export type Tracked = TrackedLive | TrackedHistory;

/** Of a live Secret nothing but its identity. */
export interface TrackedLive {
  readonly kind: 'live';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly terminating: boolean;
}

/** Of an object that claims to be history, its own marks; foreign labels and annotations may hold anything. */
export interface TrackedHistory {
  readonly kind: 'history';
  readonly object: SecretMetadata;
  /** The live UID that it claims to belong to; empty when it names none. */
  readonly claimedUid: string;
}

/** Reduces a Secret's metadata to what the reconciler works with. */
export function track(object: SecretMetadata, names: AnnotationNames): Tracked {
  const { namespace, name, uid } = object;
  const claimedUid = object.annotations.get(names.historyUid) ?? object.labels.get(names.historyUidLabel);
  if (claimedUid === undefined && !claimsToBeHistory(object, names)) {
    return { kind: 'live', namespace, name, uid, terminating: object.deletionTimestamp !== undefined };
  }
  const own = new Set(Object.values(names) as readonly string[]);
  const onlyOwn = (texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    new Map([...texts].filter(([key]) => own.has(key)));
  return {
    kind: 'history',
    object: { ...object, labels: onlyOwn(object.labels), annotations: onlyOwn(object.annotations) },
    claimedUid: claimedUid ?? '',
  };
}

/** The key under which a live Secret and its history meet. A namespace holds no slash, so it is one to one. */
export function keyOf(tracked: Tracked): string {
  return tracked.kind === 'live'
    ? `${tracked.namespace}/${tracked.uid}`
    : `${tracked.object.namespace}/${tracked.claimedUid}`;
}

/** What a key is made of. */
export function partsOf(key: string): { readonly namespace: string; readonly uid: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), uid: key.slice(slash + 1) };
}
