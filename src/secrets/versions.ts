import type { Deadline } from '../timing/deadline.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import { ServiceError } from '../errors/service-error.ts';
import { historyNotReadInTime, type History, type Snapshot, type BoundMetadata } from '../history/history.ts';
import type { StoredSecret } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { splitValues, keyValueOf, type KeyValue, keyNamesOf, type KeyNames } from './secret-view.ts';

interface WithHistory<Method extends keyof History> {
  readonly history: Pick<History, Method>;
}

/** A list may read the values of each version once, one at a time. */
const AT_ONCE = 4;

/** The archived versions of a live Secret, and how they differ. */
export function createVersionLists(dependencies: WithHistory<'list'>) {
  return new SharedRuns({
    // Another revision of the Secret has another counter.
    keyOf: ({ namespace, name, uid, resourceVersion }: StoredSecret) =>
      [namespace, name, uid, resourceVersion].join('/'),
    run: (live, deadline: Deadline) => listVersions(dependencies, live, deadline),
    atOnce: AT_ONCE,
    deadlineExceeded: historyNotReadInTime,
  });
}

async function listVersions({ history }: WithHistory<'list'>, live: StoredSecret, deadline: Deadline) {
  const { snapshots, changes } = await history.list(live, deadline);
  return {
    name: live.name,
    uid: live.uid,
    /** The live counter, and the note on it. */
    version: live.managed.version,
    ...(live.managed.changeNote !== undefined && { changeNote: live.managed.changeNote }),
    /** Newest first, each compared with the next older one. */
    versions: snapshots.map((snapshot) => ({
      ...versionSummary(snapshot, snapshot),
      ...(snapshot.changes !== undefined && { changes: snapshot.changes }),
    })),
    /** The live state compared with the newest archived one that it has replaced. */
    ...(changes !== undefined && { changes }),
  };
}

/** @throws {ServiceError} `notFound` when this version is not archived for the live UID */
export async function readVersion(
  dependencies: WithHistory<'read'>,
  { live }: AuthorizedSecret,
  version: number,
  deadline: Deadline,
) {
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

/** An archived version without its values; who made it, and when, according to its own annotations. */
function versionSummary(
  { version, sourceResourceVersion, changeNote, lastModifiedBy, lastModifiedAt, type, stored }: BoundMetadata,
  { keys, binaryKeys }: KeyNames,
) {
  return {
    version,
    /** The archived live revision. */
    resourceVersion: sourceResourceVersion,
    /** RFC 3339: when it was archived. */
    createdAt: stored.creationTimestamp,
    ...(changeNote !== undefined && { changeNote }),
    ...(lastModifiedBy !== undefined && { lastModifiedBy }),
    ...(lastModifiedAt !== undefined && { lastModifiedAt }),
    type,
    keys,
    keyCount: keys.length,
    binaryKeys,
  };
}
