/** What a run of the checker has seen: the cluster's own stream of changes, and every answer of the service. */
export interface Recording {
  /** Changes of Secret objects in the order of their revisions. */
  readonly changes: readonly Change[];
  /** Changes of the namespace's policy in the order of their revisions. */
  readonly policies: readonly PolicyChange[];
  readonly operations: readonly Operation[];
  /** SERVICE_HISTORY_LIMIT of every replica. */
  readonly limit: number;
  /** SERVICE_HISTORY_ORPHAN_TTL of every replica. */
  readonly orphanTtlMs: number;
  /** How late the recording of a change may be. */
  readonly lateMs: number;
  /** How far a replica's watch may be behind. */
  readonly watchLagMs: number;
  /** How old a list from memory may be. */
  readonly maxListAgeMs: number;
}

export type Change =
  | { readonly kind: 'put'; readonly revision: number; readonly seenAt: number; readonly object: SecretState }
  | {
      readonly kind: 'gone';
      readonly revision: number;
      readonly seenAt: number;
      readonly object: SecretState;
    };

/** A Secret object in one state; of values only a digest is kept. */
export interface SecretState {
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  /** Of keys and bytes, whatever their order. */
  readonly digest: string;
  readonly description: string;
  /** The counter as the service reads it. */
  readonly version: number;
  readonly allowedGroups: readonly string[];
  /** The object has a deletion timestamp. */
  readonly terminating: boolean;
  /** Present on whatever carries the annotation of a history UID. */
  readonly archives?: Archived;
}

export interface Archived {
  readonly name: string;
  readonly uid: string;
  readonly version: number;
  /** The revision of the live state that it archives. */
  readonly source: number;
  readonly type: string;
  /** It can be restored once its source is deleted. */
  readonly isFinal: boolean;
}

export interface PolicyChange {
  readonly revision: number;
  readonly seenAt: number;
  /** Undefined: the namespace is open. */
  readonly allowedGroups: readonly string[] | undefined;
}

/** A request to the service, or a change with kubectl, and its outcome. Times are one process's own clock. */
export interface Operation {
  readonly id: number;
  readonly request: OperationRequest;
  /** Which replica received the request; undefined for kubectl. A replica that was started again has another number. */
  readonly replica: number | undefined;
  readonly actor: 'admin' | 'member' | 'stranger';
  readonly begun: number;
  readonly ended: number;
  readonly answer: OperationOutcome;
}

export type OperationRequest =
  /** `label` is a description that no other operation writes. */
  | { readonly do: 'create'; readonly name: string; readonly label: string; readonly digest: string }
  | {
      readonly do: 'update';
      readonly name: string;
      readonly revision: number;
      readonly label: string;
      /** Undefined keeps the stored values. */
      readonly digest: string | undefined;
    }
  | {
      readonly do: 'restore';
      readonly name: string;
      readonly revision: number;
      readonly version: number;
      readonly source: number;
    }
  | {
      readonly do: 'delete';
      readonly name: string;
      readonly revision: number;
      readonly keepHistory: boolean;
      readonly archive?: boolean;
    }
  /** Of the deleted Secret that had this UID: a new one from it, and its end. */
  | { readonly do: 'undelete'; readonly name: string; readonly uid: string }
  | { readonly do: 'purge'; readonly name: string; readonly uid: string }
  | { readonly do: 'read'; readonly name: string }
  | { readonly do: 'list' }
  | { readonly do: 'versions'; readonly name: string }
  | { readonly do: 'listDeleted' }
  /** Outside the service. */
  | { readonly do: 'edit'; readonly name: string }
  | { readonly do: 'removeSnapshot'; readonly name: string; readonly uid: string };

/** Each of these happens in a run of any size that is worth its time. */
export const REQUEST_KINDS: readonly OperationRequest['do'][] = [
  ...(['create', 'update', 'restore', 'delete', 'read', 'list', 'versions'] as const),
  ...(['listDeleted', 'undelete', 'purge', 'edit', 'removeSnapshot'] as const),
];

export type OperationOutcome =
  /** The connection broke, or the replica was killed: anything may have happened, or may still happen. */
  | { readonly kind: 'lost' }
  /** 503 that says so. */
  | { readonly kind: 'uncertain' }
  /** Everything else that is no success: it says that nothing was changed. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'done' }
  /** A create, update, restore, undelete or read, with the state that it returned. */
  | { readonly kind: 'secret'; readonly revision: number; readonly version: number }
  | { readonly kind: 'deleted'; readonly uid: string; readonly history: 'cleaned' | 'retained' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'listed'; readonly items: readonly ListedItem[] }
  | { readonly kind: 'deletedListed'; readonly items: readonly DeletedItem[] }
  | { readonly kind: 'versions'; readonly uid: string; readonly versions: readonly ListedVersion[] };

/** A Secret in the list of deleted ones. */
export interface DeletedItem {
  readonly name: string;
  readonly uid: string;
  /** Who deleted it; undefined where that is uncertain. */
  readonly by: string | undefined;
}

export interface ListedItem {
  readonly name: string;
  readonly revision: number;
}

export interface ListedVersion {
  readonly version: number;
  readonly source: number;
}

/** Whether the service has said that the operation took place. */
export function isAcknowledged({ answer }: Operation): boolean {
  return answer.kind !== 'lost' && answer.kind !== 'uncertain' && answer.kind !== 'refused';
}
