import type { Deadline } from '../timing/deadline.ts';
import { createSharedRuns, type SharedRuns } from '../timing/shared-runs.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  type History,
  type KeyChanges,
  type KeyDigests,
  type Snapshot,
  changesBetween,
  digestsOf,
  historyUnavailable,
  isReplaced,
} from '../history/history.ts';
import type { StoredSecret } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { keyValueOf, type KeyValue } from './key-value.ts';
import { binaryKeysOf, splitValues, type SplitValues } from './secret-view.ts';

/** An archived version without its values. */
export interface VersionSummary {
  readonly version: number;
  /** The archived live revision. */
  readonly resourceVersion: string;
  /** RFC 3339: when it was archived. */
  readonly createdAt: string;
  /** Who made this version, according to its own annotations. */
  readonly lastModifiedBy?: string;
  /** RFC 3339: when this version was made, according to its own annotations. */
  readonly lastModifiedAt?: string;
  readonly type: string;
  readonly keys: readonly string[];
  readonly keyCount: number;
  readonly binaryKeys: readonly string[];
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
  /** Newest first. */
  readonly versions: readonly ListedVersion[];
  /** The live state compared with the newest archived one that it has replaced; absent if there is none. */
  readonly changes?: KeyChanges;
}

export interface VersionDetail {
  readonly summary: VersionSummary;
  readonly values: SplitValues;
}

export interface VersionDependencies {
  readonly history: Pick<History, 'list'>;
}

/** A list reads all values, a page at a time. This many at once use some ten megabytes. */
const AT_ONCE = 4;
/** Waiting lists of versions of other Secrets. */
const WAITING = 32;
const CALLERS = 500;
const BUDGET_MS = 15_000;
const RETRY_AFTER_SECONDS = 2;

export interface VersionListsDependencies extends VersionDependencies {
  readonly countRefusal: (bound: 'version_lists') => void;
}

/**
 * The archived versions of a live Secret, for everyone who may see it. Concurrent requests share one list, which begins
 * after all of them. Beyond a short queue they are refused.
 * @throws {ServiceError} `historyUnavailable` or `overloaded`
 */
export function createVersionLists(
  dependencies: VersionListsDependencies,
): SharedRuns<StoredSecret, VersionList> {
  return createSharedRuns({
    // Another revision of the Secret has another counter.
    keyOf: ({ namespace, name, uid, resourceVersion }) => [namespace, name, uid, resourceVersion].join('/'),
    run: (live: StoredSecret, deadline) => listVersions(dependencies, live, deadline),
    budgetMs: BUDGET_MS,
    atOnce: AT_ONCE,
    waiting: WAITING,
    callers: CALLERS,
    tooMany: () => {
      dependencies.countRefusal('version_lists');
      return new ServiceError('overloaded', 'Too many histories are being read; try again', {
        reason: 'versionLists',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    },
    deadlineExceeded: () =>
      historyUnavailable(
        'historyNotRead',
        new ServiceError('unavailable', 'The history was not read in time', { reason: 'deadlineExceeded' }),
      ),
  });
}

async function listVersions(
  { history }: Pick<VersionDependencies, 'history'>,
  live: StoredSecret,
  deadline: Deadline,
): Promise<VersionList> {
  const reduce = (snapshot: Snapshot) => ({
    version: snapshot.version,
    sourceResourceVersion: snapshot.sourceResourceVersion,
    summary: versionSummary(snapshot),
    digests: digestsOf(snapshot.data),
  });
  const archived = await history.list(live, reduce, deadline);
  // A snapshot of the live state belongs to a replacement that has not happened, so it is not an earlier state.
  const previous = archived.find(({ sourceResourceVersion }) =>
    isReplaced(sourceResourceVersion, live.resourceVersion),
  );
  return {
    name: live.name,
    uid: live.uid,
    version: live.managed.version,
    versions: archived.map(({ summary, digests }, position) => ({
      ...summary,
      ...changesSince(archived[position + 1], digests),
    })),
    ...changesSince(previous, digestsOf(live.data)),
  };
}

function changesSince(
  older: { readonly digests: KeyDigests } | undefined,
  newer: KeyDigests,
): { readonly changes?: KeyChanges } {
  return older === undefined ? {} : { changes: changesBetween(older.digests, newer) };
}

/** @throws {ServiceError} `notFound` when this version is not archived for the live UID */
export async function readVersion(
  dependencies: { readonly history: Pick<History, 'read'> },
  { live }: AuthorizedSecret,
  version: number,
  deadline: Deadline,
): Promise<VersionDetail> {
  const snapshot = await findSnapshot(dependencies, live, version, deadline);
  return { summary: versionSummary(snapshot), values: splitValues(snapshot.data) };
}

/** @throws {ServiceError} `notFound` when this version is not archived for the live UID, or has no such key */
export async function readVersionKey(
  dependencies: { readonly history: Pick<History, 'read'> },
  { live }: AuthorizedSecret,
  { version, key }: { readonly version: number; readonly key: string },
  deadline: Deadline,
): Promise<KeyValue> {
  const { data, sourceResourceVersion } = await findSnapshot(dependencies, live, version, deadline);
  return keyValueOf({ data, resourceVersion: sourceResourceVersion }, key);
}

/** @throws {ServiceError} `notFound` when this version is not archived for the live UID */
export async function findSnapshot(
  { history }: { readonly history: Pick<History, 'read'> },
  live: StoredSecret,
  version: number,
  deadline: Deadline,
): Promise<Snapshot> {
  const snapshot = await history.read(live, version, deadline);
  if (snapshot !== undefined) return snapshot;
  throw new ServiceError('notFound', 'This version is not archived', { reason: 'versionNotArchived' });
}

function versionSummary(snapshot: Snapshot): VersionSummary {
  return {
    version: snapshot.version,
    resourceVersion: snapshot.sourceResourceVersion,
    createdAt: snapshot.createdAt,
    ...(snapshot.lastModifiedBy === undefined ? {} : { lastModifiedBy: snapshot.lastModifiedBy }),
    ...(snapshot.lastModifiedAt === undefined ? {} : { lastModifiedAt: snapshot.lastModifiedAt }),
    type: snapshot.type,
    keys: [...snapshot.data.keys()],
    keyCount: snapshot.data.size,
    binaryKeys: binaryKeysOf(snapshot.data),
  };
}
