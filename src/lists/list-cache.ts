import type { Deadline } from '../timing/deadline.ts';
import type { SecretRef } from '../kube/secret.ts';
import type { ListItem } from './list-item.ts';

/** Why a list is not served from the cache. A closed list, for a metric's label. */
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

/** Why a list is refused, and not even collected. */
export type KnownOverBudget =
  /** More Secrets than a list may have. */
  | 'tooManyObjects'
  /** They take so much memory that their metadata alone is cached. */
  | 'memory';

/** Where a list came from. The body is the same, byte for byte. */
export type ListSource =
  | { readonly source: 'cache'; readonly ageMs: number }
  | { readonly source: 'live'; readonly reason: LiveReason };

/** The outcome for metrics, including lists that are refused because the namespace is known to be over budget. */
export type ListOutcome = ListSource | { readonly source: 'refused'; readonly reason: KnownOverBudget };

/** All live Secrets of one namespace at one point in time, however many there are. */
export interface CachedState {
  /** No other state of the namespace has it; 0 while there are none. */
  readonly version: symbol | number;
  readonly count: number;
  /** In no particular order. Call it before anything else happens. */
  items(): readonly ListItem[];
  /** Milliseconds since the cluster last confirmed this state. */
  readonly ageMs: number;
}

/** A live list: the Secrets of the namespace at one revision. */
export interface LiveList {
  readonly resourceVersion: string;
  readonly items: readonly Pick<ListItem, 'uid' | 'resourceVersion'>[];
}

/**
 * When a request to the cluster began. Its result is newer than everything noted before, and not newer than what was
 * noted after.
 */
export interface ObservationStart {
  readonly sequence: number;
  readonly atMs: number;
}

/** A port: the validated cache behind lists. It returns current Secrets, or the reason why it cannot. */
export interface ListCache {
  /** @param waitMs how long a cache that is slightly behind is waited for */
  state(namespace: string, deadline: Deadline, waitMs?: number): Promise<CachedState | LiveReason | 'memory'>;
  /** Calls the listener with each change of a namespace, and what the Secrets took that were replaced or removed. */
  onChange(listener: (namespace: string, removedBytes: number) => void): void;
  /**
   * The namespaces that have Secrets, or may have some that only this replica has seen, or why the caches are not fresh.
   * Does not wait. Those in which a right is missing are among them; their state is `notSynced`.
   */
  namespaces(): readonly string[] | LiveReason;
  /** How many Secrets it holds of the namespace, whether or not it is fresh. */
  size(namespace: string): number;
  /** Call it before a request whose result is noted below. */
  startObservation(): ObservationStart;
  /** This replica has read the object at this revision. Older responses are now wrong. */
  noteRevision(ref: SecretRef, resourceVersion: string, since: ObservationStart): void;
  /** This replica has written the object, which now has this revision. */
  noteWritten(ref: SecretRef, resourceVersion: string, since: ObservationStart): void;
  /** The cluster has accepted the deletion of this revision of an object. */
  noteDeleted(ref: SecretRef, uid: string, resourceVersion: string): void;
  /** This replica has read that nothing exists under this name. */
  noteAbsent(ref: SecretRef): void;
  /** This replica has collected these as all live Secrets of the namespace. */
  noteList(namespace: string, list: LiveList, since: ObservationStart): void;
  /** The cluster was at this revision. Once the cache has reached it, nothing that was noted before matters. */
  noteClusterRevision(namespace: string, resourceVersion: string, since: ObservationStart): void;
  /** A write of this replica may have happened, or, unless it is over, may still happen. */
  markUncertain(namespace: string, isOver?: boolean): void;
}
