import type { Deadline } from '../timing/deadline.ts';
import type { Page, PageRequest } from '../kube/page.ts';
import type { ObjectIdentity } from '../kube/secret.ts';

/** What lists and watches need of an object. */
export interface WatchedObject extends ObjectIdentity {
  /** Its metadata alone is cached. The whole object takes its place. */
  readonly isReduced?: true | undefined;
}

/**
 * Objects of one kind, in one namespace or in all, for lists and watches. Failures are ServiceErrors: `expired` (a
 * continue token, or a revision to watch from), `rbacForbidden`, `responseTooLarge`, `unavailable`.
 */
export interface Watchable<Item extends WatchedObject> {
  /** The plural name of the resource, for logs. */
  readonly resource: string;
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** Waits until a list may begin, or a watch that follows none. Their time starts afterwards. */
  readonly takeTurn: (signal: AbortSignal) => Promise<void>;
  listPage(page: PageRequest, deadline: Deadline): Promise<Page<Item>>;
  /** Opens a watch for the events after `revision`; `signal` ends it. */
  watch(revision: string, timeoutSeconds: number, signal: AbortSignal): Promise<Watch<Item>>;
}

/** An open watch. */
export interface Watch<Item> {
  /**
   * The events in order. It ends when the cluster ends the watch or its signal is aborted. It throws when the
   * connection breaks or the watch contains a failure. Iterate it once.
   */
  readonly events: AsyncIterable<WatchEvent<Item>>;
  /** Milliseconds since the cluster last sent anything. */
  silenceMs(): number;
}

export type WatchEvent<Item> =
  | { readonly kind: 'added' | 'modified' | 'deleted'; readonly item: Item }
  /** Everything up to this revision has been sent. */
  | { readonly kind: 'bookmark'; readonly resourceVersion: string };

export type WatchEventKind = WatchEvent<never>['kind'];
