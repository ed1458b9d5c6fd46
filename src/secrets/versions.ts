import type { Deadline } from '../timing/deadline.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  historyNotReadInTime,
  type History,
  type KeyChanges,
  type Snapshot,
  type BoundMetadata,
} from '../history/history.ts';
import type { SnapshotMetadata } from '../kube/managed-metadata.ts';
import type { StoredSecret } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import {
  splitValues,
  type SplitValues,
  keyValueOf,
  type KeyValue,
  keyNamesOf,
  type KeyNames,
} from './secret-view.ts';

/** An archived version without its values; who made it, and when, according to its own annotations. */
export interface VersionSummary
  extends
    Pick<SnapshotMetadata, 'version' | 'type'>,
    Partial<Pick<SnapshotMetadata, 'changeNote' | 'lastModifiedBy' | 'lastModifiedAt'>>,
    KeyNames {
  /** The archived live revision. */
  readonly resourceVersion: string;
  /** RFC 3339: when it was archived. */
  readonly createdAt: string;
  readonly keyCount: number;
}

/** An archived version in a list. */
export interface ListedVersion extends VersionSummary {
  /** Compared with the next older archived version; absent for the oldest. */
  readonly changes?: KeyChanges;
}

export interface VersionList {
  readonly name: string;
  readonly uid: string;
  /** The live counter. */
  readonly version: number;
  /** The note on the live version. */
  readonly changeNote?: string;
  /** Newest first. */
  readonly versions: readonly ListedVersion[];
  /** The live state compared with the newest archived one that it has replaced; absent if there is none. */
  readonly changes?: KeyChanges;
}

export interface VersionDetail {
  readonly summary: VersionSummary;
  readonly values: SplitValues;
}

interface WithHistory<Method extends keyof History> {
  readonly history: Pick<History, Method>;
}

/** A list may read the values of each version once, one at a time. */
const AT_ONCE = 4;

/** The archived versions of a live Secret. */
export function createVersionLists(dependencies: WithHistory<'list'>): SharedRuns<StoredSecret, VersionList> {
  return new SharedRuns({
    // Another revision of the Secret has another counter.
    keyOf: ({ namespace, name, uid, resourceVersion }) => [namespace, name, uid, resourceVersion].join('/'),
    run: (live: StoredSecret, deadline) => listVersions(dependencies, live, deadline),
    atOnce: AT_ONCE,
    deadlineExceeded: historyNotReadInTime,
  });
}

async function listVersions(
  { history }: WithHistory<'list'>,
  live: StoredSecret,
  deadline: Deadline,
): Promise<VersionList> {
  const { snapshots, changes } = await history.list(live, deadline);
  return {
    name: live.name,
    uid: live.uid,
    version: live.managed.version,
    ...(live.managed.changeNote !== undefined && { changeNote: live.managed.changeNote }),
    versions: snapshots.map((snapshot) => ({
      ...versionSummary(snapshot, snapshot),
      ...(snapshot.changes !== undefined && { changes: snapshot.changes }),
    })),
    ...(changes !== undefined && { changes }),
  };
}

/** @throws {ServiceError} `notFound` when this version is not archived for the live UID */
export async function readVersion(
  dependencies: WithHistory<'read'>,
  { live }: AuthorizedSecret,
  version: number,
  deadline: Deadline,
): Promise<VersionDetail> {
  const snapshot = await findSnapshot(dependencies, live, version, deadline);
  const { data } = snapshot.stored;
  return { summary: versionSummary(snapshot, keyNamesOf(data)), values: splitValues(data) };
}

/** @throws {ServiceError} `notFound` when this version is not archived for the live UID, or has no such key */
export async function readVersionKey(
  dependencies: WithHistory<'read'>,
  { live }: AuthorizedSecret,
  { version, key }: { readonly version: number; readonly key: string },
  deadline: Deadline,
): Promise<KeyValue> {
  const { stored, sourceResourceVersion } = await findSnapshot(dependencies, live, version, deadline);
  return keyValueOf({ data: stored.data, resourceVersion: sourceResourceVersion }, key);
}

/** @throws {ServiceError} `notFound` when this version is not archived for the live UID */
export async function findSnapshot(
  { history }: WithHistory<'read'>,
  live: StoredSecret,
  version: number,
  deadline: Deadline,
): Promise<Snapshot> {
  const snapshot = await history.read(live, version, deadline);
  if (snapshot !== undefined) return snapshot;
  throw new ServiceError('notFound', 'This version is not archived', { reason: 'versionNotArchived' });
}

function versionSummary(
  { version, sourceResourceVersion, changeNote, lastModifiedBy, lastModifiedAt, type, stored }: BoundMetadata,
  { keys, binaryKeys }: KeyNames,
): VersionSummary {
  return {
    version,
    resourceVersion: sourceResourceVersion,
    createdAt: stored.creationTimestamp,
    ...(changeNote === undefined ? {} : { changeNote }),
    ...(lastModifiedBy === undefined ? {} : { lastModifiedBy }),
    ...(lastModifiedAt === undefined ? {} : { lastModifiedAt }),
    type,
    keys,
    keyCount: keys.length,
    binaryKeys,
  };
}
