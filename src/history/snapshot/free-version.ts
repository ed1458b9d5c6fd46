import type { Call } from '../../timing/deadline.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { AnnotationNames } from '../../kube/annotation-names.ts';
import { historyUnavailable } from './history-unavailable.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { versionNamed } from './snapshot-name.ts';

/** So many numbers are free from the one that is found, so that one recovery serves all later updates. */
export const FREE_RUN = 1_000_000;

const MAX_PAGES = 1_000;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Objects of a page: fewer where a page is too large. Five of the largest objects that etcd stores always fit. */
const PAGE_SIZES = [500, 50, 5] as const;
/** How often a list whose continue token expires is read again from its beginning. */
const MAX_EXPIRED = 2;

/** The numbers whose snapshot name exists already, whatever object has it. */
interface TakenVersions {
  readonly all: readonly number[];
  /** The highest one whose object says that it is history of the live UID; 0 without any. */
  readonly newestArchived: number;
}

/**
 * The number under which a reviewed state is archived: above every archived number of the live UID, not below the live
 * counter, and the first from which {@link FREE_RUN} names are free. Other objects may have the names of snapshots, far
 * apart or at the very end of the numbers: they are stepped over, and never decide how high the counter goes. A live
 * counter at the end of the numbers is not followed either.
 *
 * Read from one list of the whole namespace as metadata, since foreign objects carry no label to select them by. Only
 * numbers are kept of it, so that it has no limit of objects.
 *
 * @throws {ServiceError} `historyUnavailable`, or `snapshotCollision` when no number is left
 */
export async function findFreeVersion(
  store: Pick<SnapshotStore, 'listMetadata'>,
  live: StoredSecret,
  counter: number,
  names: AnnotationNames,
  call: Call,
): Promise<number> {
  const taken = await listTaken(store, live, names, call).catch((error: unknown) => {
    throw historyUnavailable('historyNotListed', error);
  });
  const lowest = Math.max(taken.newestArchived + 1, counter <= lastStart() ? counter : 1);
  const sorted = taken.all.filter((version) => version >= lowest).sort((one, other) => one - other);
  const free = firstFree(sorted, lowest, FREE_RUN) ?? firstFree(sorted, lowest, 2);
  if (free === undefined) {
    throw new ServiceError('snapshotCollision', 'No version number is free above the archived ones', {
      reason: 'counterExhausted',
    });
  }
  return free;
}

function lastStart(): number {
  return Number.MAX_SAFE_INTEGER - FREE_RUN;
}

/** The first number from `lowest` on that begins `run` free ones, all of them safe integers. */
function firstFree(sorted: readonly number[], lowest: number, run: number): number | undefined {
  let candidate = lowest;
  for (const version of sorted) {
    if (version - candidate >= run) break;
    candidate = version + 1;
  }
  return Number.MAX_SAFE_INTEGER - candidate >= run - 1 ? candidate : undefined;
}

async function listTaken(
  store: Pick<SnapshotStore, 'listMetadata'>,
  live: StoredSecret,
  names: AnnotationNames,
  call: Call,
): Promise<TakenVersions> {
  const sizes = PAGE_SIZES.values();
  let size = sizes.next().value ?? 1;
  for (let expired = 0; ;) {
    try {
      return await readTaken(store, live, size, names, call);
    } catch (error) {
      const smaller = isServiceError(error, 'responseTooLarge') ? sizes.next().value : undefined;
      if (smaller !== undefined) size = smaller;
      else if (!isServiceError(error, 'expired') || ++expired > MAX_EXPIRED) throw error;
    }
  }
}

async function readTaken(
  store: Pick<SnapshotStore, 'listMetadata'>,
  live: StoredSecret,
  limit: number,
  names: AnnotationNames,
  call: Call,
): Promise<TakenVersions> {
  const all: number[] = [];
  let newestArchived = 0;
  let page: { continueToken?: string } = {};
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const request = { labelSelector: '', limit, maxBytes: MAX_PAGE_BYTES, ...page };
    const { items, continueToken } = await store.listMetadata(live.namespace, request, call);
    for (const item of items) {
      const version = versionNamed(item.name, live);
      if (version === undefined) continue;
      all.push(version);
      if (isOfLive(item, live, names)) newestArchived = Math.max(newestArchived, version);
    }
    if (continueToken === undefined) return { all, newestArchived };
    page = { continueToken };
  }
  throw new ServiceError('listOverBudget', 'The namespace has too many objects', {
    reason: 'listOverBudget:pages',
  });
}

/** By the annotation or the label of the UID: a snapshot that has lost the rest is still an archived state. */
function isOfLive({ labels, annotations }: SecretMetadata, { uid }: StoredSecret, names: AnnotationNames) {
  return annotations.get(names.historyUid) === uid || labels.get(names.historyUidLabel) === uid;
}
