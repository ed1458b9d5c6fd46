import type { Deadline } from '../timing/deadline.ts';
import type { SecretRef } from '../kube/secret.ts';
import type { ListItem } from './list-item.ts';

/** Why a list is not served from the cache; a closed list, fit for a metric's label. */
export type LiveReason =
  /** SERVICE_LIST_CACHE=false. */
  | 'disabled'
  /** The client sent `Cache-Control: no-cache`. */
  | 'noCache'
  /** No whole list has arrived yet, or a right to watch is missing. */
  | 'notSynced'
  /** The watch has said nothing for longer than SERVICE_CACHE_MAX_SILENCE. */
  | 'silent'
  /** It contradicts, or has not reached, what this replica has read or written in the namespace. */
  | 'behind'
  /** A write of this replica may or may not have happened, or may still happen. */
  | 'uncertain'
  /** The namespace may be over the budget of bytes; the live collection decides. */
  | 'overBudget';

/** Why a list is not answered at all: the namespace is known to have more Secrets than a list may have. */
export type KnownOverBudget = 'tooManyObjects';

/** The live Secrets of one namespace as of one moment. */
export interface CachedNamespace {
  /** Ordered by name. Another array than before when, and only when, something has changed. */
  readonly items: readonly ListItem[];
  /** The newest revision among them, see `newestRevision`. */
  readonly newest: string | undefined;
  /** Milliseconds since the cluster last vouched for it. */
  readonly ageMs: number;
}

/** A live list: what there was in the namespace at one revision. */
export interface LiveList {
  readonly resourceVersion: string;
  readonly items: readonly Pick<ListItem, 'uid' | 'resourceVersion'>[];
}

/** When a request to the cluster was begun: what it brings is news against everything seen before, not after. */
export interface ObservationStart {
  readonly sequence: number;
  readonly atMs: number;
}

/** A port: the validated cache behind lists. It vouches for what it gives, or says why it cannot. */
export interface ListCache {
  /** Waits for a moment when it is only just behind. */
  namespace(namespace: string, deadline: Deadline): Promise<CachedNamespace | LiveReason | KnownOverBudget>;
  /** Whether it vouches, without waiting, that the namespace has more Secrets than a list may have. */
  hasTooManyObjects(namespace: string): boolean;
  /** To be taken before a request whose answer is told below. */
  startObservation(): ObservationStart;
  /** This replica has read the object at this revision; older answers are now out of the question. */
  noteRevision(ref: SecretRef, resourceVersion: string, since: ObservationStart): void;
  /** This replica has written the object, and this is its revision now. */
  noteWritten(ref: SecretRef, resourceVersion: string, since: ObservationStart): void;
  /** The cluster has accepted the deletion of this revision of an object. */
  noteDeleted(ref: SecretRef, uid: string, resourceVersion: string): void;
  /** This replica has read that there is nothing under this name. */
  noteAbsent(ref: SecretRef): void;
  /** This replica has collected these as all live Secrets of the namespace. */
  noteList(namespace: string, list: LiveList, since: ObservationStart): void;
  /** A write of this replica may have happened, or may still happen. */
  markUncertain(namespace: string): void;
}
