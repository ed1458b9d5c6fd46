import { createSharedRuns, type SharedRuns } from '../timing/shared-runs.ts';
import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { historyUnavailable, type FinalSnapshot, type History } from '../history/history.ts';
import { collectPages } from '../kube/collect.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { binaryKeysOf } from './secret-view.ts';

/** A Secret that was deleted and archived, without its values. */
export interface DeletedSecret {
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  readonly keys: readonly string[];
  readonly keyCount: number;
  readonly binaryKeys: readonly string[];
  readonly description: string;
  readonly version: number;
  readonly allowedGroups: readonly string[];
  readonly allowedUsers: readonly string[];
  /** Lowercased email. */
  readonly deletedBy: string;
  /** RFC 3339. */
  readonly deletedAt: string;
  /** RFC 3339: when its snapshots are removed; absent where they are kept for ever. */
  readonly expiresAt?: string;
}

/** All of a namespace: no one's access counts yet. */
export interface DeletedList {
  /** The last deletion first. */
  readonly deleted: readonly DeletedSecret[];
  /** A revision that the cluster had reached. */
  readonly resourceVersion: string;
}

export interface DeletedListDependencies {
  readonly store: Pick<SnapshotStore, 'listMetadata'>;
  readonly history: Pick<History, 'final'>;
  readonly codec: Pick<AnnotationCodec, 'liveSelector'>;
  /** How long snapshots without a live Secret are kept; undefined for ever. */
  readonly orphanTtlMs: number | undefined;
  /** Counts a request that is refused because too many of its kind wait. */
  readonly countRefusal: (bound: 'deleted_lists') => void;
}

/** Each reads the values of all final snapshots of a namespace, a page at a time. */
const AT_ONCE = 2;
/** Namespaces whose list waits for its turn. */
const WAITING = 16;
const CALLERS = 500;
const BUDGET_MS = 15_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Lists the deleted Secrets of namespaces. People who request the same at the same time share one list, begun after all
 * of them requested it; beyond a short queue they are refused.
 * @throws {ServiceError} `historyUnavailable` or `overloaded`
 */
export function createDeletedLists(dependencies: DeletedListDependencies): SharedRuns<string, DeletedList> {
  return createSharedRuns({
    keyOf: (namespace) => namespace,
    run: (namespace: string, deadline) => listDeleted(dependencies, namespace, deadline),
    budgetMs: BUDGET_MS,
    atOnce: AT_ONCE,
    waiting: WAITING,
    callers: CALLERS,
    tooMany: () => {
      dependencies.countRefusal('deleted_lists');
      return new ServiceError('overloaded', 'Too many lists of deleted Secrets are being read; try again', {
        reason: 'deletedLists',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    },
    spent: () =>
      historyUnavailable(
        'historyNotRead',
        new ServiceError('unavailable', 'The history was not read in time', { reason: 'deadlineExceeded' }),
      ),
  });
}

async function listDeleted(
  dependencies: DeletedListDependencies,
  namespace: string,
  deadline: Deadline,
): Promise<DeletedList> {
  const { history, orphanTtlMs } = dependencies;
  const reduce = (snapshot: FinalSnapshot) => deletedSecret(snapshot, orphanTtlMs);
  const { items, resourceVersion } = await history.final.list(namespace, reduce, deadline);
  if (items.length === 0) return { deleted: [], resourceVersion };
  // The live Secrets after the snapshots: what is not among them was gone when its snapshot was found, or is since then.
  const live = await liveUids(dependencies, namespace, deadline);
  const byUid = new Map<string, DeletedSecret>();
  for (const item of items) {
    const known = byUid.get(item.uid);
    if (!live.has(item.uid) && (known === undefined || known.version < item.version))
      byUid.set(item.uid, item);
  }
  return { deleted: [...byUid.values()].sort(byDeletion), resourceVersion };
}

async function liveUids(
  { store, codec }: DeletedListDependencies,
  namespace: string,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const { items } = await collectPages({
    subject: 'Secrets',
    listPage: (page) =>
      store.listMetadata(namespace, { labelSelector: codec.liveSelector, ...page }, deadline),
    keep: ({ name, uid }: SecretMetadata) => ({ name, uid }),
  });
  return new Set(items.map(({ uid }) => uid));
}

/** The last one first; of two at the same time, by name. */
function byDeletion(one: DeletedSecret, other: DeletedSecret): number {
  if (one.deletedAt !== other.deletedAt) return one.deletedAt < other.deletedAt ? 1 : -1;
  return one.name < other.name ? -1 : 1;
}

function deletedSecret(snapshot: FinalSnapshot, orphanTtlMs: number | undefined): DeletedSecret {
  const { of: name, uid, type, data, version, deletion, stored } = snapshot;
  const { description, allowedGroups, allowedUsers } = stored.managed;
  const expiry = expiryOf(stored.managed.snapshot?.orphanedAt ?? deletion.at, orphanTtlMs);
  return {
    name,
    uid,
    type,
    keys: [...data.keys()],
    keyCount: data.size,
    binaryKeys: binaryKeysOf(data),
    description,
    version,
    allowedGroups,
    allowedUsers,
    deletedBy: deletion.by,
    deletedAt: deletion.at,
    ...(expiry === undefined ? {} : { expiresAt: expiry }),
  };
}

/** The time to live begins when the reconciler has found the live Secret gone, shortly after the deletion. */
function expiryOf(since: string, orphanTtlMs: number | undefined): string | undefined {
  if (orphanTtlMs === undefined) return undefined;
  const expiry = new Date(Date.parse(since) + orphanTtlMs);
  return Number.isNaN(expiry.getTime()) ? undefined : expiry.toISOString();
}
