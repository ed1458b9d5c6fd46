import { RULE_LISTS, rulesOf, type AccessRules } from '../contract/access-rules.ts';
import { shortDescription } from '../contract/text.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import type { Deadline } from '../timing/deadline.ts';
import { historyNotReadInTime, type FinalMetadata, type FinalRef } from '../history/history.ts';
import { parseKeyRecord, type KeyNames } from './secret-view.ts';
import type { Collection } from '../kube/collect.ts';
import type { SecretsDependencies } from './ports.ts';

/** A Secret that was deleted and archived, without its values. */
export interface DeletedSecret extends KeyNames, AccessRules {
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  readonly keyCount: number;
  readonly description: string;
  readonly version: number;
  /** Lowercased email; absent where it is unknown who deleted it. */
  readonly deletedBy?: string;
  /** RFC 3339; absent where it is unknown. */
  readonly deletedAt?: string;
  /** The deletion with archive may have failed, and someone else deleted the Secret, perhaps in another state. */
  readonly uncertain?: true;
  /** RFC 3339: when its snapshots are removed; absent where they are kept for ever. */
  readonly expiresAt?: string;
}

/** The position of a final snapshot in the list. */
export interface FinalPosition {
  /** When its deletion was requested, in milliseconds since 1970; 0 if that is no time. */
  readonly at: number;
  readonly uid: string;
}

/** The last deletion first. */
export function comparePositions(one: FinalPosition, other: FinalPosition): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.uid === other.uid) return 0;
  return one.uid < other.uid ? -1 : 1;
}

/** A final snapshot, and where it is. */
export interface ListedFinal extends FinalRef {
  readonly position: FinalPosition;
  /** Undefined beyond {@link MAX_BYTES}: the snapshot has to be read. */
  readonly details: FinalDetails | undefined;
}

/** What a final snapshot says of a deleted Secret. */
export interface FinalDetails {
  readonly shown: Omit<DeletedSecret, keyof KeyNames | 'keyCount'>;
  /** Undefined when the snapshot has to be read for them. */
  readonly keyNames: KeyNames | undefined;
}

/** All of a namespace, the last deletion first: no one's access counts yet. */
type DeletedList = Collection<ListedFinal>;

type DeletedDependencies = Pick<SecretsDependencies, 'history' | 'orphanTtlMs'>;

const AT_ONCE = 2;
/** Of the details that a list keeps. Where a final snapshot is takes a few hundred bytes more, and is always kept. */
const MAX_BYTES = 33_554_432;
/** Beside its texts. */
const BYTES_EACH = 500;

/** Lists the deleted Secrets of namespaces. */
export function createDeletedLists(dependencies: DeletedDependencies): SharedRuns<string, DeletedList> {
  return new SharedRuns({
    keyOf: (namespace) => namespace,
    run: (namespace: string, deadline) => listDeleted(dependencies, namespace, deadline),
    atOnce: AT_ONCE,
    deadlineExceeded: historyNotReadInTime,
  });
}

async function listDeleted(
  { history, orphanTtlMs }: DeletedDependencies,
  namespace: string,
  deadline: Deadline,
): Promise<DeletedList> {
  let bytes = 0;
  const reduce = (final: FinalMetadata): ListedFinal => {
    const { uid, stored, deletion } = final;
    const details = finalDetails(final, orphanTtlMs);
    const size = bytesOf(details);
    const isKept = bytes + size <= MAX_BYTES;
    if (isKept) bytes += size;
    return {
      stored: { namespace: stored.namespace, name: stored.name, uid: stored.uid },
      position: { at: Date.parse(deletion.at) || 0, uid },
      details: isKept ? details : undefined,
    };
  };
  const { items, resourceVersion } = await history.final.list(namespace, reduce, deadline);
  const inOrder = items.toSorted((one, other) => comparePositions(one.position, other.position));
  return { items: inOrder, resourceVersion };
}

export function finalDetails(final: FinalMetadata, orphanTtlMs: number | undefined): FinalDetails {
  const { of: name, uid, type, version, deletion, stored } = final;
  const { managed } = stored;
  const description = shortDescription(managed.description);
  const { accepted, at, by } = deletion;
  const expiry = expiryOf(managed.snapshot?.orphanedAt ?? (accepted ? at : undefined), orphanTtlMs);
  return {
    shown: {
      ...{ name, uid, type, description, version, ...rulesOf(managed) },
      ...(accepted ? { deletedBy: by, deletedAt: at } : { uncertain: true }),
      ...(expiry === undefined ? {} : { expiresAt: expiry }),
    },
    keyNames: parseKeyRecord(deletion.keys),
  };
}

function bytesOf({ shown, keyNames }: FinalDetails): number {
  const { name, type, description, deletedBy = '', deletedAt = '' } = shown;
  const { keys, binaryKeys } = keyNames ?? { keys: [], binaryKeys: [] };
  const texts = [name, type, description, deletedBy, deletedAt];
  return [texts, ...RULE_LISTS.map((list) => shown[list] ?? []), keys, binaryKeys]
    .flat()
    .reduce((sum, text) => sum + 2 * text.length + 16, BYTES_EACH);
}

/** The time to live begins when the reconciler has found the live Secret gone, shortly after the deletion. */
function expiryOf(since: string | undefined, orphanTtlMs: number | undefined): string | undefined {
  if (since === undefined || orphanTtlMs === undefined) return undefined;
  const expiry = new Date(Date.parse(since) + orphanTtlMs);
  return Number.isNaN(expiry.getTime()) ? undefined : expiry.toISOString();
}
