import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../timing/clock.ts';
import type { Change } from './object-store.ts';
import type { Watchable, WatchedObject, WatchEventKind } from './ports.ts';
import type { RevisionProbe } from './revision-probe.ts';

/** Why everything is listed again. */
export type RelistReason =
  | 'start'
  /** The revision to watch from is no longer kept. */
  | 'expired'
  /** The list took longer than its continue tokens live, or contradicted itself. */
  | 'listAgain'
  /** One watch after the other failed without bringing anything. */
  | 'stalled'
  /** The store was found to differ from the cluster. */
  | 'difference'
  /** Objects of which the metadata alone was cached fit again. */
  | 'budget'
  /** The cluster's storage was restored from a backup: revisions start again below earlier ones. */
  | 'restored';

/** Called with events of a reflector, for metrics. */
export interface ReflectorObserver {
  event(kind: WatchEventKind): void;
  relist(reason: RelistReason): void;
  /** Whether RBAC forbids to list or watch. Called when that changes. */
  forbidden(isForbidden: boolean): void;
  /** A list or a bookmark is below what was seen: the cluster's storage was restored from a backup. */
  restored(): void;
}

export interface ReflectorOptions<Value extends WatchedObject, Table> {
  readonly source: Watchable<Value>;
  /** Makes an empty table. */
  readonly createTable: () => Table;
  /** Called with every change after it is stored. It only notes that there is work; an error from it is logged. */
  readonly onChange: (change: Change<Value>) => void;
  readonly observer: ReflectorObserver;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Returns 0 to 1. */
  readonly random: () => number;
  /** Read after a failure: a restored cluster sends nothing to a watch from its future. */
  readonly probe?: RevisionProbe;
  /** Whether what the store held stays while everything is listed again after a restore; by default it is dropped. */
  readonly keepsLastState?: boolean;
  /** A watch that is silent for longer is ended; 90 seconds by default. */
  readonly maxSilenceMs?: number;
}

export interface ReflectorStatus {
  /** Whether the store has contained a whole list once. */
  readonly synced: boolean;
  /** The last revision that the store has reached; undefined while everything is listed again. */
  readonly revision: string | undefined;
  /** Milliseconds since the cluster last confirmed what the store holds. */
  readonly silenceMs: number;
  /** Whether it waits because the permission to list or watch is missing. */
  readonly isForbidden: boolean;
}

/** Keeps a store in sync with the cluster: lists, then watches, and continues after every failure. */
export interface Reflector<Table> {
  /** What it holds now. A list may replace the table, so it must be read again each time. */
  readonly objects: Table;
  status(): ReflectorStatus;
  /** Lists everything again. */
  listAgain(reason: 'difference' | 'budget'): void;
  /** Drops everything and lists again, because the cluster's storage was restored. */
  drop(): void;
  /** Runs until `signal` is aborted. Never rejects. Call it once. */
  run(signal: AbortSignal): Promise<void>;
}
