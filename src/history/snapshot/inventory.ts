import type { Deadline } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { AnnotationCodec } from '../../kube/annotation-codec.ts';
import { COLLECTION_LIMITS, collectPages, type Collected, type Collection } from '../../kube/collect.ts';
import type { PageBudget } from '../../kube/page-sizes.ts';
import type { ObjectIdentity, SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { newestFirst, type Aged } from './rank.ts';
import { archives, readSnapshot, versionNamed, type BoundMetadata, type LiveIdentity } from './snapshot.ts';
import { toIndexed, type IndexedHistory } from './indexed-secret.ts';

/** What the history of live Secrets works with. */
export interface HistoryContext {
  readonly store: SnapshotStore;
  readonly codec: AnnotationCodec;
  /** What is known from the watch of this replica, where that has caught up. */
  readonly index: HistoryIndex | undefined;
  /** Snapshots kept per live Secret. */
  readonly limit: number;
}

/** The history could not be prepared for a change. The live Secret was not changed. */
export function historyUnavailable(step: string, cause?: unknown): ServiceError {
  const known = isServiceError(cause) ? cause : undefined;
  return new ServiceError(
    'historyUnavailable',
    'The history of this Secret is unavailable; the Secret was not changed',
    {
      reason: known === undefined ? step : `${step}:${known.reason ?? known.code}`,
      cause,
      retryAfterSeconds: known?.retryAfterSeconds,
    },
  );
}

/** For `catch`: the same for whatever a step failed with. */
export function unavailableAt(step: string): (cause: unknown) => never {
  return (cause) => {
    throw historyUnavailable(step, cause);
  };
}

/** The same for someone whose time is over before the history is read. */
export function historyNotReadInTime(): ServiceError {
  return historyUnavailable('historyNotRead:deadlineExceeded');
}

/**
 * The eligible snapshots of one live Secret, newest first: history objects with consistent metadata that are bound to
 * its UID. Objects with incomplete metadata are left out, so they are never listed, restored or deleted.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function boundMetadata(
  { store, codec }: HistoryContext,
  live: LiveIdentity,
  deadline: Deadline,
): Promise<readonly BoundMetadata[]> {
  const selection = { namespace: live.namespace, labelSelector: codec.snapshotSelector(live.uid) };
  const { items } = await listSelected(store, selection, deadline, (stored) => stored);
  const bound = items
    .map(readSnapshot)
    .filter((metadata) => typeof metadata !== 'string')
    .filter((metadata) => archives(metadata, live));
  return newestFirst(bound, (metadata) => metadata);
}

interface Selection {
  readonly namespace: string;
  readonly labelSelector: string;
  /** The contract's by default. */
  readonly budget?: PageBudget;
}

/**
 * What `keep` returns for the metadata of each selected object, as it arrives.
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`
 */
export function listSelected<Kept>(
  store: Pick<SnapshotStore, 'listMetadata'>,
  { namespace, labelSelector, budget = COLLECTION_LIMITS }: Selection,
  deadline: Deadline,
  keep: Collected<SecretMetadata, Kept>['keep'],
): Promise<Collection<Kept>> {
  return collectPages({
    subject: 'Secrets',
    budget,
    listPage: (page) => store.listMetadata(namespace, { labelSelector, ...page }, deadline),
    keep,
    stateOf: ({ resourceVersion }) => resourceVersion,
  });
}

/** An object with the name of a snapshot and the UID of a live Secret, as it was stored at some point in time. */
export interface KnownSnapshot extends Aged, ObjectIdentity {
  /** False if it is being deleted or its metadata is incomplete: its number counts, but it has no rank. */
  readonly eligible: boolean;
}

/** The Secret objects of a namespace. It is not a copy: what is read in one turn was stored at one point in time. */
export interface KnownObjects {
  /** The objects that claim to be history of a live UID. */
  historyOf(uid: string): readonly IndexedHistory[];
  /** The UID of the object that has this name, whatever its labels say. */
  uidOf(name: string): string | undefined;
}

/** The Secret objects in this replica's watch. */
export interface HistoryIndex {
  /** The objects no earlier than at a revision; undefined if the watch does not reach that revision in time. */
  at(
    where: Pick<SecretMetadata, 'namespace' | 'resourceVersion'>,
    deadline: Deadline,
  ): Promise<KnownObjects | undefined>;
}

/**
 * The snapshots of a live Secret as they were stored at one point in time, no earlier than the revision of `live`: from
 * this replica's watch, or else from one list by the UID, as metadata.
 *
 * @throws {ServiceError} `historyUnavailable`
 */
export async function findKnownSnapshots(
  context: HistoryContext,
  live: StoredSecret,
  deadline: Deadline,
): Promise<readonly KnownSnapshot[]> {
  const watched = await context.index?.at(live, deadline);
  const objects = watched?.historyOf(live.uid) ?? (await listHistory(context, live, deadline));
  return objects.map((object) => known(object, live)).filter((snapshot) => snapshot !== undefined);
}

function known(object: IndexedHistory, live: StoredSecret): KnownSnapshot | undefined {
  const { parsed, claimedUid, terminating, ...stored } = object;
  if (typeof parsed !== 'string' && claimedUid === live.uid && parsed.of === live.name) {
    const { version, sourceResourceVersion, lostLabels } = parsed;
    return { ...stored, version, sourceResourceVersion, eligible: !terminating && lostLabels.size === 0 };
  }
  const version = versionNamed(object.name, live);
  if (version === undefined) return undefined;
  return { ...stored, version, sourceResourceVersion: '', eligible: false };
}

async function listHistory({ store, codec }: HistoryContext, live: StoredSecret, deadline: Deadline) {
  const selection = { namespace: live.namespace, labelSelector: codec.uidSelector(live.uid) };
  const { items } = await listSelected(store, selection, deadline, toIndexed).catch(
    unavailableAt('historyNotListed'),
  );
  return items.filter((object) => object.kind === 'history');
}
