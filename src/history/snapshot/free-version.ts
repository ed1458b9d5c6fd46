import type { Deadline } from '../../timing/deadline.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { PageSizes } from '../../kube/page-sizes.ts';
import { readPages, withRestarts } from '../../kube/read-pages.ts';
import { unavailableAt } from './context.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import type { SnapshotStore } from '../ports.ts';
import { versionNamed } from './snapshot.ts';

/** This many numbers are free from the returned one on, so that one recovery is enough for all later updates. */
export const FREE_RUN = 1_000_000;
const LAST_START = Number.MAX_SAFE_INTEGER - FREE_RUN;

/** Of the objects almost nothing is kept. */
const BUDGET = { objects: Infinity, bytes: Infinity, pages: 1_000 };
/** How often a list whose continue token expires is read again from the beginning. */
const MAX_RESTARTS = 2;

/** The numbers whose snapshot name exists already, whatever the object is. */
interface TakenVersions {
  readonly all: readonly number[];
  /** The highest one whose object claims to be history of the live UID; 0 if there is none. */
  readonly newestArchived: number;
}

/**
 * The number under which a reviewed state is archived: above every archived number of the live UID, not below the live
 * counter, and the first from which {@link FREE_RUN} names are free. Other objects may have the names of snapshots, far
 * apart or at the end of the safe integers: their numbers are skipped, and do not raise the counter otherwise. A live
 * counter at the end of the safe integers is ignored, too.
 *
 * Reads one list of the whole namespace as metadata, since foreign objects have no label to select them by. Only
 * numbers are kept, so the list has no limit of objects.
 *
 * @throws {ServiceError} `historyUnavailable`, or `snapshotCollision` when no number is left
 */
export async function findFreeVersion(
  store: Pick<SnapshotStore, 'listMetadata'>,
  live: StoredSecret,
  counter: number,
  deadline: Deadline,
): Promise<number> {
  const taken = await withRestarts(MAX_RESTARTS, () => readTaken(store, live, deadline)).catch(
    unavailableAt('historyNotListed'),
  );
  const lowest = Math.max(taken.newestArchived + 1, counter <= LAST_START ? counter : 1);
  const sorted = taken.all.filter((version) => version >= lowest).sort((one, other) => one - other);
  const free = firstFree(sorted, lowest, FREE_RUN) ?? firstFree(sorted, lowest, 2);
  if (free === undefined) {
    throw new ServiceError('snapshotCollision', 'No version number is free above the archived ones', {
      reason: 'counterExhausted',
    });
  }
  return free;
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

async function readTaken(
  store: Pick<SnapshotStore, 'listMetadata'>,
  live: StoredSecret,
  deadline: Deadline,
): Promise<TakenVersions> {
  const all: number[] = [];
  let newestArchived = 0;
  await readPages({
    subject: 'Secrets',
    sizes: new PageSizes(BUDGET),
    listPage: (page) => store.listMetadata(live.namespace, { labelSelector: '', ...page }, deadline),
    take: (item: SecretMetadata) => {
      const version = versionNamed(item.name, live);
      if (version === undefined) return;
      all.push(version);
      if (isOfLive(item, live)) newestArchived = Math.max(newestArchived, version);
    },
  });
  return { all, newestArchived };
}

/** By the annotation or the label of the UID: a snapshot without its other metadata is still an archived state. */
function isOfLive({ managed: { snapshot } }: SecretMetadata, { uid }: StoredSecret): boolean {
  return snapshot?.uid === uid || snapshot?.uidLabel === uid;
}
